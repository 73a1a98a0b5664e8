"""The messages of the screens: where to go next, and what the engine has loaded for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from textual.message import Message

if TYPE_CHECKING:
    from pathlib import Path

    from interviewer.content.collection import Collection, Named
    from interviewer.diagnosis import Check
    from interviewer.interview.debrief import Debrief
    from interviewer.interview.journal import Replay
    from interviewer.interview.plans import Plan
    from interviewer.practice.progress import Progress
    from interviewer.store.records import Position, SessionPage

Place = Literal["setup", "sessions", "questions", "bench", "settings", "doctor", "keys"]
ListPart = Literal["first", "last", "above", "below", "again"]
"""The ends of a long list, what comes before and after the rows there are, or those once more."""
S = TypeVar("S", bound="Named")
M = TypeVar("M")


@dataclass(frozen=True)
class Choice:
    """The setup of a new mock. ``project``: notes, or the path to their file; "" for none."""

    plan: Plan
    length: Literal["quick", "standard", "extended"]
    examiner: str
    mode: Literal["exam", "practice"]
    project: str


@dataclass(frozen=True)
class Session:
    """A stored session; ``debrief`` is None while its grades are still hidden.

    ``spent`` is what models took for it, in words, "" where no tokens are known of.
    """

    replay: Replay
    debrief: Debrief | None
    spent: str = ""


# -- where to go ------------------------------------------------------------------------


@dataclass
class Go(Message):
    """Open this screen."""

    place: Place


@dataclass
class HelpWanted(Message):
    """Show the keys of the dialogue that is open."""


@dataclass
class BeginMock(Message):
    """Start a new session, on top of the current screen or ``instead`` of it."""

    choice: Choice
    instead: bool = False


@dataclass
class ResumeSession(Message):
    """Continue a session."""

    session_id: str


@dataclass
class ReadDebrief(Message):
    """Show a finished session's grades, on top of the current screen or ``instead`` of it."""

    session_id: str
    instead: bool = False


@dataclass
class ReadTranscript(Message):
    """Show a session turn by turn, scrolled to ``turn`` if given."""

    session_id: str
    turn: int | None = None


@dataclass
class KeepSettings(Message):
    """Save these in the user's config file, and use them from now on."""

    changes: Mapping[str, str | float | bool | None]


# -- what was loaded --------------------------------------------------------------------


@dataclass
class LoadFailed(Message):
    """Loading failed; the sentence says why and how to fix it."""

    sentence: str


@dataclass
class CollectionLoaded(Message, Generic[S, M]):
    """The rubrics or the challenges."""

    collection: Collection[S, M]


@dataclass
class PlansLoaded(Message):
    """The plans, and a sentence for each file that cannot be used."""

    plans: tuple[Plan, ...]
    problems: tuple[str, ...]


@dataclass
class Checked(Message):
    """One thing was checked on this machine or at the endpoint."""

    check: Check


class KeySaved(Message):
    """The keyring has the key."""


class ChecksDone(Message):
    """Nothing more is checked."""


@dataclass
class ModelsListed(Message):
    """The models that the endpoint offers."""

    names: tuple[str, ...]


@dataclass
class QuestionsOffered(Message):
    """What can be asked without a plan file: plans made of it, and what to choose one from."""

    plans: Mapping[str, Plan]
    choices: Callable[[str], Sequence[tuple[str, str]]]
    """For "question" or "topic", the ids to choose from, each with a label."""
    pick: Callable[[str, str], Plan]
    """The plan for one of these ids."""


@dataclass
class SessionsLoaded(Message):
    """A page of the session list, which part of it that is, and next to which place."""

    page: SessionPage
    part: ListPart
    than: Position | None


@dataclass
class SessionsCounted(Message):
    """How many sessions are stored."""

    total: int


@dataclass
class DeleteSession(Message):
    """Delete the session, after this question."""

    session_id: str
    question: str


@dataclass
class SessionDeleted(Message):
    """The session is gone for good."""


@dataclass
class ProgressRead(Message):
    """What past sessions show."""

    progress: Progress


@dataclass
class Ticked(Message):
    """What is ticked off in a session's study list."""

    keys: frozenset[str]


@dataclass
class PointSettled(Message):
    """The candidate's own verdict on a point is kept."""

    session: Session


@dataclass
class Exported(Message):
    """A session was written to this file."""

    path: Path


@dataclass
class SessionRead(Message):
    """A session, for its debrief or transcript, and what is ticked off in its study list."""

    session: Session
    ticked: frozenset[str] = frozenset()
