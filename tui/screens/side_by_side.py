"""Two gradings beside each other, point by point: attempts at a question, or a session regraded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partialmethod
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Footer, Static

from interviewer.grading.verdicts import credit
from interviewer.report import document, words
from interviewer.report.document import Facts
from tui.actions import bindings
from tui.bridge import LoadFailed
from tui.widgets.pages import Page, TitleBar
from tui.widgets.plain_text import one_line, plain
from tui.widgets.points import Row, Rows, content

if TYPE_CHECKING:
    from interviewer.interview.debrief.questions import CriterionLine
    from tui.bridge import Bridge
    from tui.messages import Grading

MISSING = "This point was not part of it."
GAINED, LOST, SAME = ("▲ gained", "$text-success"), ("▼ lost", "$text-error"), ("", "")
_NEW_LINE = Content("\n")


class SideBySideScreen(Page):
    """The earlier grading on the left, the later one on the right."""

    CSS_PATH: ClassVar = ["side_by_side.tcss", "../widgets/points.tcss"]
    AUTO_FOCUS = "Row"
    HELP = (
        "Two gradings point by point, the earlier one on the left: what was gained, what was lost. "
        "Enter shows the words on the right where they were said."
    )
    BINDINGS = bindings("side_by_side", "back", "list.cursor_down", "list.cursor_up")

    def __init__(
        self, bridge: Bridge, title: str, load: Callable[[], Sequence[tuple[Grading, Grading]]]
    ) -> None:
        """``load`` runs in a thread and gives the pairs, the latest last."""
        super().__init__(bridge)
        self._title = title
        self._load_pairs = load
        self._pairs: Sequence[tuple[Grading, Grading]] = ()
        self._at = 0

    def compose(self) -> ComposeResult:
        yield TitleBar(one_line(self._title))
        yield Rows(Static(Content("Loading…"), classes="empty"), id="pairs")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self.load("pairs", self._load_pairs, self._take)

    def on_load_failed(self, message: LoadFailed) -> None:
        message.stop()
        self.query_one("#pairs Static", Static).update(plain(message.sentence))

    async def _take(self, pairs: Sequence[tuple[Grading, Grading]]) -> None:
        latest_first = reversed(range(len(pairs)))
        moved = (n for n in latest_first if any(_changes(*pairs[n])))
        self._pairs, self._at = pairs, next(moved, len(pairs) - 1)
        await self._show()

    async def _show(self) -> None:
        rows = self.query_one("#pairs", Rows)
        await rows.remove_children()
        if not self._pairs:
            await rows.mount(Static(plain("There is nothing to compare yet."), classes="empty"))
            return
        before, after = self._pairs[self._at]
        which = f"{self._at + 1} of {len(self._pairs)}" if len(self._pairs) > 1 else ""
        self.query_one(TitleBar).show(one_line(self._title), Content(which))
        await rows.mount_all(_rows(before, after))
        self.refresh_bindings()
        if found := list(self.query(Row)):
            found[0].focus(scroll_visible=False)

    async def _turn(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._pairs) - 1)
        await self._show()

    action_earlier = partialmethod(_turn, -1)
    action_later = partialmethod(_turn, 1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("earlier", "later"):
            return len(self._pairs) > 1
        return True

    def action_cursor_down(self) -> None:
        self.focus_next(Row)

    def action_cursor_up(self) -> None:
        self.focus_previous(Row)

    def on_row_chosen(self, message: Row.Chosen) -> None:
        _, after = self._pairs[self._at]
        self.go("transcript", after.session, message.about.turn)


def _changes(before: Grading, after: Grading) -> Iterator[str]:
    """What became of each point that both have."""
    old = {line.criterion.id: line for line in before.question.lines}
    for line in after.question.lines:
        yield _change(old.get(line.criterion.id), line)[0]


def _rows(before: Grading, after: Grading) -> Iterator[Widget]:
    yield Horizontal(Static(_head(before)), Static(_head(after)), classes="pair head")
    old = {line.criterion.id: line for line in before.question.lines}
    new = {line.criterion.id: line for line in after.question.lines}
    for criterion in [*new, *(each for each in old if each not in new)]:
        left, right = old.get(criterion), new.get(criterion)
        change, style = _change(left, right)
        turn = _turn_of(right)
        text = _NEW_LINE.join(filter(None, [plain(change, f"bold {style}"), _side(right)]))
        row = Row(text, Facts(turn, criterion=criterion))
        yield Horizontal(Static(_side(left)), row, classes="pair")


def _head(grading: Grading) -> Content:
    name = one_line(grading.name, "bold $text-primary")
    return _NEW_LINE.join([name, plain(words.grade_words(grading.question), "$text-muted")])


def _side(line: CriterionLine | None) -> Content:
    return content(document.point(line)) if line else plain(MISSING, "$text-muted")


def _turn_of(line: CriterionLine | None) -> int | None:
    return line.verdict.quotes[0].turn if line and line.verdict.quotes else None


def _change(left: CriterionLine | None, right: CriterionLine | None) -> tuple[str, str]:
    """Which way the point went; "" where one of the two was not judged."""
    if not (left and right and left.verdict.verdict and right.verdict.verdict):
        return SAME
    by = credit(right.verdict) - credit(left.verdict)
    return GAINED if by > 0 else LOST if by < 0 else SAME
