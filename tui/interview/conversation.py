"""One interview as a stream of messages: commands and drafts go in, events come out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from tui.bridge import Bridge, told

if TYPE_CHECKING:
    from textual.widget import Widget

    from interviewer.interview.commands import Command
    from interviewer.interview.events import Event
    from interviewer.interview.interview import Interview
    from interviewer.interview.state import SessionState
    from interviewer.store.records import Pane


@dataclass
class Opened(Message):
    """The interview is open and its events follow; ``past`` is the state before them."""

    interview: Interview
    past: SessionState
    drafts: Mapping[Pane, str]


@dataclass
class EventHappened(Message):
    event: Event


@dataclass
class Failed(Message):
    """The interview cannot continue unless the session is opened again."""

    sentence: str
    error: Exception


class Conversation:
    """Runs an interview and posts what happens to ``owner``."""

    def __init__(self, bridge: Bridge, owner: Widget, opening: Callable[[], Interview]) -> None:
        self._bridge = bridge
        self._owner = owner
        self._opening = opening
        self.drafts = bridge.drafts(owner, "interview")
        self._interview: Interview | None = None
        self._opened: Opened | None = None
        self._closing: asyncio.Future[None] | None = None
        bridge.run(owner, "interview", self._run)

    def send(self, command: Command) -> None:
        """Pass a command on, once the draft is saved; events show its effect."""
        self.drafts.save_now()
        if self._interview:
            self._interview.send(command)

    def draft(self, text: str, pane: Pane = "answer") -> None:
        self.drafts.typed(text, pane)

    async def aclose(self) -> None:
        """Close examiner and bench, once, even if the caller is cancelled meanwhile."""
        if self._opened and self._closing is None:
            self._closing = asyncio.ensure_future(self._opened.interview.aclose())
        if self._closing:
            await asyncio.shield(self._closing)

    async def _run(self) -> None:
        try:
            opened = self._opened = await asyncio.to_thread(self._open)
            self._bridge.in_interview = True
            self._owner.post_message(opened)
            async for event in opened.interview:
                if self._interview is None:  # the session is on disk from its first event on
                    self._interview = opened.interview
                    self.drafts.write_with(opened.interview.save_draft)
                self._pass_on(event)
            self._interview = None  # paused or ended: nothing more to save or to send
            self.drafts.write_with(None)
        except Exception as error:  # noqa: BLE001  becomes a message, see defect
            self._owner.post_message(Failed(told(error), error))
        finally:
            self._bridge.in_interview = False
            await self.aclose()

    def _open(self) -> Opened:
        interview = self._opening()
        interview.has_breaks = interview.waits = True
        interview.on_notice = self._pass_on
        return Opened(interview, interview.state, interview.drafts())

    def _pass_on(self, event: Event) -> None:
        if event.event == "time_up":
            self.drafts.save_now()  # the engine takes the draft on disk as the last answer
        self._owner.post_message(EventHappened(event))
