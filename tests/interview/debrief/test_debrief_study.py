"""What to do next and what to study: few things, the costliest first, each with its source."""

from __future__ import annotations

from support.mocks import Mock, a_mock, met
from support.rubrics import a_rubric

from interviewer.examiner.protocol import CloseReason
from interviewer.grading.verdicts import Verdict
from interviewer.interview.debrief.study import STUDIED, TO_DO
from interviewer.rubric.rubric import Rating, Rubric


def letters(count: int) -> list[Rubric]:
    return [
        a_rubric(id=f"letters-{n}", title=f"Letters {n}", sources=(f"Paper {n}", "Another"))
        for n in range(count)
    ]


def test_one_thing_to_do_for_each_question_the_costliest_first() -> None:
    made = [("alpha", "beta", "gamma"), ("alpha",), (), ("alpha", "beta"), ("beta",)]
    found = a_mock(*made, rubrics=letters(5)).debrief().to_do
    assert len(found) == TO_DO
    assert [(each.title, each.lost, each.source) for each in found] == [
        ("Letters 2", 6, "Paper 2"),
        ("Letters 4", 4, "Paper 4"),
        ("Letters 1", 3, "Paper 1"),
    ]
    assert [each.criterion for each in found] == [
        *("alpha", "alpha", "beta"),
    ]


def test_further_points_of_a_question_fill_up_what_is_left() -> None:
    found = a_mock(("alpha",), rubrics=letters(1)).debrief().to_do
    assert [(each.criterion, each.lost) for each in found] == [
        ("beta", 3),
        ("gamma", 1),
    ]


def test_a_skipped_question_comes_after_what_was_answered() -> None:
    mock = Mock(letters(2))
    mock.ask()
    mock.close(CloseReason.SKIPPED)
    mock.ask()
    text, findings = met("alpha", "beta")
    mock.answer(text, *findings)
    mock.close()
    found = mock.debrief()
    assert [(each.title, each.criterion == "") for each in found.to_do] == [
        ("Letters 1", False),
        ("Letters 0", True),
    ]
    assert [point.title for point in found.study_points] == ["Letters 1"]


def test_what_was_said_wrongly_is_marked() -> None:
    mock = Mock(letters(1))
    mock.ask()
    wrong = "The alpha effect does nothing"
    mock.answer(wrong, Verdict("alpha", Rating.CONTRADICTED, wrong))
    mock.close()
    assert mock.debrief().to_do[0].contradicted


def test_points_to_study_are_few_and_the_questions_take_turns() -> None:
    found = a_mock((), (), (), (), rubrics=letters(4)).debrief().study_points
    assert len(found) == STUDIED
    assert [(p.title, p.lost, p.source) for p in found] == [
        *((f"Letters {n}", 3, f"Paper {n}") for n in range(4)),
        *((f"Letters {n}", 2, f"Paper {n}") for n in range(3)),
    ]


def test_without_a_source_there_is_none() -> None:
    assert a_mock((), rubrics=[a_rubric()]).debrief().study_points[0].source == ""
