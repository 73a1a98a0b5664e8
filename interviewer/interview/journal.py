"""Persistence: what each event writes, and how a stored session is read back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import get_args

from pydantic import ValidationError

from interviewer.errors import StoreError
from interviewer.examiner.protocol import Examiner
from interviewer.interview.events import (
    AnswerGiven,
    BenchRan,
    ExaminerChanged,
    FollowUpAsked,
    HintGiven,
    JournalEvent,
    Paused,
    QuestionAsked,
    QuestionClosed,
    Resumed,
    RoundEnded,
    RoundStarted,
    SessionEnded,
    from_json,
    to_json,
)
from interviewer.interview.state import SessionState, replay
from interviewer.rubric.library import load_snapshot
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenges.challenge import Challenge
from interviewer.store.records import (
    Commit,
    Draft,
    Entry,
    NewSession,
    Pane,
    Progress,
    SessionRow,
    TurnRecord,
)
from interviewer.store.store import Store


def commit_for(event: JournalEvent, after: SessionState, at: datetime, elapsed: float) -> Commit:
    """The rows of one event. ``after`` is the state with the event applied."""
    spoken = isinstance(event, QuestionAsked | AnswerGiven | BenchRan | FollowUpAsked | HintGiven)
    return Commit(
        Entry(event.event, to_json(event), at, elapsed),
        turn=_latest_turn(after, at) if spoken else None,
        progress=_progress(event),
        clear_drafts=_settled(event),
    )


def _settled(event: JournalEvent) -> frozenset[Pane]:
    """The panes whose drafts were sent with the event, or belong to a question that is over."""
    match event:
        case AnswerGiven(cut_off=True):
            return frozenset({"answer", "bench"})
        case AnswerGiven():
            return frozenset({"answer"} if event.bench is None else {"bench"})
        case QuestionClosed():
            return frozenset({"bench"})
        case _:
            return frozenset()


def _progress(event: JournalEvent) -> Progress:
    match event:
        case RoundStarted():
            return Progress(status="open", round=event.round, question=0, headline=event.title)
        case QuestionAsked():
            return Progress(status="open", question=event.question, headline=event.title)
        case RoundEnded():
            return Progress(finished_rounds=event.round)
        case Paused():
            return Progress(status="paused")
        case Resumed() | ExaminerChanged():
            return Progress(status="open", examiner=event.examiner)
        case SessionEnded():
            return Progress(status="finished", band=event.band)
        case _:
            return Progress()


def _latest_turn(after: SessionState, at: datetime) -> TurnRecord:
    question = after.rounds[-1].questions[-1]
    turn = question.last_turn
    return TurnRecord(
        number=turn.number,
        round=question.round,
        question=question.number,
        author=turn.author,
        kind=turn.kind.value,
        text=turn.text,
        at=at,
    )


def utc_now() -> datetime:
    """The current time in UTC, timezone-aware."""
    return datetime.now(UTC)


class Journal:
    """Writes one session. Raises the store's own errors (StoreError)."""

    def __init__(
        self, store: Store, session_id: str, now: Callable[[], datetime] = utc_now
    ) -> None:
        self._store = store
        self.session_id = session_id
        self._now = now

    async def begin(self, session: NewSession, event: JournalEvent, after: SessionState) -> None:
        """Create the session with its first event."""
        first = commit_for(event, after, self._now(), 0.0)
        await asyncio.to_thread(self._store.create_session, session, first)

    async def commit(self, event: JournalEvent, after: SessionState, elapsed: float) -> None:
        """Write the event; it is on disk on return."""
        commit = commit_for(event, after, self._now(), elapsed)
        await asyncio.to_thread(self._store.append, self.session_id, commit)

    @asynccontextmanager
    async def recording_calls(self, examiner: Examiner) -> AsyncIterator[None]:
        """Record the examiner's model calls meanwhile, also those that fail."""
        try:
            yield
        finally:
            if calls := [asdict(call) for call in examiner.drain_calls()]:
                log = self._store.log_calls
                await asyncio.to_thread(log, self.session_id, self._now(), calls)

    def save_draft(self, text: str, pane: Pane, elapsed: float) -> None:
        """Keep what is being typed in a pane, with the round's clock in seconds."""
        self._store.save_draft(self.session_id, pane, Draft(text, self._now(), elapsed))

    def drafts(self) -> Mapping[Pane, str]:
        """What was typed in each pane and not yet sent, "" if nothing."""
        kept = self._store.drafts(self.session_id)
        return {pane: kept[pane].text if pane in kept else "" for pane in get_args(Pane)}


@dataclass(frozen=True)
class Recorded:
    """A journal event with its time and the round's clock in seconds."""

    event: JournalEvent
    at: datetime
    elapsed: float


@dataclass(frozen=True)
class Replay:
    """A session as stored; ``times`` is when each turn was said, by its number."""

    session: SessionRow
    state: SessionState
    rubrics: Mapping[str, Rubric]
    journal: tuple[Recorded, ...]
    times: Mapping[int, datetime]
    challenges: Mapping[str, Challenge] = field(default_factory=dict)
    """Its questions' challenges as they were when it began, by id."""

    @property
    def elapsed(self) -> float:
        """The clock of the latest round in seconds, according to the journal."""
        return self.journal[-1].elapsed if self.journal else 0.0


def load(store: Store, session: str) -> Replay:
    """Read a session by id or unique prefix.

    Raises UnknownNameError if there is none, StoreError or RubricFileError if its journal or a
    rubric stored with it is damaged.
    """
    row = store.history.session(session)
    try:
        journal = tuple(
            Recorded(from_json(entry.payload), entry.at, entry.elapsed)
            for entry in store.entries(row.id)
        )
        rubrics = {id_: load_snapshot(r) for id_, r in store.rubrics(row.id).items()}
    except ValidationError as error:
        first = error.errors()[0]
        raise StoreError(
            f"Session {row.id} cannot be read: its journal is damaged ({first['msg']}). "
            "Other sessions are not affected."
        ) from error
    return Replay(
        session=row,
        state=replay((recorded.event, recorded.elapsed) for recorded in journal),
        rubrics=rubrics,
        journal=journal,
        challenges=dict(_challenges(store, row.id)),
        times={turn.number: turn.at for turn in store.turns(row.id)},
    )


def _challenges(store: Store, session: str) -> Iterator[tuple[str, Challenge]]:
    """Those that can be read; the results of runs are in the journal."""
    for id_, body in store.challenges(session).items():
        with suppress(ValidationError):
            yield id_, Challenge.model_validate(body)
