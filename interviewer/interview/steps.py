"""What has to happen now, read off the state alone.

Starting, going on, retrying and resuming after a crash all ask the same question of the same
state, so a session continues at the very step where it stopped.
"""

from __future__ import annotations

from enum import Enum, auto

from interviewer.grading.transcript import TurnKind
from interviewer.interview.state import QuestionState, SessionState


class Step(Enum):
    """The conductor's next deed."""

    START_ROUND = auto()
    POSE_QUESTION = auto()
    LISTEN = auto()
    JUDGE = auto()
    RESPOND = auto()
    AWAIT_REMEDY = auto()
    """A step failed: retry, go on offline, or pause."""
    CLOSE_FOR_TIME = auto()
    GRADE = auto()
    END_ROUND = auto()
    FINISH = auto()
    DONE = auto()


def next_step(state: SessionState) -> Step:
    """The step that the state calls for; DONE once the session is finished or paused."""
    if state.finished or state.paused:
        return Step.DONE
    if state.failure:
        return Step.AWAIT_REMEDY
    if question := state.question:
        return _within(question, time_up=bool(state.round and state.round.time_up))
    if running := state.round:
        asked_all = len(running.questions) >= running.outline.count
        return Step.END_ROUND if asked_all or running.time_up else Step.POSE_QUESTION
    if state.ending or len(state.rounds) >= len(state.outline):
        return Step.FINISH
    return Step.START_ROUND


def _within(question: QuestionState, *, time_up: bool) -> Step:
    if question.closed:
        return Step.GRADE
    if question.unjudged_answer:
        return Step.JUDGE
    if time_up:
        return Step.CLOSE_FOR_TIME
    last = question.last_words
    if question.hint_requested or last.author == "candidate" or last.kind is TurnKind.TELL:
        return Step.RESPOND
    return Step.LISTEN
