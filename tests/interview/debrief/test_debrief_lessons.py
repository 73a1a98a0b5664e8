"""What to say next time, what to do next and what to study: the costliest first, with sources."""

from __future__ import annotations

import pytest
from support.mocks import Mock, a_mock, sentence
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.examiner.offline import NAME as OFFLINE
from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.verdicts import Verdict
from interviewer.interview.debrief import debrief
from interviewer.interview.debrief.assessment import STUDIED
from interviewer.interview.debrief.questions import Lesson, told_in
from interviewer.report.document import to_do
from interviewer.rubric.rubric import Rating, Rubric

CASES = table("cases", __file__)["lessons"]

REFERENCE = (
    "First comes alpha, an effect that decides nearly all. "
    "The beta effect decides the rest: it weighs less than 0.5 of it. Gamma closes the row."
)
RUBRIC = a_rubric(reference=REFERENCE)
WRONG = "The beta effect decides nothing at all"


def asked(rubric: Rubric = RUBRIC) -> Mock:
    return Mock([rubric]).ask()


def letters(count: int) -> list[Rubric]:
    return [
        a_rubric(id=f"letters-{n}", title=f"Letters {n}", sources=(f"Paper {n}", "Another"))
        for n in range(count)
    ]


def lessons(mock: Mock) -> dict[str, Lesson]:
    (question,) = mock.debrief().questions
    return {lesson.criterion: lesson for lesson in question.lessons}


def test_only_what_was_lost_is_a_lesson_the_costliest_first() -> None:
    found = lessons(a_mock(("beta",), rubrics=[RUBRIC]))
    assert list(found) == ["alpha", "gamma"]
    assert found["alpha"].reference == "First comes alpha, an effect that decides nearly all."
    extra = a_rubric(a_criterion("alpha"), a_criterion("beta", extra=True))
    assert lessons(a_mock(("alpha",), rubrics=[extra])) == {}
    assert lessons(asked().say("Never judged, this.").close(CloseReason.TIME_UP)) == {}


def test_the_judged_words_stand_beside_the_reference() -> None:
    said = "beta effect does something"
    partly = Verdict("beta", Rating.PARTIAL, said, missing="How much?")
    beta = lessons(asked().answer(f"Maybe the {said} there.", partly).close())["beta"]
    assert beta.said is not None
    assert (beta.said.text, beta.said.turn, beta.lost) == (said, 2, 1)
    assert beta.reference.startswith("The beta effect decides the rest: it weighs less than 0.5")


@pytest.mark.parametrize("marked", [False, True])
def test_what_was_not_heard_adds_up_but_for_what_the_candidate_marks(marked: bool) -> None:
    mock = asked(
        a_rubric(a_criterion("alpha"), a_criterion("beta"), a_criterion("gamma", extra=True))
    )
    mock.examiner = OFFLINE
    mock.make("alpha").close()
    own = {"beta": Verdict("beta", Rating.MET, by="candidate")} if marked else {}
    found = debrief(mock.state, mock.rubrics, own={1: own})
    assert found.person.startswith("1 of 3 points heard in textbook words: ")
    (line,) = to_do(found)
    assert line.text.startswith("One point is yours" if marked else "2 points are yours")
    assert bool(found.study_points) is not marked


def test_a_point_made_with_a_hint_is_still_to_be_said_unaided() -> None:
    mock = asked().follow_up(Move(MoveKind.HINT, "beta", 1), "Look near b.")
    mock.answer(sentence("beta"), Verdict("beta", Rating.MET, sentence("beta"))).close()
    assert lessons(mock)["beta"].lost == 0.5


@pytest.mark.parametrize(("claim", "patterns", "told"), CASES["told"])
def test_the_reference_tells_a_point_where_it_says_most_of_it(
    claim: str, patterns: list[list[str]], told: str
) -> None:
    assert told_in(REFERENCE, a_criterion("point", claim=claim, patterns=patterns)) == told


def test_every_shipped_claim_has_its_words_in_the_reference(shipped_rubric: Rubric) -> None:
    for criterion in shipped_rubric.criteria:
        sentence = told_in(shipped_rubric.reference, criterion)
        assert sentence
        assert sentence in shipped_rubric.reference


def test_a_contradiction_costs_more_than_silence_and_is_marked() -> None:
    rubric = a_rubric(a_criterion("alpha", weight=2), a_criterion("beta", weight=2))
    found = asked(rubric).answer(WRONG, Verdict("beta", Rating.CONTRADICTED, WRONG)).close()
    points = found.debrief().study_points
    assert [(each.criterion, each.lost) for each in points] == [("beta", 2.5), ("alpha", 2)]
    assert [each.contradicted for each in points] == [True, False]


def test_the_costliest_points_are_to_be_studied_the_questions_in_turns() -> None:
    made = [("alpha", "beta", "gamma"), ("alpha",), (), ("alpha", "beta"), ("beta",)]
    found = a_mock(*made, rubrics=letters(5)).debrief()
    assert len(found.study_points) == STUDIED
    assert [(each.title, each.criterion, each.lost) for each in found.study_points[:4]] == [
        ("Letters 2", "alpha", 3),
        ("Letters 4", "alpha", 3),
        ("Letters 1", "beta", 2),
        ("Letters 2", "beta", 2),
    ]
    assert [line.facts.source for line in to_do(found)] == ["Paper 2", "Paper 4", "Paper 1"]
