"""Figures of a run, as a test states them."""

from __future__ import annotations

from itertools import count
from typing import Any

from interviewer.grading.claims.quantity import Quantity

DAY, HOUR = 86400.0, 3600.0
_PLACES = count(step=10)


def stated(measure: str, value: float, *, turn: int = 1, **fields: Any) -> Quantity:
    at = fields.pop("at", None)
    at = next(_PLACES) if at is None else at
    values = {"unit": "", "text": f"{value:g}", "run": "r", **fields}
    return Quantity(measure, value, turn=turn, span=(at, at + 1), **values)
