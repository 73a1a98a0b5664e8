"""The plan that comes by default, and names that went: what is called by one gets its successor."""

from __future__ import annotations

DEFAULT_PLAN = "three-rounds"
RETIRED = {
    "sprint": DEFAULT_PLAN,
    "ten-minute-sprint": DEFAULT_PLAN,
    "home.sprint": "home.mock",
    "interview.read_again": "interview.numbers",
    "verdict.drill": "verdict.retry",
    "figure.close": "reading.close",
    "grammar.close": "reading.close",
    "report.close": "reading.close",
    "claims_read": "figures_read",
    "challenge by sum": "numbers_clash",
    "challenge by bench": "bad_line",
}
"""Ids of plans and actions, and in journals of events and of moves with the field that told them
apart, each with the one that took its place."""


def current(name: str) -> str:
    """Today's name for this one."""
    return RETIRED.get(name, name)


EXAMPLE = "example"
"""The id of the interview that comes with the program; it is in no database."""
