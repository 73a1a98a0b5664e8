"""Where a screen asks the app to go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:
    from tui.messages import Choice

Place = Literal["setup", "sessions", "rubrics", "bench"]


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
