"""The numbers of a session held against each other, and the sums still to be answered for."""

from __future__ import annotations

from collections.abc import Mapping

from interviewer.grading.claims.claim import Ledger
from interviewer.grading.claims.ledger import ledger
from interviewer.interview.state import SessionState
from interviewer.rubric.rubric import Rubric

SUMS_PER_QUESTION = 2
"""More challenges by arithmetic than this would turn the question into another one."""
EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
"""Kinds of question whose numbers are given or worked out, and claim nothing about a run."""


def session_ledger(state: SessionState, rubrics: Mapping[str, Rubric]) -> Ledger:
    """What was claimed over all rounds, and what of it cannot be true together."""
    told = (q for q in state.questions if rubrics[q.rubric].kind not in EXERCISES)
    return ledger([turn for question in told for turn in question.turns])


def open_sums(state: SessionState, rubrics: Mapping[str, Rubric]) -> tuple[str, ...]:
    """Sentences on numbers that cannot be true together, not yet put to the candidate.

    Something said on the open question must be among the numbers, so that nobody is challenged out
    of the blue.
    """
    question = state.question
    if question is None or sum(bool(move.sum) for move in question.moves) >= SUMS_PER_QUESTION:
        return ()
    here = {turn.number for turn in question.turns}
    put = {move.sum for each in state.questions for move in each.moves}
    return tuple(
        contradiction.sentence
        for contradiction in session_ledger(state, rubrics).contradictions
        if contradiction.sentence not in put
        and any(claim.turn in here for claim in contradiction.claims)
    )
