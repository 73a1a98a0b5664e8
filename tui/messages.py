"""What screens exchange with the app: a choice for a new mock, where to go, what was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual.message import Message

from interviewer.interview.debrief import Debrief
from interviewer.interview.journal import Replay

if TYPE_CHECKING:
    from interviewer.interview.plans import Plan
    from interviewer.rubric.library import Library
    from interviewer.store.records import SessionRow


@dataclass(frozen=True)
class Session:
    """A whole session as read back; ``debrief`` is None while the grades may not be seen."""

    replay: Replay
    debrief: Debrief | None


@dataclass(frozen=True)
class Choice:
    """A plan and how to hold it."""

    plan: Plan
    length: Literal["quick", "standard", "extended"]
    examiner: str
    mode: Literal["exam", "practice"]
    project: str
    """Notes on the candidate's own project, or the path of their file; "" for none."""


@dataclass
class LoadFailed(Message):
    """A read did not work; the sentence says why and how to mend it."""

    sentence: str


@dataclass
class LibraryLoaded(Message):
    """The rubrics at hand."""

    library: Library


@dataclass
class PlansLoaded(Message):
    """The plans at hand, and a sentence for each file that cannot be used."""

    plans: tuple[Plan, ...]
    problems: tuple[str, ...]


@dataclass
class SessionsLoaded(Message):
    """A stretch of the session list, newest first, beginning at row ``offset``."""

    rows: tuple[SessionRow, ...]
    offset: int
    total: int


@dataclass
class SessionDeleted(Message):
    """It is gone for good."""

    session_id: str


@dataclass
class SessionRead(Message):
    """A session, for its debrief or its transcript."""

    session: Session
