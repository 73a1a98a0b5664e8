"""Where the answer is written. Enter makes a line, a paste never sends, nothing typed is lost."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Static, TextArea

from interviewer.report.plain import printable
from tui.actions import bindings, shown_keys
from tui.widgets.plain_text import one_line

if TYPE_CHECKING:
    from interviewer.settings import Settings


class AnswerEditor(TextArea):
    """A text area without a send key of its own, unless Enter is set to send."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("answer")]

    class SendAsked(Message):
        """Enter was pressed where Enter sends."""

    def __init__(self, *, enter_sends: bool) -> None:
        super().__init__(id="answer", placeholder="Your answer")
        self.cursor_blink = False
        self._enter_sends = enter_sends

    def fill(self, text: str) -> None:
        """Replace everything, with the cursor at the end."""
        self.load_text(typable(text))
        self.move_cursor(self.document.end)

    def action_newline(self) -> None:
        self.replace("\n", *self.selection)

    def on_key(self, event: events.Key) -> None:
        if self._enter_sends and event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.SendAsked())

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()  # the text area would insert the text as it came
        self.replace(typable(event.text), *self.selection)


class EditorBar(Horizontal):
    """Under the editor: which key sends, how much there is, whether it is safe, and a button."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._count = Static(id="count")
        self._words, self._safety = 0, ""

    def compose(self) -> ComposeResult:
        yield Static(Content(self._keys()), id="send-keys")
        yield self._count
        yield Button("Send", id="send", variant="primary", compact=True)

    def typed(self, text: str) -> None:
        """Not on disk yet: the mark of an earlier save goes away."""
        self._words, self._safety = len(text.split()), "…" if text else ""
        self._show()

    def saved(self) -> None:
        self._safety = "saved" if self._words else ""
        self._show()

    def not_saved(self) -> None:
        self._safety = "NOT SAVED"
        self._show()

    def _keys(self) -> str:
        """What sends and what makes a new line, with the keys as they are set now."""
        send = shown_keys(self.app, self._settings, "interview.send")
        if self._settings.send_key == "enter":
            newline = shown_keys(self.app, self._settings, "answer.newline")
            return f"enter or {send[0]} sends · {newline[0]}: new line"
        return f"{' or '.join(send)} sends · enter: new line"

    def _show(self) -> None:
        words = "1 word" if self._words == 1 else f"{self._words} words"
        counted = words if self._words else ""
        line = one_line(" · ".join(filter(None, (counted, self._safety))))
        self._count.update(line, layout=False)  # its width is fixed; a layout a key is too much


def typable(text: str) -> str:
    """Text as it may stand in the editor: line ends as newlines, controls as visible signs.

    Other invisible characters, such as the joiners inside emoji, are left as they are.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(_typable(char) for char in lines)


def _typable(char: str) -> str:
    if char in "\n\t":
        return char
    match unicodedata.category(char):
        case "Cc" | "Cs":
            return printable(char)
        case "Zl" | "Zp":
            return "\n"
        case _:
            return char
