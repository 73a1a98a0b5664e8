"""Progress as figures: strength by topic, trend, weak spots, what is due."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lived_in import FINISHED, practise
from support.stage import NOW

from interviewer.practice.attempts import Attempt, Past, Point, Result, read_past
from interviewer.practice.progress import (
    INTERVALS,
    Progress,
    box_after,
    due_after,
    progress,
    standings,
)
from interviewer.store.store import Store


def attempt(
    rubric: str, days: float, band: int | None, *earned: float, **changes: object
) -> Attempt:
    """A try of a question so many days ago; each point weighs 2."""
    values = {
        "session": f"s{days:g}",
        "at": NOW - timedelta(days=days),
        "rubric": rubric,
        "title": rubric.title(),
        "topic": "alignment",
        "band": band,
        "answered": True,
        "points": tuple(Point(f"c{n}", f"claim {n}", 2.0, e) for n, e in enumerate(earned)),
    }
    return Attempt(**(values | changes))  # type: ignore[arg-type]


def results(*bands: float | None) -> tuple[Result, ...]:
    """Finished sessions, the newest first."""
    return tuple(Result(f"s{n}", "Sprint", band, NOW) for n, band in enumerate(bands))


def of(*attempts: Attempt, **changes: object) -> Progress:
    return progress(Past(attempts=attempts, **changes), NOW)  # type: ignore[arg-type]


def test_only_the_latest_try_of_a_question_counts_for_its_topic() -> None:
    found = of(attempt("kl", 1, 4, 2, 2), attempt("kl", 9, 0, 0, 0), attempt("dpo", 2, 0, 0, 0))
    assert [(t.name, t.share, t.questions) for t in found.topics] == [("alignment", 0.5, 2)]


def test_passing_on_a_question_is_no_weakness_but_it_is_due() -> None:
    found = of(attempt("a", 3, 0, 0, answered=False))
    assert (found.topics, found.weak) == ((), ())
    assert [due.rubric for due in found.due] == ["a"]


def test_weak_spots_are_the_costliest_points_of_the_latest_tries() -> None:
    found = of(attempt("a", 1, 2, 1, 2), attempt("b", 1, 1, -0.5, 0.5))
    assert [(w.rubric, w.worst) for w in found.weak] == [("b", 2.5), ("a", 1.0)]


def test_what_is_due_by_midnight_is_due_today_the_longest_first() -> None:
    found = of(attempt("new", 0.5, 0, 0), attempt("old", 9, 3, 2), attempt("fresh", 2, 4, 2))
    assert [due.rubric for due in found.due] == ["old"]
    tomorrow = progress(Past(attempts=(attempt("new", 0.5, 0, 0),)), NOW + timedelta(days=1))
    assert [due.rubric for due in tomorrow.due] == ["new"]


@pytest.mark.parametrize(
    ("bands", "change"),
    [((), None), ((3, 2, 1), None), ((3,) * 5 + (1,), 2.0), ((3,) * 5 + (None, 1, 2), 1.5)],
)
def test_the_trend_compares_five_results_with_the_five_before(
    bands: tuple[float | None, ...], change: float | None
) -> None:
    assert progress(Past(results=results(*bands)), NOW).change == change


def test_five_results_are_listed_and_ungraded_ones_leave_no_mark_on_the_course() -> None:
    found = progress(Past(results=results(1, None, 3, 4, 2, 0)), NOW)
    assert len(found.results) == 5
    assert found.bands == (0, 2, 4, 3, 1)


async def test_sessions_are_read_from_the_database_and_open_ones_left_out(store: Store) -> None:
    await practise(store, NOW)
    past = read_past(store.place)
    assert len(past.results) == 7
    assert all(result.at < NOW - timedelta(hours=1) for result in past.results)
    latest = [each for each in past.attempts if each.session == past.results[0].session]
    assert {each.rubric: each.band for each in latest} == {
        "kl-penalty": 3,
        "zero-three": 2,
        "attention-scale": 4,
        "loss-spike": 0,
    }
    assert sum(point.weight for point in latest[0].points) == 4
    few = read_past(store.place, sessions=2)
    assert (few.results, {each.session for each in few.attempts}) == (
        past.results[:2],
        {each.session for each in past.results[:2]},
    )


async def test_weak_spots_and_due_questions_follow_the_own_verdicts(store: Store) -> None:
    await practise(store, NOW)

    def found() -> Progress:
        return progress(read_past(store.place), NOW)

    before = found()
    assert "An adaptive controller steers the coefficient to a target KL" in claims_of(before)
    assert "loss-spike" in {due.rubric for due in before.due}
    store.add_own_verdict(FINISHED, 1, "target", "said")
    for criterion in ("spike", "rewind"):
        store.add_own_verdict(FINISHED, 4, criterion, "said")
    store.add_own_verdict(FINISHED, 1, "hacking", "not")
    after = found()
    assert "Without it the policy drifts to text that fools the reward model" in claims_of(after)
    gone = claims_of(before) - claims_of(after)
    assert "An adaptive controller steers the coefficient to a target KL" in gone
    assert "loss-spike" not in {due.rubric for due in after.due}
    assert (after.bands, after.results) == (before.bands, before.results)
    for number, criterion in ((1, "target"), (4, "spike"), (4, "rewind"), (1, "hacking")):
        store.add_own_verdict(FINISHED, number, criterion, "none")
    assert found() == before


def claims_of(found: Progress) -> set[str]:
    return {point.claim for each in found.weak for point in each.points if point.lost > 0}


def test_without_a_database_there_is_no_past(store: Store) -> None:
    assert read_past(store.place.with_name("none.db")) == Past()
    assert read_past(store.place) == Past()


def test_weak_is_what_was_no_pass_when_last_graded() -> None:
    found = standings(
        [
            attempt("low", 1, 2),
            attempt("passed", 1, 3),
            attempt("passed", 2, 0),
            attempt("none", 1, None),
        ],
        NOW,
    )
    assert {name for name, each in found.items() if each.weak} == {"low"}
    ungraded_since = standings([attempt("one", 1, None), attempt("one", 2, 1)], NOW)["one"]
    assert ungraded_since.weak
    assert ungraded_since.best == 1


@pytest.mark.parametrize(
    ("bands", "days"),
    [([0], 1), ([2], 1), ([3], 4), ([3, 4], 8), ([4, 4, 2], 8), ([4, 4, 1], 1), ([1, 3], 4)],
)
def test_days_until_it_is_due(bands: list[int], days: int) -> None:
    assert due_after(bands, NOW) == NOW + timedelta(days=days)


@given(st.lists(st.integers(0, 4), max_size=20))
def test_passing_never_brings_it_sooner_and_failing_never_later(bands: list[int]) -> None:
    assert box_after([*bands, 4]) >= box_after(bands) >= box_after([*bands, 0]) == 0
    assert 0 <= box_after(bands) < len(INTERVALS)
