"""The numbers of a session held against each other, and the sums still to be answered for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interviewer.examiner.moves import BenchChallenge, SumChallenge
from interviewer.grading.claims.claim import Ledger
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.state import QuestionState, SessionState
from interviewer.rubric.rubric import Rubric

NOTES_TURN = 0
"""Numbers stated in the project notes carry this in place of a turn."""
SUMS_PER_QUESTION = 2
"""More challenges by arithmetic than this would turn the question into another one."""
EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
"""Kinds of question whose numbers are given or worked out, and claim nothing about a run."""


def session_ledger(state: SessionState, rubrics: Mapping[str, Rubric]) -> Ledger:
    """What was claimed in the notes and over all rounds, and what of it cannot be true together."""
    told = (q for q in state.questions if rubrics[q.rubric].kind not in EXERCISES)
    turns = [turn for question in told for turn in _claiming(question)]
    return ledger([*_notes(state), *turns])


def _claiming(question: QuestionState) -> Iterator[Turn]:
    """What is said of real runs: no derivation at the bench, and no talk of its lines."""
    about_lines = {
        turn.number
        for turn, move in zip(question.follow_ups, question.moves, strict=True)
        if isinstance(move, BenchChallenge)
    }
    for turn in question.spoken:
        if turn.run is None and turn.number not in about_lines:
            yield turn


def _notes(state: SessionState) -> Iterator[Turn]:
    """The project notes as something said before the interview."""
    if state.project:
        yield Turn(NOTES_TURN, "candidate", TurnKind.ANSWER, state.project)


def open_sums(state: SessionState, rubrics: Mapping[str, Rubric]) -> tuple[str, ...]:
    """Sentences on numbers that cannot be true together, not yet put to the candidate.

    Something said on the open question must be among the numbers, so that nobody is challenged out
    of the blue; on a question about the candidate's project its notes count as said.
    """
    question = state.question
    if (
        question is None
        or sum(isinstance(move, SumChallenge) for move in question.moves) >= SUMS_PER_QUESTION
    ):
        return ()
    here = {turn.number for turn in question.turns}
    if rubrics[question.rubric].own_project:
        here.add(NOTES_TURN)
    put = {
        move.sentence
        for each in state.questions
        for move in each.moves
        if isinstance(move, SumChallenge)
    }
    return tuple(
        contradiction.sentence
        for contradiction in session_ledger(state, rubrics).contradictions
        if contradiction.sentence not in put
        and any(claim.turn in here for claim in contradiction.claims)
    )


def _sums_of(question: QuestionState) -> Iterator[str]:
    return (move.sentence for move in question.moves if isinstance(move, SumChallenge))
