"""One challenge worked on by oneself: its draft on disk, its checks, the bench warmed for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from interviewer.errors import InterviewerError, StoreError
from tui.bench.messages import BenchReady, Checked, CheckEnded, DraftKept, DraftRead
from tui.defects import defect

if TYPE_CHECKING:
    from textual.timer import Timer
    from textual.widget import Widget

    from interviewer.interview.bench_session import Bench
    from interviewer.sandbox.challenges.challenge import Challenge
    from tui.engine import Engine

SAVE_AFTER = 0.4
"""Seconds from the first unsaved key to the save, so at most this much typing can be lost."""


class Desk:
    """What comes of it is posted to ``owner``; the bridge makes workers of its coroutines."""

    def __init__(self, engine: Engine, owner: Widget, challenge: Challenge) -> None:
        self._engine = engine
        self._owner = owner
        self._challenge = challenge
        self.bench: Bench | None = None
        self._draft: str | None = None
        self._timer: Timer | None = None

    async def open(self) -> None:
        """Read the draft, then warm the bench."""
        try:
            drafts = self._engine.bench_drafts()
            text = await asyncio.to_thread(drafts.read, self._challenge.id)
            self._owner.post_message(DraftRead(text))
        except StoreError as error:
            self._owner.post_message(CheckEnded(str(error)))
        try:
            self.bench = await asyncio.to_thread(self._engine.bench)
        except InterviewerError as error:
            self._owner.post_message(BenchReady("off", str(error)))
        else:
            await warm(self._owner, self.bench, self._challenge)

    async def check(self, source: str) -> None:
        """Check this text; cancelling the worker stops it."""
        try:
            bench = await asyncio.to_thread(self._engine.bench)
            result = await bench.check(self._challenge, source)
        except asyncio.CancelledError:
            self._owner.post_message(CheckEnded("Stopped; nothing was judged."))
            raise
        except InterviewerError as error:
            self._owner.post_message(CheckEnded(str(error)))
        except Exception as error:  # noqa: BLE001  becomes a message, see defect
            self._owner.post_message(CheckEnded(defect(error)))
        else:
            self._owner.post_message(Checked(source, result))
            self._owner.post_message(BenchReady(bench.tier, bench.about))

    def draft(self, text: str) -> None:
        """What the editor holds now; it is on disk within SAVE_AFTER."""
        self._draft = text
        if self._timer is None:
            self._timer = self._owner.set_timer(SAVE_AFTER, self.save_now)

    def save_now(self) -> str:
        """Write the draft if it is not on disk yet; the sentence of a failure, or ""."""
        if self._timer:
            self._timer.stop()
            self._timer = None
        if self._draft is None:
            return ""
        try:
            self._engine.bench_drafts().save(self._challenge.id, self._draft)
        except StoreError as error:
            self._owner.post_message(DraftKept(self._draft, str(error)))
            return str(error)
        self._owner.post_message(DraftKept(self._draft))
        self._draft = None
        return ""


async def warm(owner: Widget, bench: Bench, challenge: Challenge) -> None:
    """Have the bench ready for a challenge; when it is, or cannot be, ``owner`` is told."""
    try:
        await bench.prepare(challenge)
    except Exception as error:  # noqa: BLE001  becomes a message, see defect
        owner.post_message(BenchReady("off", defect(error)))
    else:
        owner.post_message(BenchReady(bench.tier, bench.about))
