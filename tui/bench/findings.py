"""What a check came to: the first bad line, the summary, what it left open and what was printed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from interviewer.report.bench import SIGN
from tui.widgets.plain_text import one_line, plain
from tui.widgets.vi import ViScroll

if TYPE_CHECKING:
    from interviewer.sandbox.result import CheckResult

INSTALL = "interviewer sandbox install"
_NEW_LINE = Content("\n")


class Findings(ViScroll):
    """Under the editor: before a check what the bench is, after it what was found."""

    def __init__(self) -> None:
        super().__init__(id="findings")
        self.display = False
        self._words = Static()

    def compose(self) -> Iterator[Static]:
        yield self._words

    def show(self, content: Content) -> None:
        self._words.update(content)
        self.display = bool(content.plain)
        self.scroll_home(animate=False)


def about_bench(tier: str, about: str) -> Content:
    """What checks mean here; without a worker how to get one, and that writing goes on."""
    if tier != "off":
        return one_line(about, "dim")
    how = "" if INSTALL in about else f" “{INSTALL}” in a shell brings it."
    return one_line(f"{about}{how} Until then what you write can be handed in as words.")


def found(result: CheckResult, *, changed: bool = False) -> Content:
    """The result; ``changed`` says that the text is another one by now."""
    return _NEW_LINE.join(_parts(result, changed))


def first_bad(result: CheckResult) -> str:
    """The message of the first line that fails, with its number; empty where none does."""
    for line in result.lines:
        if line.line == result.first_bad_line:
            sign, _, word = SIGN[line.status].partition(" ")
            return f"{sign} Line {line.line}: {line.message or word}"
    return ""


def _timed(result: CheckResult) -> str:
    """Tier and time, as in "strict · 12 ms"."""
    spent = result.milliseconds
    time = f"{spent:.0f} ms" if spent < 1000 else f"{spent / 1000:.1f} s"
    return f"{result.tier} · {time}"


def _parts(result: CheckResult, changed: bool) -> Iterator[Content]:
    if bad := first_bad(result):
        yield one_line(bad, "dim" if changed else "bold $text-error")
    before = "Before your change: " if changed else ""
    style = "dim" if changed else "$text-success" if result.passed else ""
    yield one_line(f"{before}{result.summary}", style) + Content.styled(
        f"  {_timed(result)}", "dim"
    )
    for point in result.open_points:
        yield one_line(f"– {point}", "dim")
    if result.output:
        yield Content.styled("Your function printed:", "dim")
        yield plain(result.output)
