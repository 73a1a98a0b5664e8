"""The wordings of the debrief, which are data."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml


def wording(of: str) -> dict[str, Any]:
    """The words or sentences for each of these, by name."""
    found: dict[str, Any] = _all()[of]
    return found


@cache
def _all() -> dict[str, dict[str, Any]]:
    text = (files(__package__) / "wording.yaml").read_text(encoding="utf-8")
    listed: dict[str, dict[str, Any]] = yaml.safe_load(text)
    return listed
