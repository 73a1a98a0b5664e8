"""A yes-or-no question over the screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from tui.actions import bindings
from tui.widgets.dialogue import Dialogue
from tui.widgets.plain_text import plain


class Confirm(Dialogue[bool]):
    """The result is True for yes. "No" has the focus, so Enter alone changes nothing."""

    CSS_PATH = "confirm.tcss"
    HELP = "Yes does it, No changes nothing. Enter presses the button you are on, at first No."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("confirm")]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(id="card"):
            yield Static(plain(self._question))
            with Horizontal():
                yield Button("No (n)", id="no", variant="primary")
                yield Button("Yes (y)", id="yes", variant="warning")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_yes(self) -> None:
        self.dismiss(True)

    def action_no(self) -> None:
        self.dismiss(False)
