"""The round's clock."""

from __future__ import annotations

import pytest
from support.sessions import HandClock
from support.tables import table

from interviewer.interview.inbox import RoundClock, due_warning, seconds_to_next_mark

CASES = table("cases", __file__)["clock"]


def test_only_the_candidates_time_counts_and_a_resumed_clock_goes_on() -> None:
    now = HandClock()
    clock = RoundClock(now)
    clock.set(42.0)
    clock.start()
    now.seconds = 10
    clock.stop()
    now.seconds = 100
    assert clock.elapsed == 52
    clock.start()
    now.seconds = 105
    assert clock.elapsed == 57


@pytest.mark.parametrize(("elapsed", "seconds", "given", "warning"), CASES["warnings"])
def test_warnings_come_at_five_minutes_and_at_one(
    elapsed: float, seconds: int, given: tuple[int, ...], warning: int | None
) -> None:
    assert due_warning(elapsed, seconds, frozenset(given)) == warning


@pytest.mark.parametrize(
    ("elapsed", "seconds", "wait"),
    [(0, 600, 300), (300, 600, 240), (540, 600, 60), (600, 600, 0), (700, 600, 0), (0, 120, 60)],
)
def test_it_sleeps_until_it_has_something_to_say(elapsed: float, seconds: int, wait: float) -> None:
    assert seconds_to_next_mark(elapsed, seconds) == wait
