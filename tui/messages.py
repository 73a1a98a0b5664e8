"""Where to go next, as messages to the app, and the values that go with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:
    from interviewer.interview.debrief import Debrief
    from interviewer.interview.debrief.questions import QuestionDebrief
    from interviewer.interview.journal import Replay
    from interviewer.interview.plans import Plan

Place = Literal[
    "setup",
    "sessions",
    "questions",
    "bench",
    "settings",
    "debrief",
    "transcript",
    "side_by_side",
    "plan_editor",
]


@dataclass(frozen=True)
class Choice:
    """The setup of a new mock. ``project``: notes, or the path to their file; "" for none."""

    plan: Plan
    mode: Literal["exam", "practice"] = "exam"
    length: Literal["quick", "standard", "extended"] = "standard"
    examiner: str = ""
    """Its kind; "" for the one that the settings choose."""
    project: str = ""


@dataclass(frozen=True)
class Session:
    """A stored session; ``debrief`` is None while its grades are still hidden.

    ``spent`` is what models took for it, in words, "" where no tokens are known of.
    """

    replay: Replay
    debrief: Debrief | None
    spent: str = ""


@dataclass(frozen=True)
class Grading:
    """A question as it was graded once in this session; ``name`` says which time, and by whom."""

    name: str
    session: str
    question: QuestionDebrief


@dataclass
class Go(Message):
    """Open this screen on top of the current one or ``instead`` of it; ``about`` is for it."""

    place: Place
    about: tuple[object, ...] = ()
    instead: bool = False


@dataclass
class BeginMock(Message):
    """Start the session that this chooses, on top of the current screen or ``instead`` of it."""

    choose: Callable[[], Choice]
    """Called in a thread; may raise InterviewerError."""
    instead: bool = False


@dataclass
class ResumeSession(Message):
    session_id: str
