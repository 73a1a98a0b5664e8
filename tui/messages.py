"""What the bridge and the screens tell each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:
    from interviewer.interview.events import Event
    from interviewer.interview.interview import Interview
    from interviewer.interview.plan import Plan
    from interviewer.interview.state import SessionState
    from interviewer.rubric.library import Library
    from interviewer.store.records import SessionRow
    from tui.engine import Choice, Session

Place = Literal["setup", "sessions", "rubrics"]


@dataclass
class Go(Message):
    """Open this screen."""

    place: Place


@dataclass
class BeginMock(Message):
    """Start a new session as chosen."""

    choice: Choice


@dataclass
class ResumeSession(Message):
    """Go on with a session."""

    session_id: str


@dataclass
class ReadDebrief(Message):
    """Show the grades of a finished session, on top of the screen that asks or instead of it."""

    session_id: str
    instead: bool = False


@dataclass
class ReadTranscript(Message):
    """Show a session turn by turn, from ``turn`` if given."""

    session_id: str
    turn: int | None = None


@dataclass
class LoadFailed(Message):
    """A read did not work; the sentence says why and how to mend it."""

    sentence: str


@dataclass
class LibraryLoaded(Message):
    library: Library


@dataclass
class PlansLoaded(Message):
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
    session_id: str


@dataclass
class SessionRead(Message):
    session: Session


@dataclass
class Opened(Message):
    """The interview is at hand, its events follow; ``past`` is the state before them."""

    interview: Interview
    past: SessionState
    draft: str


@dataclass
class Told(Message):
    """An event of the interview, other than a piece of a reply."""

    event: Event


@dataclass
class ReplyGrew(Message):
    """More of what the examiner is saying."""

    text: str


@dataclass
class DraftSaved(Message):
    """What was typed is on disk."""

    text: str


@dataclass
class DraftNotSaved(Message):
    """What was typed is only on the screen."""

    sentence: str


@dataclass
class Broken(Message):
    """The interview cannot go on from here without opening the session again."""

    sentence: str
