"""What went wrong and what can be done, as a sentence and buttons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Static

from tui.actions import bindings
from tui.widgets.plain_text import plain

Remedy = Literal["retry", "offline", "pause", "reopen", "leave"]
LABELS: dict[Remedy, str] = {
    "retry": "Try again (r)",
    "offline": "Go on offline (o)",
    "pause": "Stop, resume later (p)",
    "reopen": "Open again (r)",
    "leave": "Back to home (p)",
}


class FailureCard(Vertical):
    """Stays until a remedy is chosen; the first one has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("failure")]

    @dataclass
    class Chosen(Message):
        remedy: Remedy

    def __init__(self, sentence: str, remedies: tuple[Remedy, ...]) -> None:
        super().__init__()
        self._sentence = sentence
        self._remedies = remedies

    def compose(self) -> ComposeResult:
        yield Static(plain(self._sentence))
        with Horizontal():
            for remedy in self._remedies:
                yield Button(LABELS[remedy], id=remedy, compact=True)

    def on_mount(self) -> None:
        self.query(Button).first().focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self._choose(*(r for r in self._remedies if r == event.button.id))

    def action_first(self) -> None:
        self._choose(self._remedies[0])

    def action_offline(self) -> None:
        self._choose("offline")

    def action_last(self) -> None:
        self._choose(self._remedies[-1])

    def action_next(self) -> None:
        self.screen.focus_next(Button)

    def action_previous(self) -> None:
        self.screen.focus_previous(Button)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "offline" or "offline" in self._remedies

    def _choose(self, remedy: Remedy) -> None:
        self.post_message(self.Chosen(remedy))
