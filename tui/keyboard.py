"""Keys act one at a time, in the order they were typed, and on the screen they were typed for.

Textual runs the key of a command at once, while the characters typed before it still wait in the
editor's own queue: a fast burst then sends an empty answer. Here every key waits until the one
before it has been handled by everything that it concerns, whatever widget or screen that is.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual import events
from textual.message import Message

if TYPE_CHECKING:
    from textual.app import App
    from textual.message_pump import MessagePump
    from textual.screen import Screen

GRACE = 0.2
"""Seconds that a screen has been shown, and the keyboard been quiet, before a key acts; 0: none."""
LONGEST_GRACE = 2.0
"""Seconds after which a screen listens even to someone who never stops typing."""
LOOK_AGAIN = 0.1
"""Seconds between two looks whether the widget that got the key is still there."""
PATIENCE = 2.0
"""Seconds after which the next key is passed on whatever the widget is doing."""
_EDITING = frozenset({"backspace", "delete"})
Typed = events.InputEvent | events.Paste
"""What a hand does: keys, pastes, the mouse."""


@dataclass
class KeyHandled(Message):
    """Follows a key on its way from the focused widget to the app, and so comes after it."""

    number: int


class Keyboard:
    """Passes keys, pastes and clicks on in order; ``pass_on`` is Textual's own way with one."""

    def __init__(self, app: App[Any], pass_on: Callable[[Typed], Awaitable[None]]) -> None:
        self._app = app
        self._pass_on = pass_on
        self._line: deque[Typed] = deque()
        self._number = 0
        self._under_way = False
        self._rescue: asyncio.TimerHandle | None = None
        self._painted: Screen[Any] | None = None
        self._painted_at = self._typed_early_at = 0.0

    async def take(self, event: Typed) -> None:
        """Pass the event on once those before it have been handled."""
        self._line.append(event)
        await self._serve()

    async def handled(self, message: KeyHandled) -> None:
        """The key of this number has been handled: the next one's turn."""
        if message.number != self._number or not self._under_way:
            return
        self._under_way = False
        if self._rescue:
            self._rescue.cancel()
        await self._serve()

    def painted(self) -> None:
        """A frame has been written: from the first of a screen on, keys can be meant for it."""
        if self._painted is not self._app.screen:
            self._painted = self._app.screen
            self._painted_at = _now()

    async def _serve(self) -> None:
        while self._line and not self._under_way:
            event = self._line.popleft()
            if isinstance(event, events.MouseEvent):
                await self._pass_on(event)
            elif not self._is_early(event):
                await self._pass_and_follow(event)

    async def _pass_and_follow(self, event: Typed) -> None:
        target = self._app.focused or self._app.screen
        self._number += 1
        self._under_way = True
        await self._pass_on(event)
        target.post_message(KeyHandled(self._number))
        self._look_after(target, self._number, 0.0)

    def _look_after(self, target: MessagePump, number: int, waited: float) -> None:
        """A widget that goes away takes the message with it: then go on without."""
        loop = asyncio.get_running_loop()
        self._rescue = loop.call_later(LOOK_AGAIN, self._look, target, number, waited + LOOK_AGAIN)

    def _look(self, target: MessagePump, number: int, waited: float) -> None:
        if target.is_attached and target.is_running and waited < PATIENCE:
            self._look_after(target, number, waited)
        else:
            self._app.post_message(KeyHandled(number))

    def _is_early(self, event: Typed) -> bool:
        """It was typed for the screen before, or by someone who has not seen the new one yet.

        Text for an editor is not a command, and is never dropped.
        """
        if not GRACE or self._is_text(event):
            return False
        shown = self._painted is self._app.screen
        since = event.time - self._painted_at
        quiet = event.time - max(self._painted_at, self._typed_early_at)
        early = not shown or (quiet < GRACE and since < LONGEST_GRACE)
        if early:
            self._typed_early_at = event.time
        return early

    def _is_text(self, event: Typed) -> bool:
        focused = self._app.focused
        if focused is None or not focused.check_consume_key("a", "a"):
            return False  # not an editor
        if isinstance(event, events.Key):
            return event.is_printable or event.key in _EDITING
        return isinstance(event, events.Paste)


def _now() -> float:
    """The time by the clock of events."""
    return Message().time
