"""The wordings of the debrief, which are data."""

from __future__ import annotations

from functools import cache
from typing import Any

from interviewer.yaml_tables import table


def wording(of: str) -> dict[str, Any]:
    """The words or sentences for each of these, by name."""
    found: dict[str, Any] = _all()[of]
    return found


@cache
def _all() -> Any:
    return table("wording", __package__)
