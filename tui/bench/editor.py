"""The bench's editor, with the last check's marks beside the lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from textual import events
from textual.content import Content
from textual.widget import Widget

from interviewer.report.words import LINE_SIGN
from interviewer.sandbox.result import LineResult, LineStatus
from tui.actions import bindings
from tui.widgets.plain_text import typable
from tui.widgets.writing import Writing

COLOUR = {
    LineStatus.HOLDS: "$text-success",
    LineStatus.DEFINED: "$text-primary",
    LineStatus.FAILS: "bold $text-error",
    LineStatus.ERROR: "bold $text-error",
    LineStatus.NOT_JUDGED: "$text-muted",
}


def current_marks(
    ran: Sequence[str], results: Iterable[LineResult], now: Sequence[str]
) -> dict[int, LineStatus]:
    """The statuses of ``results``, found for ``ran``, by line (from 1) of the text ``now``.

    Only lines above the first change keep theirs, since a line depends on those before it.
    """
    same = takewhile(lambda pair: pair[0] == pair[1], zip(ran, now, strict=False))
    above = sum(1 for _ in same)
    return {result.line: result.status for result in results if result.line <= above}


INDENT = 4


class BenchEditor(Writing):
    """Numbered lines. Tab indents, Enter keeps the indent, Shift+Tab leaves the editor."""

    BINDINGS = bindings("bench_editor")

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

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        return key == "enter" or super().check_consume_key(key, character)

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.prevent_default()  # the text area would not indent
            event.stop()
            self._break_line()

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()  # the text area would insert the text unchanged
        self.replace(code(event.text), *self.selection)

    def _break_line(self) -> None:
        row, column = min(self.selection.start, self.selection.end)
        before = self.document[row][:column]
        indent = len(before) - len(before.lstrip(" "))
        deeper = INDENT if before.rstrip().endswith(":") else 0
        self.replace("\n" + " " * (indent + deeper), *self.selection)


class Margin(Widget):
    """The column beside the editor with the mark of each checked line."""

    def __init__(self, editor: BenchEditor) -> None:
        super().__init__(id="margin")
        self._editor = editor
        self._marks: Mapping[int, LineStatus] = {}

    def on_mount(self) -> None:
        for moves in ("scroll_y", "virtual_size"):
            self.watch(self._editor, moves, self._follow, init=False)

    def show(self, marks: Mapping[int, LineStatus]) -> None:
        """Marks by line number, from 1."""
        self._marks = marks
        self.refresh()

    def render(self) -> Content:
        rows = [Content()] * self.size.height
        top = self._editor.scroll_offset.y
        for line, mark in self._marks.items():
            if line <= self._editor.document.line_count:
                place = self._editor.wrapped_document.location_to_offset((line - 1, 0))
                if 0 <= place.y - top < len(rows):  # long lines are wrapped
                    rows[place.y - top] = Content.styled(LINE_SIGN[mark], COLOUR[mark])
        return Content("\n").join(rows)

    def _follow(self) -> None:
        self.refresh()


def code(text: str) -> str:
    """Text as the editor may hold it: as for answers, with tabs as spaces."""
    return typable(text).expandtabs(INDENT)
