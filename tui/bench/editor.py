"""The bench's editor, with the last check's marks beside the lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
EARLIER = "~"
"""In place of the sign where a line above has been changed since the check."""


@dataclass(frozen=True)
class Mark:
    """A line's status; ``stale`` if a line above it has been changed since the check."""

    status: LineStatus
    stale: bool = False

    def __str__(self) -> str:
        return f"{EARLIER} {self.status}" if self.stale else LINE_SIGN[self.status]

    @property
    def shown(self) -> Content:
        """Sign and word, coloured."""
        return Content.styled(str(self), "dim" if self.stale else COLOUR[self.status])


def current_marks(
    ran: Sequence[str], results: Iterable[LineResult], now: Sequence[str]
) -> dict[int, Mark]:
    """The marks of ``results``, found for ``ran``, by line (from 1) of the text ``now``.

    Lines above the first change keep their marks, changed lines lose them, and those below the last
    change keep them as stale, since a line depends on those before it.
    """
    above = _common(ran, now)
    below = _common(ran[above:][::-1], now[above:][::-1])
    unchanged = len(ran) == len(now) == above
    moved = len(now) - len(ran)
    marks = {}
    for result in results:
        if result.line <= above:
            marks[result.line] = Mark(result.status)
        elif result.line > len(ran) - below:
            marks[result.line + moved] = Mark(result.status, stale=not unchanged)
    return marks


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same, from the top."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in same)


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
        """The row on which a line starts: long lines are wrapped."""
        if line > self._editor.document.line_count:
            return -1
        return self._editor.wrapped_document.location_to_offset((line - 1, 0)).y

    def _follow(self) -> None:
        self.refresh()


def code(text: str) -> str:
    """Text as the editor may hold it: as for answers, with tabs as spaces."""
    return typable(text).expandtabs(INDENT)
