"""Two gradings side by side: what counts as moved, and the reasons that the verdicts show."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.judged import unjudged
from support.rubrics import a_criterion, a_rubric

from interviewer.grading.score import grade_question
from interviewer.grading.verdicts import Source, Verdict
from interviewer.interview.regrading import GradedQuestion, PointChange, Reason, compare
from interviewer.rubric.rubric import Rating, Rubric

RUBRIC = a_rubric()
MADE = Verdict("alpha", Rating.MET, "alpha decides it", 2, (0, 16))
OPEN = Verdict("alpha", Rating.NOT_MET)


def graded(
    *verdicts: Verdict,
    rubric: Rubric = RUBRIC,
    examiner: str = "one",
    question: int = 1,
) -> GradedQuestion:
    given_ids = {verdict.criterion for verdict in verdicts}
    rest = [Verdict(c.id, Rating.NOT_MET) for c in rubric.criteria if c.id not in given_ids]
    grade = grade_question(rubric, [[*verdicts, *rest]], examiner=examiner)
    return GradedQuestion(
        1, question, rubric.title, grade, {c.id: c.claim for c in rubric.criteria}
    )


def change(before: GradedQuestion, after: GradedQuestion) -> PointChange:
    [moved] = compare([before], [after])
    [point] = moved.points
    return point


def test_nothing_moves_between_equal_gradings() -> None:
    assert compare([graded(MADE)], [graded(MADE)]) == ()
    assert compare([graded(MADE)], [graded(MADE, examiner="two")]) == ()


def test_a_verdict_that_moved_is_told_with_both_sides() -> None:
    point = change(graded(OPEN), graded(MADE, examiner="two"))
    assert (point.criterion, point.before, point.after) == ("alpha", OPEN, MADE)
    assert point.claim == RUBRIC.criterion("alpha").claim
    assert point.reasons == (Reason.OTHER_QUOTE, Reason.OTHER_EXAMINER)


@pytest.mark.parametrize(
    ("before", "after", "reasons"),
    [
        (MADE, replace(MADE, verdict=Rating.PARTIAL), (Reason.SAME_WORDS,)),
        (
            MADE,
            replace(OPEN, unsupported="The quote is too short."),
            (Reason.QUOTE_REFUSED, Reason.OTHER_QUOTE),
        ),
        (
            MADE,
            replace(MADE, verdict=Rating.PARTIAL, unsupported="The number is missing."),
            (Reason.NUMBER,),
        ),
        (
            replace(MADE, verdict=Rating.PARTIAL, unsupported="The number is missing."),
            MADE,
            (Reason.OBJECTION_GONE,),
        ),
        (MADE, replace(MADE, source=Source.HINT_1), (Reason.OTHER_HELP,)),
        (
            MADE,
            replace(MADE, verdict=Rating.PARTIAL, votes=(Rating.PARTIAL, Rating.MET)),
            (Reason.VOTES,),
        ),
        (
            replace(MADE, votes=(Rating.MET, Rating.MET)),
            replace(MADE, verdict=Rating.PARTIAL, evidence="alpha decides"),
            (Reason.OTHER_QUOTE,),
        ),
    ],
)
def test_the_reasons_are_those_that_the_verdicts_show(
    before: Verdict, after: Verdict, reasons: tuple[Reason, ...]
) -> None:
    assert change(graded(before), graded(after)).reasons == reasons


def test_criteria_come_and_go_with_the_rubric() -> None:
    alpha = a_criterion("alpha", weight=3, must_have=True)
    newer = a_rubric(alpha, a_criterion("delta"), version=2)
    [moved] = compare([graded(MADE)], [graded(MADE, rubric=newer)])
    reasons = {point.criterion: point.reasons for point in moved.points}
    gone, new = (Reason.REMOVED,), (Reason.ADDED,)
    assert reasons == {"beta": gone, "gamma": gone, "delta": new}


def test_a_changed_rubric_is_a_reason_for_the_verdicts_that_stayed() -> None:
    newer = RUBRIC.model_copy(update={"version": 2})
    point = change(graded(MADE), graded(OPEN, rubric=newer))
    assert point.reasons == (Reason.OTHER_QUOTE, Reason.RUBRIC_CHANGED)


def test_what_could_not_be_judged_is_no_verdict() -> None:
    unread = graded(unjudged("alpha"))
    assert change(graded(MADE), unread).reasons == (Reason.NOT_JUDGED,)
    assert change(unread, graded(OPEN)).reasons == (Reason.JUDGED_NOW,)
    assert compare([unread], [unread]) == ()


def test_questions_are_matched_by_their_place() -> None:
    before = [graded(MADE), graded(OPEN, question=2)]
    after = [graded(MADE, question=2), graded(MADE)]
    [moved] = compare(before, after)
    assert moved.before.question == moved.after.question == 2


verdicts = st.builds(
    Verdict,
    st.just("alpha"),
    st.sampled_from(Rating),
    st.sampled_from(["", "alpha decides", "alpha it is"]),
    source=st.sampled_from(Source),
    unsupported=st.sampled_from(["", "No."]),
    votes=st.lists(st.sampled_from(Rating), max_size=3).map(tuple),
)


@settings(max_examples=40)
@given(verdicts, verdicts)
def test_whatever_moved_has_a_reason(a: Verdict, b: Verdict) -> None:
    for moved in compare([graded(a)], [graded(b)]):
        assert all(point.reasons for point in moved.points)
        assert {point.criterion for point in moved.points} <= {"alpha"}
