"""The bench's editor, with the marks of the last check beside the lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import TextArea

from interviewer.report.bench_runs import SIGN
from interviewer.sandbox.result import LineResult, LineStatus
from tui.actions import bindings
from tui.interview.editor import typable

COLOUR = {
    LineStatus.HOLDS: "$text-success",
    LineStatus.DEFINED: "$text-primary",
    LineStatus.FAILS: "bold $text-error",
    LineStatus.ERROR: "bold $text-error",
    LineStatus.NOT_JUDGED: "$text-muted",
}
EARLIER = "~"
"""In place of the sign: what was found before a line further up was changed."""


@dataclass(frozen=True)
class Mark:
    """What a check found of a line; ``stale`` where a line above it has been changed since."""

    status: LineStatus
    stale: bool = False

    def __str__(self) -> str:
        return f"{EARLIER} {self.status}" if self.stale else SIGN[self.status]

    @property
    def shown(self) -> Content:
        """Sign and word, with a colour on top."""
        return Content.styled(str(self), "dim" if self.stale else COLOUR[self.status])


def standing(
    ran: Sequence[str], results: Iterable[LineResult], now: Sequence[str]
) -> dict[int, Mark]:
    """The marks by line of the text ``now``, counted from 1; ``results`` belong to ``ran``.

    Lines above the first change keep theirs. Changed lines have none. Lines below the last change
    keep theirs as stale: a line stands on those before it.
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
    """How many lines are the same from the start."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


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
