"""Moments and durations in words."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.stage import NOW

from tui.widgets.plain_text import ago, clock_face


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 min ago"),
        (timedelta(minutes=59, seconds=59), "59 min ago"),
        (timedelta(hours=23), "23 h ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=13), "13 days ago"),
        (timedelta(days=40), "on 2026-03-25"),
    ],
)
def test_how_long_ago(before: timedelta, words: str) -> None:
    assert ago(NOW - before, NOW) == words


@pytest.mark.parametrize(
    ("seconds", "face"),
    [(0, "00:00"), (0.2, "00:01"), (59.5, "01:00"), (61, "01:01"), (7200, "120:00")],
)
def test_the_clock_counts_a_begun_second(seconds: float, face: str) -> None:
    assert clock_face(seconds) == face
