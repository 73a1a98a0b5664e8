"""One interview and its screen: commands and drafts go in, events come out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tui.bridge import Bridge

if TYPE_CHECKING:
    from interviewer.interview.commands import Command
    from interviewer.interview.events import Event
    from interviewer.interview.interview import Interview
    from interviewer.store.records import Pane
    from tui.interview.screen import InterviewScreen


class Conversation:
    """Runs an interview, and has its screen show what happens, in turn with all else there."""

    def __init__(
        self, bridge: Bridge, screen: InterviewScreen, opening: Callable[[], Interview]
    ) -> None:
        self._bridge = bridge
        self._screen = screen
        self._opening = opening
        self.drafts = bridge.drafts(screen, "interview")
        self._interview: Interview | None = None
        self._opened: Interview | None = None
        self._closing: asyncio.Future[None] | None = None
        bridge.run(screen, "interview", self._run)

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
            self._closing = asyncio.ensure_future(self._opened.aclose())
        if self._closing:
            await asyncio.shield(self._closing)

    async def _run(self) -> None:
        try:
            opened, drafts = await asyncio.to_thread(self._open)
            self._opened, self._bridge.in_interview = opened, True
            self._screen.call_later(self._screen.opened, opened, opened.state, drafts)
            async for event in opened:
                if self._interview is None:  # the session is on disk from its first event on
                    self._interview = opened
                    self.drafts.write_with(opened.save_draft)
                self._pass_on(event)
            self._interview = None  # paused or ended: nothing more to save or to send
            self.drafts.write_with(None)
        except Exception as error:  # noqa: BLE001  becomes a message, see defect
            self._screen.call_later(self._screen.failed, error)
        finally:
            self._bridge.in_interview = False
            await self.aclose()

    def _open(self) -> tuple[Interview, Mapping[Pane, str]]:
        interview = self._opening()
        interview.has_breaks = interview.waits = True
        interview.on_notice = self._pass_on
        return interview, interview.drafts()

    def _pass_on(self, event: Event) -> None:
        if event.event == "time_up":
            self.drafts.save_now()  # the engine takes the draft on disk as the last answer
        self._screen.call_later(self._screen.presenter.show, event)
