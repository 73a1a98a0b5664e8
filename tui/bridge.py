"""Between the engine and the screens: starts all workers and saves all drafts.

Blocking calls run in threads; the screen that asked gets results and errors. Screens never await
the engine.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from textual.message import Message

from interviewer.errors import InterviewerError, StoreError

if TYPE_CHECKING:
    from datetime import datetime

    from textual.timer import Timer
    from textual.widget import Widget
    from textual.worker import Worker

    from interviewer.store.records import Pane
    from tui.engine import Engine

T = TypeVar("T")
SAVE_AFTER = 0.4
"""Seconds from the first unsaved key to the save, so at most this much typing can be lost."""
_log = logging.getLogger(__name__)


def told(error: Exception) -> str:
    """The error's own sentence, if it was made for people."""
    return str(error) if isinstance(error, InterviewerError) else defect(error)


def defect(error: Exception) -> str:
    """A sentence for an error nobody foresaw; the log has where it happened."""
    _log.error("unexpected error", exc_info=error)
    return f"Unexpected error ({type(error).__name__}: {error}). Everything you sent is saved."


@dataclass
class LoadFailed(Message):
    """Loading failed: why, and how to fix it. The app tells it unless the screen stops it."""

    sentence: str


@dataclass
class DraftSaved(Message):
    text: str
    pane: Pane


@dataclass
class DraftNotSaved(Message):
    """The text could not be saved; it exists only on the screen."""

    sentence: str
    pane: Pane


class DraftSaver:
    """Saves what is typed soon after it is typed, and tells ``owner``.

    While ``write`` is None there is nowhere to save to, and texts are kept until there is.
    """

    def __init__(self, owner: Widget, write: Callable[[str, Pane], None] | None = None) -> None:
        self._owner = owner
        self._write = write
        self._unsaved: dict[Pane, str] = {}
        self._timer: Timer | None = None

    def typed(self, text: str, pane: Pane = "answer") -> None:
        """The editor now holds this; it is on disk within SAVE_AFTER."""
        self._unsaved[pane] = text
        self._save_soon()

    def write_with(self, write: Callable[[str, Pane], None] | None) -> None:
        self._write = write
        self._save_soon()

    def save_now(self) -> str:
        """Write whatever is not on disk yet; returns the sentence of a failure, or ""."""
        if self._timer:
            self._timer.stop()
            self._timer = None
        for pane, text in tuple(self._unsaved.items()):
            if self._write is None:
                break
            try:
                self._write(text, pane)
            except StoreError as error:
                self._owner.post_message(DraftNotSaved(str(error), pane))
                return str(error)
            self._owner.post_message(DraftSaved(text, pane))
            del self._unsaved[pane]
        return ""

    def _save_soon(self) -> None:
        if self._write and self._unsaved and self._timer is None:
            self._timer = self._owner.set_timer(SAVE_AFTER, self.save_now)


class Bridge:
    def __init__(self, engine: Engine, now: Callable[[], datetime]) -> None:
        self.engine = engine
        self.now = now
        self._savers: dict[str, DraftSaver] = {}
        self.in_interview = False
        """An interview is under way: to quit now would interrupt it."""

    def run(
        self, owner: Widget, group: str, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> Worker[None]:
        """Run ``work`` for as long as ``owner`` exists; a newer one of the group replaces it.

        A function, not its coroutine: if the program quits before a worker starts, the coroutine
        would be collected unawaited, and Python's warning can hang on the warm-up's import lock.
        """
        return owner.run_worker(work, group=group, exclusive=True, exit_on_error=False)

    def load(
        self,
        owner: Widget,
        group: str,
        work: Callable[[], T],
        then: Callable[[T], object] = lambda _: None,
    ) -> None:
        """Do ``work`` in a thread; then have ``owner`` take the result, or post LoadFailed to it.

        The result comes as a message does: in turn, and not at all if the owner is gone by then.
        """

        async def load() -> None:
            try:
                result = await asyncio.to_thread(work)
            except Exception as error:  # noqa: BLE001  becomes a message, see defect
                owner.post_message(LoadFailed(told(error)))
            else:
                owner.call_later(then, result)

        self.run(owner, group, load)

    def drafts(
        self, owner: Widget, group: str, write: Callable[[str, Pane], None] | None = None
    ) -> DraftSaver:
        """A saver for what is typed in ``owner``; also asked when the program quits."""
        saver = self._savers[group] = DraftSaver(owner, write)
        return saver

    def save_now(self) -> str:
        """Save everything typed, before the program ends; returns what failed, or ""."""
        return " ".join(filter(None, [saver.save_now() for saver in self._savers.values()]))
