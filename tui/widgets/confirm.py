"""A yes-or-no question over the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from tui.actions import bindings
from tui.widgets.dialogue import Dialogue
from tui.widgets.plain_text import plain


class Confirm(Dialogue[bool]):
    """The result is True for yes. "No" has the focus, so Enter alone changes nothing.

    ``stands``: whether what is asked about is still so; if not, a yes is told so and counts as a
    no. The dialogue stays open till then: keys typed for it must not go to the screen below.
    """

    CSS_PATH = "confirm.tcss"
    HELP = "Yes does it, No changes nothing. Enter presses the button you are on, at first No."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("confirm")]

    def __init__(self, question: str, stands: Callable[[], bool] = lambda: True) -> None:
        super().__init__()
        self._question = question
        self._stands = stands

    def compose(self) -> ComposeResult:
        with Vertical(id="card"):
            yield Static(plain(self._question))
            with Horizontal():
                yield Button("No (n)", id="no", variant="primary")
                yield Button("Yes (y)", id="yes", variant="warning")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "yes":
            self.action_yes()
        else:
            self.action_no()

    def action_yes(self) -> None:
        if not self._stands():
            self.app.notify("That was over by then; nothing else was closed.")
        self.dismiss(self._stands())

    def action_no(self) -> None:
        self.dismiss(False)
