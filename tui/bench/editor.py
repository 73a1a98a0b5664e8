"""Where lines or a function are written, with the marks of the last check beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import TextArea

from tui.actions import bindings
from tui.bench.marks import Mark
from tui.interview.editor import typable

INDENT = 4


class BenchEditor(TextArea):
    """Numbered lines. Tab indents, Enter keeps the indent; shift+tab leaves the editor."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("bench_editor")]

    def __init__(self) -> None:
        super().__init__(id="source", show_line_numbers=True, highlight_cursor_line=False)
        self.cursor_blink = False

    def fill(self, text: str) -> None:
        """Replace everything, with the cursor at the end."""
        self.load_text(code(text))
        self.move_cursor(self.document.end)

    def action_indent(self) -> None:
        row, column = self.selection.start
        before = self.document[row][:column]
        self.replace(" " * (INDENT - len(before) % INDENT), *self.selection)

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.prevent_default()  # the text area would begin the new line at its edge
            event.stop()
            self._break_line()

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()  # the text area would insert the text as it came
        self.replace(code(event.text), *self.selection)

    def _break_line(self) -> None:
        row, column = min(self.selection.start, self.selection.end)
        before = self.document[row][:column]
        indent = len(before) - len(before.lstrip(" "))
        deeper = INDENT if before.rstrip().endswith(":") else 0
        self.replace("\n" + " " * (indent + deeper), *self.selection)


class Margin(Widget):
    """The column beside the editor: sign and word of each line that was checked."""

    def __init__(self, editor: BenchEditor) -> None:
        super().__init__(id="margin")
        self._editor = editor
        self._marks: Mapping[int, Mark] = {}

    def on_mount(self) -> None:
        for moves in ("scroll_y", "virtual_size"):
            self.watch(self._editor, moves, self._follow, init=False)

    def show(self, marks: Mapping[int, Mark]) -> None:
        """Marks by line number, from 1."""
        self._marks = marks
        self.refresh()

    def render(self) -> Content:
        rows = [Content()] * self.size.height
        top = self._editor.scroll_offset.y
        for line, mark in self._marks.items():
            row = self._row(line) - top
            if 0 <= row < len(rows):
                rows[row] = mark.shown
        return Content("\n").join(rows)

    def _row(self, line: int) -> int:
        """The row of a line's first part: long lines are wrapped."""
        if line > self._editor.document.line_count:
            return -1
        return self._editor.wrapped_document.location_to_offset((line - 1, 0)).y

    def _follow(self) -> None:
        self.refresh()


def code(text: str) -> str:
    """Text as it may stand in the editor: as for answers, and tabs as blanks."""
    return typable(text).expandtabs(INDENT)
