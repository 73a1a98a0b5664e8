"""The operators of torch in groups, of which a challenge allows some and forbids the rest."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal

from interviewer.yaml_tables import table

Group = Literal["elementary", "softmax", "norms", "losses"]


@lru_cache(maxsize=1)
def _groups() -> Any:
    return table("operators", "interviewer.sandbox")


def names(groups: Iterable[Group]) -> list[str]:
    """What the operators in these groups are called, variants apart."""
    return [name for group in groups for text in _groups()[group]["names"] for name in text.split()]


def about(groups: Iterable[Group]) -> list[str]:
    """What each of the groups is called in a sentence."""
    return [_groups()[group]["about"] for group in groups]
