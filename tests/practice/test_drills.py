"""Drills are plans that start at once."""

from __future__ import annotations

import pytest
from support.rubrics import a_rubric, library_of

from interviewer.interview.plans import lay_out
from interviewer.practice.drills import AT_ONCE, plan
from interviewer.rubric.library import load_library


def test_a_sprint_asks_one_question_of_each_field_in_ten_minutes() -> None:
    rounds = lay_out(plan("sprint"), load_library(), seed=1)
    assert [len(part.questions) for part in rounds] == [1, 1, 1]
    assert sum(part.seconds for part in rounds) == 600


def test_a_drill_asks_its_questions_in_order_each_once_and_not_too_many() -> None:
    names = ("one", "two", "three", "four")
    library = library_of(*(a_rubric(id=name) for name in names))
    (asked,) = lay_out(plan("weak", ("two", "one", "two", "four", "three")), library, seed=1)
    assert asked.questions == ("two", "one", "four")
    assert len(asked.questions) == AT_ONCE


@pytest.mark.parametrize(("kind", "rubrics"), [("one", ()), ("weak", ()), ("due", ())])
def test_without_questions_of_its_own_it_asks_any(kind: str, rubrics: tuple[str, ...]) -> None:
    (asked,) = lay_out(plan(kind, rubrics), library_of(a_rubric()), seed=1)  # type: ignore[arg-type]
    assert asked.questions == ("greek-letters",)
