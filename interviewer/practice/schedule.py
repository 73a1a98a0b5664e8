"""When to ask a question again: boxes with growing intervals, after Leitner (1972)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

PASSED, FAILED = 3, 1
"""From this band on a question moves up a box; at this one or below it falls back to the first."""
INTERVALS = (1, 2, 4, 8, 16, 32, 64)
"""Days until a question in each box is due again."""
KNOWN = 2
"""The box, from 0, of what was passed once."""


def box_after(bands: Iterable[int]) -> int:
    """The box, from 0, after these bands, oldest first; a band between the two changes nothing."""
    box = 0
    for band in bands:
        if band <= FAILED:
            box = 0
        elif band >= PASSED:
            box = min(max(box + 1, KNOWN), len(INTERVALS) - 1)
    return box


def due_after(bands: Iterable[int], last: datetime) -> datetime:
    """When a question with these bands, oldest first, is due again; ``last`` is the last try."""
    return last + timedelta(days=INTERVALS[box_after(bands)])
