"""The values that go into and come out of the store; no ORM object leaves the package."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

SessionStatus = Literal["open", "paused", "finished"]
"""``open``: begun and neither paused nor finished, which is also what a crash leaves behind."""
Pane = Literal["answer", "bench", "notes"]
"""Where something is typed: each pane has a draft of its own."""
Position = tuple[datetime, str]
"""Where a session stands in the list: when it was last used and, among equals, its id."""


@dataclass(frozen=True)
class NewSession:
    """A session to create; ``rounds`` is how many its plan has."""

    id: str
    plan: str
    plan_title: str
    mode: str
    examiner: str
    created_at: datetime
    rounds: int
    rubrics: dict[str, dict[str, Any]]
    """Full snapshots (JSON values) of the rubrics it asks, by id."""
    challenges: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Full snapshots of the challenges that its rubrics name, by id."""


@dataclass(frozen=True)
class JournalEntry:
    """A journal entry. ``elapsed`` is the round's clock in seconds."""

    kind: str
    payload: dict[str, Any]
    at: datetime
    elapsed: float


@dataclass(frozen=True)
class TurnRecord:
    """An utterance; ``number`` counts all turns of the session from 1."""

    number: int
    round: int
    question: int
    author: str
    kind: str
    text: str
    at: datetime


@dataclass(frozen=True)
class SessionProgress:
    """What changes in the session's row; None leaves a value unchanged."""

    status: SessionStatus | None = None
    round: int | None = None
    question: int | None = None
    headline: str | None = None
    """The open question, for lists."""
    band: float | None = None
    examiner: str | None = None
    finished_rounds: int | None = None
    holder: str | None = None
    """The process that goes on with the session, "" for none."""


@dataclass(frozen=True)
class Commit:
    """All that one event writes, in one transaction."""

    entry: JournalEntry
    turn: TurnRecord | None = None
    progress: SessionProgress = field(default_factory=SessionProgress)
    clear_drafts: frozenset[Pane] = frozenset()


@dataclass(frozen=True)
class Draft:
    """What was typed and not yet sent; ``elapsed`` is the round's clock when it was saved."""

    text: str
    saved_at: datetime
    elapsed: float


@dataclass(frozen=True)
class RegradeRecord:
    """A session's grades when judged again. ``number`` counts from 1; ``grades`` is JSON."""

    number: int
    at: datetime
    examiner: str
    version: str
    grades: dict[str, Any]


@dataclass(frozen=True)
class SpentRow:
    """The calls to one model in a session, with the tokens that were counted."""

    model: str
    calls: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int


@dataclass(frozen=True)
class SessionRow:
    """A line of the session list."""

    id: str
    plan: str
    plan_title: str
    mode: str
    examiner: str
    status: SessionStatus
    created_at: datetime
    updated_at: datetime
    """The time of the latest journal entry."""
    round: int
    rounds: int
    finished_rounds: int
    question: int
    headline: str
    band: float | None
    holder: str
    """The process that began or resumed it and has not left it since, "" for none."""
    name: str
    """What the candidate calls it, "" for the title of its plan."""
    tags: tuple[str, ...]
    has_draft: bool
    """Whether an answer was typed and not yet sent."""

    @property
    def title(self) -> str:
        return self.name or self.plan_title

    @property
    def place(self) -> Position:
        return self.updated_at, self.id


Order = Literal["latest", "oldest", "weakest", "best"]


@dataclass(frozen=True)
class SessionFilter:
    """Which sessions to list; each field that is empty lets all through.

    ``rubrics``: one of them is in it. ``bands``: the least band, and the one it stays below.
    """

    plan: str = ""
    rubrics: tuple[str, ...] = ()
    bands: tuple[float, float] | None = None
    finished: bool | None = None
    since: datetime | None = None
    tag: str = ""
    order: Order = "latest"
