"""Dialogues over a screen: over each of them the help opens, and leaves it as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partialmethod
from typing import Any, ClassVar, Literal, TypeVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.types import CSSPathType
from textual.widget import Widget
from textual.widgets import Button, Footer, Input, Static

from interviewer.errors import InterviewerError
from tui.actions import HELP_KEY, bindings
from tui.widgets.pages import ViScroll
from tui.widgets.plain_text import plain

T = TypeVar("T")


def card(title: str, *parts: Widget, buttons: Sequence[Button] = ()) -> Vertical:
    """What a dialogue shows: its title, if it has one, its parts and below them its buttons."""
    head = [Static(plain(title), classes="card-title")] if title else []
    row = [Horizontal(*buttons, classes="buttons")] if buttons else []
    return Vertical(*head, *parts, *row, id="card")


class Dialogue(ModalScreen[T]):
    """Over another screen until it is answered. ``HELP`` says what it asks for."""

    CSS_PATH: ClassVar[CSSPathType | None] = "../widgets/dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [HELP_KEY]

    def action_back(self) -> None:
        self.dismiss(None)

    action_close = action_back

    def answer(self, answer: T) -> None:
        """As ``dismiss``, which no action may wait for."""
        self.dismiss(answer)


class Reader(Dialogue[None]):
    """Something to read over the screen, and to scroll in."""

    HELP = "Esc goes back to where you were. In an interview the clock goes on while you read."
    BINDINGS = bindings("reading")

    def __init__(self, title: str, shown: Widget) -> None:
        super().__init__()
        self._title = title
        self._shown = shown

    def compose(self) -> ComposeResult:
        yield card(self._title, ViScroll(self._shown))
        yield Footer(compact=True, show_command_palette=False)


CardAnswer = Literal["go_on", "retry", "pause"]


class Card(Dialogue[CardAnswer]):
    """Over the interview, until Enter: no other key does anything to what is below."""

    HELP = "The interview goes on once you have read this."
    BINDINGS = bindings("card")

    action_go_on = partialmethod(Dialogue.answer, "go_on")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.answer("go_on")


class Confirm(Dialogue[bool]):
    """The result is True for yes. "No" has the focus, so Enter alone changes nothing.

    ``details``: what it would do, line by line. ``stands``: whether what is asked about is still
    so; if not, a yes is told so and counts as a no. The dialogue stays open till then: keys typed
    for it must not go to the screen below.
    """

    HELP = "Yes does it, No changes nothing. Enter presses the button you are on, at first No."
    BINDINGS = bindings("confirm")

    def __init__(
        self,
        question: str,
        stands: Callable[[], bool] = lambda: True,
        details: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._question = question
        self._stands = stands
        self._details = details
        self.set_class(bool(details), "-detailed")

    def compose(self) -> ComposeResult:
        no = Button("No (n)", id="no", variant="primary", action="screen.no")
        yes = Button("Yes (y)", id="yes", variant="warning", action="screen.yes")
        lines = [ViScroll(Static(plain("\n".join(self._details))))] if self._details else []
        yield card("", Static(plain(self._question)), *lines, buttons=(no, yes))

    def action_yes(self) -> None:
        if not self._stands():
            self.app.notify("That was over by then; nothing else was closed.")
        self.dismiss(self._stands())

    action_no = partialmethod(Dialogue.answer, False)


def on_yes(app: App[Any], question: str | Confirm, do: Callable[[], object]) -> None:
    def answered(yes: bool | None) -> None:
        if yes:
            do()

    app.push_screen(Confirm(question) if isinstance(question, str) else question, answered)


async def agreed(app: App[Any], why: Callable[[], str], question: str) -> bool:
    """Ask first if there is a reason against it."""
    try:
        told = await asyncio.to_thread(why)
    except InterviewerError:
        told = ""  # that fails again where it is done, and is told there
    return not told or await app.push_screen_wait(Confirm(f"{told} {question}"))


class InputDialog(Dialogue[str | None]):
    """Asks for a line of text; the result is None if it was cancelled.

    ``about`` says what the text would do, and raises InterviewerError for one that cannot be taken.
    """

    HELP = "Type a line. Enter goes on, Esc changes nothing."
    BINDINGS = bindings("back")

    def __init__(
        self,
        title: str,
        explained: str,
        about: Callable[[str], str] = lambda _: "",
        *,
        text: str = "",
        selected: bool = False,
    ) -> None:
        super().__init__()
        self._title = title
        self._explained = explained
        self._about = about
        self._input = Input(text, select_on_focus=selected)

    def compose(self) -> ComposeResult:
        yield card(
            self._title,
            Static(plain(self._explained)),
            self._input,
            Static(id="about", classes="card-note"),
            Static(Content("Enter goes on, Esc cancels."), classes="card-note"),
        )

    def on_mount(self) -> None:
        self._tell()

    def on_input_changed(self) -> None:
        self._tell()

    def on_input_submitted(self) -> None:
        if self._tell():
            self.dismiss(self._input.value.strip())

    def _tell(self) -> bool:
        value = self._input.value.strip()
        try:
            told, sound = self._about(value), bool(value)
        except InterviewerError as error:
            told, sound = str(error), False
        self.query_one("#about", Static).update(plain(told))
        return sound
