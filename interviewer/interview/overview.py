"""What candidates may know about where they stand while they answer; no verdict is among it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interviewer.grading.claims.quantity import Quantity
from interviewer.grading.score import price_of_hint
from interviewer.grading.transcript import TurnKind
from interviewer.interview.examining import caps_of
from interviewer.interview.numbers import session_ledger
from interviewer.interview.situation import Situation
from interviewer.interview.state import SessionState, rubric_of
from interviewer.rubric.rubric import Rubric


@dataclass(frozen=True)
class Overview:
    """The open question's. ``hint_price`` is None if no hint can be had now.

    ``has_hints``: the question came with some, used up or not.
    """

    follow_ups_left: int
    hint_price: float | None
    has_hints: bool
    numbers: tuple[Quantity, ...]
    """Every figure of the session that may be struck or corrected, oldest first."""


def overview(state: SessionState, rubrics: Mapping[str, Rubric]) -> Overview | None:
    """Where the candidate stands, None without an open question. It reads all answers so far."""
    question, running = state.question, state.round
    if question is None or running is None:
        return None
    caps, rubric = caps_of(running), rubric_of(question, rubrics)
    hint = Situation(question, rubric, caps).hint
    return Overview(
        follow_ups_left=max(0, caps.follow_ups - question.follow_ups_used),
        hint_price=price_of_hint(hint.hint_level) if hint else None,
        has_hints=rubric.has_hints,
        numbers=session_ledger(state, rubrics).quantities,
    )


def answers(state: SessionState) -> tuple[str, ...]:
    """Everything the candidate answered in words, oldest first."""
    return tuple(
        turn.text
        for question in state.questions
        for turn in question.turns
        if turn.author == "candidate" and turn.kind is not TurnKind.BENCH and turn.run is None
    )
