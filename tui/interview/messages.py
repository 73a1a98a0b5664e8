"""What an interview that is going on tells its screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:
    from interviewer.interview.events import Event
    from interviewer.interview.interview import Interview
    from interviewer.interview.state import SessionState

Slot = Literal["answer", "bench"]
"""The two places where something is written."""


@dataclass
class Opened(Message):
    """The interview is at hand, its events follow; ``past`` is the state before them."""

    interview: Interview
    past: SessionState
    draft: str
    bench_draft: str


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
    slot: Slot


@dataclass
class DraftNotSaved(Message):
    """What was typed is only on the screen."""

    sentence: str
    slot: Slot


@dataclass
class Broken(Message):
    """The interview cannot go on from here without opening the session again."""

    sentence: str
