"""A line of text, asked for over the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Input, Static

from interviewer.errors import InterviewerError
from tui.actions import bindings
from tui.widgets.dialogue import Dialogue
from tui.widgets.plain_text import plain


class Prompt(Dialogue[str | None]):
    """Asks for a line of text; the result is None if it was cancelled.

    ``about`` says what the text would do, and raises InterviewerError for one that cannot be taken.
    """

    CSS_PATH = "prompt.tcss"
    HELP = "Type a line. Enter goes on, Esc changes nothing; Right takes the completion in grey."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("back")]

    def __init__(
        self,
        title: str,
        explained: str,
        about: Callable[[str], str],
        *,
        text: str = "",
        suggester: Suggester | None = None,
    ) -> None:
        super().__init__()
        self._title = title
        self._explained = explained
        self._about = about
        self._input = Input(text, suggester=suggester, select_on_focus=False)

    def compose(self) -> ComposeResult:
        with Vertical(id="card"):
            yield Static(plain(self._title), classes="card-title")
            yield Static(plain(self._explained))
            yield self._input
            yield Static(id="about", classes="card-note")
            yield Static(Content("Enter goes on, Esc cancels."), classes="card-note")

    def on_mount(self) -> None:
        self._input.focus()
        self._tell()

    def on_input_changed(self) -> None:
        self._tell()

    def on_input_submitted(self) -> None:
        if self._tell():
            self.dismiss(self._input.value.strip())

    def action_back(self) -> None:
        self.dismiss(None)

    def _tell(self) -> bool:
        """Say what the text would do, and whether it can be taken."""
        value = self._input.value.strip()
        try:
            told, sound = self._about(value), bool(value)
        except InterviewerError as error:
            told, sound = str(error), False
        self.query_one("#about", Static).update(plain(told))
        return sound
