"""What happens next: the step that is due, the next question and its difficulty. All pure.

Which follow-up is asked is up to :mod:`interviewer.interview.follow_up`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from interviewer.grading.score import credit
from interviewer.grading.transcript import TurnKind
from interviewer.interview.events import RoundOutline
from interviewer.interview.state import QuestionState, RoundState, SessionState
from interviewer.rubric.rubric import Rubric, Verdict


class Step(Enum):
    """What the conductor does next."""

    START_ROUND = auto()
    POSE_QUESTION = auto()
    AWAIT_CANDIDATE = auto()
    SETTLE = auto()
    """Wait for the second look at verdicts in doubt."""
    LISTEN = auto()
    """Judge the answer and, at the same time, think about what to say next."""
    RESPOND = auto()
    AWAIT_REMEDY = auto()
    """A step failed: retry, go on offline, or pause."""
    CLOSE_FOR_TIME = auto()
    GRADE = auto()
    END_ROUND = auto()
    FINISH = auto()
    DONE = auto()


def next_step(state: SessionState) -> Step:
    """The step that is due; DONE once the session is finished or paused."""
    if state.finished or state.paused:
        return Step.DONE
    if state.failure:
        return Step.AWAIT_REMEDY
    if question := state.question:
        return _within(question, time_up=bool(state.round and state.round.time_up))
    if running := state.round:
        is_over = running.time_up or next_question(state) is None
        return Step.END_ROUND if is_over else Step.POSE_QUESTION
    if state.ending or len(state.rounds) >= len(state.outline):
        return Step.FINISH
    return Step.START_ROUND


def break_due(state: SessionState) -> bool:
    """Something has just ended that the candidate should take in before the next begins.

    That is a graded question in practice, and, if another round follows, one whose time was up or
    after which it may be left for another day.
    """
    if running := state.round:
        graded = bool(running.questions) and state.question is None
        return state.mode == "practice" and graded
    another = bool(state.rounds) and not state.ending and len(state.rounds) < len(state.outline)
    return another and (state.rounds[-1].ended == "time_up" or bool(round_that_may_wait(state)))


def round_that_may_wait(state: SessionState) -> int:
    """The number of the next round if it may be held another day, 0 if not or within a round."""
    is_between = state.round is None and 0 < len(state.rounds) < len(state.outline)
    return len(state.rounds) + 1 if is_between and state.rounds[-1].outline.rests else 0


def may_retry(state: SessionState) -> bool:
    """The question just graded can be asked again."""
    running = state.round
    return state.mode == "practice" and bool(running and not running.time_up)


def point_to_drill(state: SessionState, rubrics: Mapping[str, Rubric]) -> str:
    """The costliest criterion not met yet on the question just graded, "" for none.

    Of equals a must-have comes first, then the rubric's order. The latest try at each counts.
    """
    if not may_retry(state) or state.question or not state.rounds[-1].questions:
        return ""
    rubric = rubrics[state.rounds[-1].questions[-1].rubric]
    tries = [q.grade for q in state.rounds[-1].questions if q.rubric == rubric.id and q.grade]
    latest = {verdict.criterion: verdict for grade in tries for verdict in grade.verdicts}
    missed = [
        criterion
        for criterion in rubric.criteria
        if criterion.id in latest and latest[criterion.id].verdict is not Verdict.MET
    ]
    lost = {each.id: each.weight * (1 - credit(latest[each.id])) for each in missed}
    return max(missed, key=lambda each: (lost[each.id], each.must_have)).id if missed else ""


def questions_of(running: RoundState, *coming: str) -> int:
    """How many questions the round has, with these rubrics asked next; each further try counts."""
    asked = [*(question.rubric for question in running.questions), *coming]
    return running.outline.count + len(asked) - len(set(asked))


def _asked(running: RoundState) -> frozenset[str]:
    """The rubrics asked so far: one tried again counts once."""
    return frozenset(question.rubric for question in running.questions)


def _within(question: QuestionState, *, time_up: bool) -> Step:
    last = question.last_words
    if question.closed:
        return Step.SETTLE if question.doubts else Step.GRADE
    if question.unjudged_answer:
        return Step.LISTEN
    if time_up:
        return Step.CLOSE_FOR_TIME
    if question.hint_requested or last.kind is TurnKind.TELL:
        return Step.RESPOND
    if last.author == "candidate":
        return Step.RESPOND if question.was_heard else Step.LISTEN
    return Step.AWAIT_CANDIDATE


HARDER_FROM = 3
"""From this band on, the next question is one level harder."""
EASIER_TO = 1
"""Up to this band, it is one level easier."""


WELL_ENOUGH = 2
"""From this band on, a question that builds on this one is asked."""


def next_question(state: SessionState) -> str | None:
    """The rubric to ask next in the running round, None if it has no question left.

    Without adaptive difficulty it is the next in the list, unless the question that it builds on
    was answered poorly. With it, it is one of the current level, or of the nearest level with a
    question left, the easier of two.
    """
    running = state.rounds[-1]
    asked = _asked(running)
    outline = running.outline
    if len(asked) >= outline.count:
        return None
    if not outline.rungs:
        out = _ruled_out(running)
        return next((r for r in outline.questions if r not in asked and r not in out), None)
    here = level_of(state)
    nearest = sorted(range(len(outline.rungs)), key=lambda level: (abs(level - here), level))
    left = (r for level in nearest for r in outline.rungs[level] if r not in asked)
    return next(left, None)


def _ruled_out(running: RoundState) -> frozenset[str]:
    """The rubrics that build on one answered poorly; what could not be graded rules out nothing."""
    grades = {q.rubric: q.grade for q in running.questions if q.grade and not q.point}
    bands = {rubric: grade.band for rubric, grade in grades.items() if grade.band is not None}
    return frozenset(
        rubric
        for rubric, before in running.outline.links
        if bands.get(before, WELL_ENOUGH) < WELL_ENOUGH
    )


def level_of(state: SessionState) -> int:
    """The running round's level of difficulty, from 0, after the questions graded so far.

    A later round starts one level below where the previous adaptive round ended, but not below its
    own start: another subject, but the same candidate.
    """
    level: int | None = None
    for each in state.rounds:
        if each.outline.rungs:
            level = _level_after(each, _first_level(each.outline, level))
    return level or 0


def adapted(level: int, levels: int, band: int | None) -> int:
    """The level after an answer of this band; None (not graded) changes nothing."""
    if band is None:
        return level
    step = int(band >= HARDER_FROM) - int(band <= EASIER_TO)
    return min(max(level + step, 0), levels - 1)


def _first_level(outline: RoundOutline, left_at: int | None) -> int:
    carried = outline.start if left_at is None else max(outline.start, left_at - 1)
    return min(carried, len(outline.rungs) - 1)


def _level_after(running: RoundState, level: int) -> int:
    for question in running.questions:
        if question.grade and not question.point:
            level = adapted(level, len(running.outline.rungs), question.grade.band)
    return level
