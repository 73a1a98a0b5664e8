"""One interview as one stream of messages: commands and drafts go in, events come out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from interviewer.errors import InterviewerError, StoreError
from tui.defects import defect
from tui.interview.messages import (
    Broken,
    DraftNotSaved,
    DraftSaved,
    Opened,
    ReplyGrew,
    Slot,
    Told,
)

if TYPE_CHECKING:
    from textual.timer import Timer
    from textual.widget import Widget

    from interviewer.interview.commands import Command
    from interviewer.interview.events import Event
    from interviewer.interview.interview import Interview

REPLY_EVERY = 0.15
"""Seconds between two paints of a reply that is streaming in."""
SAVE_AFTER = 0.4
"""Seconds from the first unsaved key to the save, so at most this much typing can be lost."""


class Conversation:
    """Runs an interview and posts what comes of it to ``owner``; the bridge makes it a worker."""

    def __init__(self, owner: Widget, opening: Callable[[], Interview]) -> None:
        self._owner = owner
        self._opening = opening
        self._interview: Interview | None = None
        self._opened: Opened | None = None
        self._closing: asyncio.Future[None] | None = None
        self._reply: list[str] = []
        self._reply_timer: Timer | None = None
        self._unsaved: dict[Slot, str] = {}
        self._draft_timer: Timer | None = None

    def send(self, command: Command) -> None:
        """Hand a command over, the draft safe before it; events tell what came of it."""
        self.save_now()
        if self._interview:
            self._interview.send(command)

    def draft(self, text: str, slot: Slot = "answer") -> None:
        """What the editor holds now; it is on disk within SAVE_AFTER."""
        self._unsaved[slot] = text
        self._save_soon()

    def save_now(self) -> str:
        """Write what is not on disk yet; the sentence of a failure, or ""."""
        if self._draft_timer:
            self._draft_timer.stop()
            self._draft_timer = None
        for slot, text in tuple(self._unsaved.items()) if self._interview else ():
            if failure := self._save(slot, text):
                return failure
        return ""

    async def run(self) -> None:
        """Open the interview and pass its events on until it pauses, ends or breaks."""
        try:
            opened = self._opened = await asyncio.to_thread(self._open)
            self._owner.post_message(opened)
            async for event in opened.interview:
                if self._interview is None:  # the session is on disk from its first event on
                    self._interview = opened.interview
                    self._save_soon()
                self._pass_on(event)
            self._interview = None  # paused or ended: nothing more to save or to send
        except InterviewerError as error:
            self._break(str(error))
        except Exception as error:  # noqa: BLE001  becomes a message, see defect
            self._break(defect(error))
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        """Release examiner and bench, once; whoever is cancelled meanwhile leaves that running."""
        if self._opened and self._closing is None:
            self._closing = asyncio.ensure_future(self._opened.interview.aclose())
        if self._closing:
            await asyncio.shield(self._closing)

    def _save(self, slot: Slot, text: str) -> str:
        assert self._interview
        try:
            if slot == "bench":
                self._interview.save_bench_draft(text)
            else:
                self._interview.save_draft(text)
        except StoreError as error:
            self._owner.post_message(DraftNotSaved(str(error), slot))
            return str(error)
        self._owner.post_message(DraftSaved(text, slot))
        del self._unsaved[slot]
        return ""

    def _save_soon(self) -> None:
        if self._interview and self._unsaved and self._draft_timer is None:
            self._draft_timer = self._owner.set_timer(SAVE_AFTER, self.save_now)

    def _open(self) -> Opened:
        interview = self._opening()
        return Opened(interview, interview.state, interview.draft(), interview.bench_draft())

    def _pass_on(self, event: Event) -> None:
        if event.event == "delta":
            self._reply.append(event.text)
            if self._reply_timer is None:
                self._reply_timer = self._owner.set_timer(REPLY_EVERY, self._flush_reply)
            return
        self._flush_reply()
        if event.event == "time_up":
            self.save_now()  # the engine takes the draft on disk as the last answer
        self._owner.post_message(Told(event))

    def _flush_reply(self) -> None:
        if self._reply_timer:
            self._reply_timer.stop()
            self._reply_timer = None
        if self._reply:
            self._owner.post_message(ReplyGrew("".join(self._reply)))
            self._reply.clear()

    def _break(self, sentence: str) -> None:
        self._flush_reply()
        self._owner.post_message(Broken(sentence))
