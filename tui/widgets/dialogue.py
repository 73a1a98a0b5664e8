"""What dialogues have in common: over each of them the help opens, and leaves it as it was."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeVar

from textual import events
from textual.binding import BindingType
from textual.screen import ModalScreen
from textual.widgets import Button

from tui.actions import HELP_KEY, bindings
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


CardAnswer = Literal["go_on", "retry", "drill", "pause"]


class Card(Dialogue[CardAnswer]):
    """Over the interview, until Enter: no other key does anything to what is below."""

    CSS_PATH = "../widgets/card.tcss"
    HELP = "The interview goes on once you have read this."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("card")]

    def action_go_on(self) -> None:
        self.dismiss("go_on")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_go_on()
