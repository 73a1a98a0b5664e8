"""Checks on follow-ups: what may be said and what is replaced."""

from __future__ import annotations

import pytest
from support.judged import checked
from support.rubrics import scaling_rubric
from support.tables import table

from interviewer.examiner.checks import objections
from interviewer.examiner.protocol import NEUTRAL, Move, MoveKind, QuestionContext
from interviewer.examiner.wording import utterance
from interviewer.grading.transcript import Turn, TurnKind, exchange
from interviewer.rubric.rubric import Rating, Rubric

CASES = table("sentences", __file__)["checks"]

RUBRIC = scaling_rubric()
PROBE = Move(MoveKind.PROBE, "variance")
ANSWER = "It keeps numbers in a good range. I would not claim it stays valid at width 4096."


def context_of(rubric: Rubric = RUBRIC, answer: str = ANSWER, *more: Turn) -> QuestionContext:
    """The question and an answer to it, judged offline."""
    turns = (*exchange(rubric.question, answer), *more)
    verdicts = checked(rubric, turns)
    return QuestionContext(rubric, turns, verdicts, NEUTRAL, exam=True)


def faults_of(text: str, context: QuestionContext | None = None) -> tuple[str, ...]:
    return objections(text, context or context_of(), PROBE)


@pytest.mark.parametrize("text", CASES["passes"])
def test_a_harmless_question_passes(text: str) -> None:
    assert faults_of(text) == ()


@pytest.mark.parametrize(("text", "fault"), CASES["refused"])
def test_a_bad_follow_up_is_refused_with_the_words_at_fault(text: str, fault: str) -> None:
    assert any(fault in objection for objection in faults_of(text)), faults_of(text)


def test_praise_is_for_practice_only() -> None:
    turns = exchange(RUBRIC.question, ANSWER)
    practice = QuestionContext(RUBRIC, turns, (), NEUTRAL, exam=False)
    assert faults_of("Good. What range did you see in your own runs there?", practice) == ()


def test_a_question_about_grading_is_fine_where_that_is_the_subject() -> None:
    answer = "We gave the judge model a rubric with three criteria."
    text = "What did the rubric of your judge model say, and who wrote it?"
    assert faults_of(text, context_of(answer=answer)) == ()


def test_a_follow_up_of_this_question_is_not_put_twice() -> None:
    asked = "What range did you see there, and how did you look at it?"
    before = Turn(3, "examiner", TurnKind.PROBE, asked, target="variance")
    after = Turn(4, "candidate", TurnKind.ANSWER, "Some range that was good enough for us.")
    again = faults_of(f"“Good enough for us”. {asked}", context_of(RUBRIC, ANSWER, before, after))
    assert again == ("it was asked before",)


_AIMED = {
    Rating.NOT_MET: MoveKind.PROBE,
    Rating.PARTIAL: MoveKind.PIN_DOWN,
    Rating.MET: MoveKind.PIN_DOWN,
    Rating.CONTRADICTED: MoveKind.CHALLENGE,
}


def test_every_follow_up_made_of_a_shipped_rubric_passes_all_checks(shipped_rubric: Rubric) -> None:
    """Every other sample as the answer, and what is asked on each of its points."""
    rubric = shipped_rubric
    for sample in rubric.samples[::2]:
        context = context_of(rubric, sample.answer)
        moves: list[Move] = [
            Move(MoveKind.ESCALATE, escalation=n) for n in range(len(rubric.escalations))
        ]
        moves += [
            Move(_AIMED[v.verdict], v.criterion) for v in context.verdicts if v.verdict in _AIMED
        ]
        for move in moves:
            words = utterance(context, move)
            assert objections(words, context, move) == (), words
