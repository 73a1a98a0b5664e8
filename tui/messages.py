"""What a screen gets when something was read for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from interviewer.interview.plan import Plan
    from interviewer.rubric.library import Library
    from interviewer.store.records import SessionRow
    from tui.session import Session


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
