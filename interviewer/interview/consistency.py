"""Consistency of the numbers stated in a session, and contradictions not yet raised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interviewer.examiner.moves import BenchChallenge, SumChallenge, SumDrill
from interviewer.grading.claims.claim import Ledger
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.state import QuestionState, SessionState
from interviewer.rubric.rubric import Rubric

NOTES_TURN = 0
"""The turn number of claims made in the project notes."""
CHECKS_PER_QUESTION = 2
"""More arithmetic challenges than this would turn it into another question."""
EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
"""Kinds of question whose numbers are given or derived and claim nothing about a real run."""


@dataclass(frozen=True)
class Numbers:
    """What the candidate's own figures come to, in sentences."""

    impossible: tuple[str, ...] = ()
    """They cannot all be true, and were not raised yet."""
    closing: tuple[SumDrill, ...] = ()
    """They fit together."""
    revisit: tuple[str, ...] = ()
    """Raised in an earlier round, and neither explained nor taken back."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.impossible, *(each.sentence for each in self.closing), *self.revisit)


def session_ledger(state: SessionState, rubrics: Mapping[str, Rubric]) -> Ledger:
    """All claims in the notes and the answers, with those that cannot all be true."""
    told = (q for q in state.questions if rubrics[q.rubric].kind not in EXERCISES)
    turns = [turn for question in told for turn in _claiming(question)]
    return ledger([*_notes(state), *turns])


def _claiming(question: QuestionState) -> Iterator[Turn]:
    """Turns about real runs: no derivation at the bench, and no talk about its lines."""
    about_lines = {
        turn.number
        for turn, move in zip(question.follow_ups, question.moves, strict=True)
        if isinstance(move, BenchChallenge)
    }
    for turn in question.spoken:
        if turn.run is None and turn.number not in about_lines:
            yield turn


def _notes(state: SessionState) -> Iterator[Turn]:
    """The project notes as a turn before the interview."""
    if state.project:
        yield Turn(NOTES_TURN, "candidate", TurnKind.ANSWER, state.project)


def open_contradictions(state: SessionState, rubrics: Mapping[str, Rubric]) -> tuple[str, ...]:
    """Sentences on numbers that cannot all be true and that the candidate was not asked about yet.

    One of the numbers must come from the open question, so that no challenge comes out of the blue;
    on a question about the candidate's project, the notes count as part of it.
    """
    question = state.question
    if question is None or len(_raised_on(question)) >= CHECKS_PER_QUESTION:
        return ()
    here = {turn.number for turn in question.turns}
    if rubrics[question.rubric].own_project:
        here.add(NOTES_TURN)
    raised = {sentence for each in state.questions for sentence in _raised_on(each)}
    return tuple(
        contradiction.sentence
        for contradiction in session_ledger(state, rubrics).contradictions
        if contradiction.sentence not in raised
        and any(claim.turn in here for claim in contradiction.claims)
    )


def _raised_on(question: QuestionState) -> list[str]:
    return [move.sentence for move in question.moves if isinstance(move, SumChallenge)]


def numbers_in(state: SessionState, rubrics: Mapping[str, Rubric]) -> Numbers:
    """What the candidate's own figures come to after the latest turn."""
    return Numbers(impossible=open_contradictions(state, rubrics))
