"""How questions stand after their tries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from interviewer.practice.attempts import Attempt
from interviewer.practice.progress import Try, standings

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def tried(days_ago: int, band: int | None, rubric: str = "one") -> Attempt:
    at = NOW - timedelta(days=days_ago)
    return Attempt(f"s{days_ago}", at, rubric, rubric, "topic", band, True, ())


def test_best_last_and_tries_newest_first() -> None:
    found = standings([tried(1, 2), tried(3, 4), tried(9, 0)], NOW)["one"]
    assert (found.best, found.last) == (4, Try(NOW - timedelta(days=1), 2, "s1"))
    assert [each.band for each in found.tries] == [2, 4, 0]


def test_weak_is_what_was_no_pass_when_last_graded() -> None:
    found = standings(
        [tried(1, 2, "low"), tried(1, 3, "passed"), tried(2, 0, "passed"), tried(1, None, "none")],
        NOW,
    )
    assert {name for name, each in found.items() if each.weak} == {"low"}
    ungraded_since = standings([tried(1, None), tried(2, 1)], NOW)["one"]
    assert ungraded_since.weak
    assert ungraded_since.best == 1


def test_due_follows_the_schedule() -> None:
    found = standings([tried(1, 0, "failed"), tried(1, 4, "passed")], NOW)
    assert found["failed"].due
    assert not found["passed"].due


def test_what_was_not_asked_has_no_standing() -> None:
    assert standings([], NOW) == {}
