"""The door between a running interview and the store, off the event loop's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from interviewer.examiner.protocol import ModelCall
from interviewer.interview.events import JournalEvent
from interviewer.interview.recording import commit_for
from interviewer.interview.state import SessionState
from interviewer.store.records import CallRecord, NewSession
from interviewer.store.store import Store


def utc_now() -> datetime:
    """The wall clock, timezone-aware."""
    return datetime.now(UTC)


class Journal:
    """Writes one session. All errors are the store's own (StoreError)."""

    def __init__(
        self, store: Store, session_id: str, now: Callable[[], datetime] = utc_now
    ) -> None:
        self._store = store
        self.session_id = session_id
        self._now = now

    async def begin(self, session: NewSession, event: JournalEvent, after: SessionState) -> None:
        """Create the session together with its first event."""
        first = commit_for(event, after, self._now(), 0.0)
        await asyncio.to_thread(self._store.create_session, session, first)

    async def commit(self, event: JournalEvent, after: SessionState, elapsed: float) -> None:
        """Put the event on disk; returns once it is there."""
        commit = commit_for(event, after, self._now(), elapsed)
        await asyncio.to_thread(self._store.append, self.session_id, commit)

    async def log_calls(self, calls: Sequence[ModelCall]) -> None:
        """Put model calls on record; nothing is written when there were none."""
        if calls:
            at = self._now()
            records = [CallRecord(at=at, **asdict(call)) for call in calls]
            await asyncio.to_thread(self._store.log_calls, self.session_id, records)

    def save_draft(self, text: str, elapsed: float) -> None:
        """Keep what is being typed, with the round's clock in seconds."""
        self._store.save_draft(self.session_id, text, self._now(), elapsed)

    def save_bench_draft(self, text: str, elapsed: float) -> None:
        """The same for what is being typed at the bench."""
        self._store.save_bench_draft(self.session_id, text, self._now(), elapsed)

    def bench_draft(self) -> str:
        """What was typed at the bench on this question and not handed in, "" if nothing."""
        draft = self._store.bench_draft(self.session_id)
        return draft.text if draft else ""

    def draft(self) -> str:
        """What was typed and not sent, "" if nothing."""
        draft = self._store.draft(self.session_id)
        return draft.text if draft else ""
