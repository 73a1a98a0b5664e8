"""What dialogues have in common: over each of them the help opens, and leaves it as it was."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual import events
from textual.binding import BindingType
from textual.screen import ModalScreen

from tui.actions import HELP_KEY
from tui.messages import HelpWanted

T = TypeVar("T")


class Dialogue(ModalScreen[T]):
    """Over another screen until it is answered. ``HELP`` says what it asks for."""

    BINDINGS: ClassVar[list[BindingType]] = [HELP_KEY]

    def action_toggle_help(self) -> None:
        self.post_message(HelpWanted())


class TakesEveryKey(Dialogue[T]):
    """One that gets keys before any binding does; the app's wait until it is closed."""

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.take(event)

    def take(self, event: events.Key) -> None:
        raise NotImplementedError
