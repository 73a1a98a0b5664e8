"""When a question is due again: what is known waits longer, what was missed comes back at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.practice.progress import INTERVALS, box_after, due_after

LAST = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
BANDS = st.lists(st.integers(0, 4), max_size=20)


@pytest.mark.parametrize(
    ("bands", "days"),
    [([0], 1), ([2], 1), ([3], 4), ([3, 4], 8), ([4, 4, 2], 8), ([4, 4, 1], 1), ([1, 3], 4)],
)
def test_days_until_it_is_due(bands: list[int], days: int) -> None:
    assert due_after(bands, LAST) == LAST + timedelta(days=days)


@given(BANDS)
def test_passing_never_brings_it_sooner_and_failing_never_later(bands: list[int]) -> None:
    assert box_after([*bands, 4]) >= box_after(bands) >= box_after([*bands, 0]) == 0
    assert 0 <= box_after(bands) < len(INTERVALS)
