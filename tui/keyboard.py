"""Keys act one at a time, in the order they were typed, and on the screen they were typed for.

Textual runs the key of a command at once, while the characters typed before it still wait in the
editor's own queue: a fast burst then sends an empty answer. Here every key waits until the one
before it has been handled by everything that it concerns, whatever widget or screen that is, and
however long that takes: what is waited for is observed, never timed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ScreenStackError
from textual.message import Message
from textual.screen import Screen

if TYPE_CHECKING:
    from textual.app import App
    from textual.message_pump import MessagePump
    from textual.widget import Widget
    from textual.worker import Worker

GRACE = 0.2
"""Seconds that a screen has been shown, and the keyboard been quiet, before a key acts; 0: none.

One that the last key asked for is awaited, and acts on the first key typed when it is in sight.
"""
LONGEST_GRACE = 2.0
"""Seconds after which a screen listens even to someone who never stops typing."""
LOOK_AGAIN = 0.1
"""Seconds between two looks whether the widget that got the key is still there."""
ROUNDS = 50
"""What follows from a key is waited for in so many rounds, as something may always be going on."""
_EDITING = frozenset(
    {"backspace", "delete", "left", "right", "home", "end", "ctrl+left", "ctrl+right"}
)
"""Keys that belong to the text in every editor: one dropped would put the next in a wrong place."""
AT_ONCE = 32
"""Characters that an editor is given in one go; then the screen has its turn."""
Typed = events.InputEvent | events.Paste
"""What a hand does: keys, pastes, the mouse."""


@dataclass
class Handled(Message):
    """Follows a key on its way from the focused widget to the app, and so comes after it."""

    done: asyncio.Event


class Keyboard:
    """Passes keys, pastes and clicks on in order; ``pass_on`` is Textual's own way with one.

    Text goes to an editor a few characters at a time. Before and after a command, all that follows
    from what was typed is waited for: an option chosen may pass through several widgets until it
    counts. ``only_asks``: whether a key would decide nothing now, but open a question or the like.
    """

    def __init__(
        self,
        app: App[Any],
        pass_on: Callable[[Typed], Awaitable[None]],
        *,
        only_asks: Callable[[str], bool],
    ) -> None:
        self._app = app
        self._pass_on = pass_on
        self._only_asks = only_asks
        self._line: deque[Typed] = deque()
        self._has_line = asyncio.Event()
        self._under_way = False
        self._has_typed = False
        self._opening: Worker[Any] | None = None
        self._opens_from: Screen[Any] | None = None
        self._painted: Screen[Any] | None = None
        self._awaited: Screen[Any] | None = None
        self._painted_at = self._restless_at = 0.0

    def take(self, event: Typed) -> None:
        """Pass the event on once those before it have been handled."""
        self._line.append(event)
        self._has_line.set()

    async def serve(self) -> None:
        """Pass on what is taken, for as long as the app runs."""
        while await self._has_line.wait():
            self._under_way = True
            while self._line and self._app.screen_stack:
                with suppress(ScreenStackError):  # the app ends while a key is being handled
                    await self._serve(self._line[0])
            self._under_way = False
            self._has_line.clear()

    def painted(self) -> None:
        """A frame has been written: from the first of a screen on, keys can be meant for it."""
        if self._painted is not self._app.screen:
            self._painted, self._awaited = self._app.screen, None
            self._painted_at = now()
            opening = self._opening is not None and not self._opening.is_finished
            asked_for = opening or (self._under_way and not self._has_typed)
            self._restless_at = 0.0 if asked_for else self._painted_at

    def expect(self, opening: Worker[Any]) -> None:
        """What is typed from now on is meant for the screen that this opens, if it opens one."""
        self._opening, self._opens_from = opening, self._app.screen

    @property
    def _is_opening(self) -> bool:
        at_work = self._opening is not None and not self._opening.is_finished
        return at_work and self._app.screen is self._opens_from

    async def _serve(self, event: Typed) -> None:
        if self._is_opening:
            await self._opened()
        elif isinstance(event, events.MouseEvent) and not _is_click(event):
            await self._pass_on(self._line.popleft())
        elif (coming := self._app.screen) not in (self._painted, self._awaited):
            # Until then its editor may not have the focus. Once: a frame may never come.
            self._awaited = coming
            coming.refresh()
            await self._settle(coming, refresh=True)
        elif self._is_text(event):
            await self._pass_text()
        elif self._has_typed:
            self._has_typed = False
            await self._settle(self._target, refresh=False)
        elif self._is_early(self._line.popleft()):
            self._restless_at = event.time
        else:
            target = self._app.screen if isinstance(event, events.MouseEvent) else self._target
            await self._pass_on(event)
            await self._settle(target, refresh=True)

    @property
    def _target(self) -> MessagePump:
        return self._app.focused or self._app.screen

    async def _opened(self) -> None:
        while self._is_opening:  # noqa: ASYNC110  a question over this screen ends it, too
            await asyncio.sleep(LOOK_AGAIN)
        if self._app.screen is self._opens_from:  # nothing was opened, and nothing is meant
            self._painted_at = now()
        await self._settle(self._app.screen, refresh=True)

    async def _pass_text(self) -> None:
        """A run of characters is given to the editor together: it has a queue of its own."""
        target = self._target
        self._has_typed = True
        for _ in range(AT_ONCE):
            event = self._line.popleft()
            inserts = self._inserts(event)
            await self._pass_on(event)
            if not (inserts and self._line and self._target is target):
                break
            if not self._inserts(self._line[0]):
                break
        await self._handled(target)

    async def _settle(self, target: MessagePump, *, refresh: bool) -> None:
        """Let all that follows from what was typed happen.

        ``refresh``: until the screen shows it, as what is not yet visible gets no focus either.
        """
        await self._handled(target)
        for _ in range(ROUNDS):
            if not (busy := self._busy()):
                break
            await self._handled(busy)
        if refresh:
            await self._handled(self._app.screen, after_refresh=True)

    async def _handled(self, target: MessagePump, *, after_refresh: bool = False) -> None:
        """Wait until it has handled all that it has, or is gone."""
        message = Handled(asyncio.Event())
        if after_refresh:
            target.call_after_refresh(self._app.post_message, message)
        else:
            target.post_message(message)
        while not message.done.is_set() and self._is_there(target):
            with suppress(TimeoutError):
                await asyncio.wait_for(message.done.wait(), LOOK_AGAIN)

    def _is_there(self, target: MessagePump) -> bool:
        gone = isinstance(target, Screen) and target not in self._app.screen_stack[-1:]
        return target.is_attached and target.is_running and not gone

    def _busy(self) -> MessagePump | None:
        for node in self._app.screen.walk_children(with_self=True):
            if node.message_queue_size and node.is_running:
                return node
        return None

    def _is_early(self, event: Typed) -> bool:
        """It was typed for the screen before, or by someone who has not seen the new one yet.

        Text for an editor is not a command, and is never dropped. Nor is a key that only asks: were
        it dropped, what is typed behind it would go to the editor and not to the question.
        """
        if not GRACE or isinstance(event, events.MouseEvent):
            return False
        if isinstance(event, events.Key) and self._only_asks(event.key):
            return False
        since = event.time - self._painted_at
        if self._painted is not self._app.screen or since <= 0:
            return True
        return event.time - self._restless_at < GRACE and since < LONGEST_GRACE

    def _is_text(self, event: Typed) -> bool:
        edits = isinstance(event, events.Key) and event.key in _EDITING and self._editor
        return bool(edits) or self._inserts(event)

    def _inserts(self, event: Typed) -> bool:
        """The editor takes it in by itself; for all other keys it asks the bindings."""
        editor = self._editor
        if editor and isinstance(event, events.Key):
            return editor.check_consume_key(event.key, event.character)
        return bool(editor) and isinstance(event, events.Paste)

    @property
    def _editor(self) -> Widget | None:
        focused = self._app.focused
        return focused if focused and focused.check_consume_key("a", "a") else None


def _is_click(event: events.MouseEvent) -> bool:
    return isinstance(event, events.MouseDown | events.MouseUp)


def now() -> float:
    return Message().time
