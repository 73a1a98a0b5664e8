"""Which question comes next: in a round with a ladder, the answers so far decide."""

from __future__ import annotations

from interviewer.interview.events import RoundOutline
from interviewer.interview.state import RoundState, SessionState

CLIMBS_FROM = 3
"""The band of an answer after which the next question is a rung harder."""
STEPS_BACK_AT = 1
"""The band, or below, after which it is a rung easier."""


def next_question(state: SessionState) -> str:
    """The rubric to ask next in the running round, which must have a question left.

    Without a ladder it is the next of the list. On a ladder it stands on the rung where the
    candidate is, or on the nearest one that has a question left, the easier of two.
    """
    running = state.rounds[-1]
    asked = {question.rubric for question in running.questions}
    outline = running.outline
    if not outline.rungs:
        return next(rubric for rubric in outline.questions if rubric not in asked)
    here = rung_of(state)
    nearest = sorted(range(len(outline.rungs)), key=lambda rung: (abs(rung - here), rung))
    left = (r for rung in nearest for r in outline.rungs[rung] if r not in asked)
    return next(left)


def rung_of(state: SessionState) -> int:
    """The rung, from 0, on which the running round stands after the questions graded so far.

    A later round starts one rung below the one where the ladder before was left, yet never below
    its own start: another subject, but the same candidate.
    """
    rung: int | None = None
    for each in state.rounds:
        if each.outline.rungs:
            rung = _climbed(each, _first_rung(each.outline, rung))
    return rung or 0


def climb(rung: int, rungs: int, band: int | None) -> int:
    """The rung after an answer of this band; None, an answer that was not graded, moves nothing."""
    if band is None:
        return rung
    step = int(band >= CLIMBS_FROM) - int(band <= STEPS_BACK_AT)
    return min(max(rung + step, 0), rungs - 1)


def _first_rung(outline: RoundOutline, left_at: int | None) -> int:
    carried = outline.start if left_at is None else max(outline.start, left_at - 1)
    return min(carried, len(outline.rungs) - 1)


def _climbed(running: RoundState, rung: int) -> int:
    for question in running.questions:
        if question.grade:
            rung = climb(rung, len(running.outline.rungs), question.grade.band)
    return rung
