"""The values that go into and come out of the store; no ORM object leaves the package."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from interviewer.grading.agreement import ExamResult

SessionStatus = Literal["open", "paused", "finished"]
"""``open``: begun and neither paused nor finished; also what a crash leaves behind."""


@dataclass(frozen=True)
class NewSession:
    """A session to create. ``rubrics`` are the full snapshots (JSON values) by rubric id."""

    id: str
    plan: str
    plan_title: str
    mode: str
    examiner: str
    created_at: datetime
    rubrics: dict[str, dict[str, Any]]
    rounds: tuple[NewRound, ...]
    challenges: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The full snapshots of the challenges that its rubrics name, by id."""


@dataclass(frozen=True)
class NewRound:
    """A planned round, numbered from 1."""

    number: int
    title: str
    seconds: int
    questions: int


@dataclass(frozen=True)
class Entry:
    """A journal row to append. ``elapsed`` is the round's clock in seconds at that moment."""

    kind: str
    payload: dict[str, Any]
    at: datetime
    elapsed: float


@dataclass(frozen=True)
class StoredEntry:
    """A journal row as read back; ``seq`` counts from 1 within the session without gaps."""

    seq: int
    kind: str
    payload: dict[str, Any]
    at: datetime
    elapsed: float


@dataclass(frozen=True)
class TurnRecord:
    """One utterance; ``number`` counts all turns of the session from 1."""

    number: int
    round: int
    question: int
    author: str
    kind: str
    text: str
    at: datetime


@dataclass(frozen=True)
class VerdictRecord:
    """A checked verdict. ``answer_turn`` is the turn that was judged, ``turn`` the one quoted."""

    answer_turn: int
    rubric: str
    criterion: str
    verdict: str
    evidence: str
    turn: int | None
    span_start: int | None
    span_end: int | None
    source: str
    missing: str
    unsupported: str
    examiner: str


@dataclass(frozen=True)
class GradeRecord:
    """A question's grade; scores are None where nothing could be judged."""

    round: int
    question: int
    rubric: str
    rubric_version: int
    examiner: str
    first: float | None
    unassisted: float | None
    final: float | None
    band: int | None
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Progress:
    """Where a session stands; None leaves a value as it is."""

    status: SessionStatus | None = None
    round: int | None = None
    question: int | None = None
    headline: str | None = None
    """The question now open, for lists."""
    band: float | None = None
    examiner: str | None = None
    finished_rounds: int | None = None


@dataclass(frozen=True)
class Commit:
    """All that one event writes, in one transaction."""

    entry: Entry
    turn: TurnRecord | None = None
    verdicts: tuple[VerdictRecord, ...] = ()
    grade: GradeRecord | None = None
    progress: Progress = field(default_factory=Progress)
    clear_draft: bool = False
    clear_bench_draft: bool = False


@dataclass(frozen=True)
class Draft:
    """What was typed and not yet sent, with the round's clock at the last save."""

    text: str
    saved_at: datetime
    elapsed: float


@dataclass(frozen=True)
class CallRecord:
    """One model call, for the log and for counting cost. Never holds a key."""

    at: datetime
    stage: str
    prompt_version: str
    model: str
    outcome: str
    milliseconds: int
    first_token_milliseconds: int | None
    prompt_tokens: int | None
    cached_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    detail: str


@dataclass(frozen=True)
class ExamRecord:
    """An exam that was taken; ``rubrics_sha256`` is the digest of the rubrics it was taken on."""

    result: ExamResult
    rubrics_sha256: str
    report: dict[str, Any]


@dataclass(frozen=True)
class RegradeRecord:
    """A session graded again. ``number`` counts from 1; ``grades`` is the caller's own JSON."""

    number: int
    at: datetime
    examiner: str
    version: str
    grades: dict[str, Any]


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
    round: int
    rounds: int
    finished_rounds: int
    question: int
    headline: str
    band: float | None
    has_draft: bool
