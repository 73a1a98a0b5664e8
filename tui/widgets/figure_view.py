"""What a question gives to look at, drawn for the width there is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from interviewer.report.figures import captioned, drawn
from tui.widgets.plain_text import CODE_STYLE, one_line, plain

if TYPE_CHECKING:
    from interviewer.rubric.figure import Figure

SHARE = 0.4
"""The share of the screen's lines from which a figure beside other things is folded."""


@lru_cache(8)
def content_of(figure: Figure, width: int, lines: int = 0) -> Content:
    """Caption and figure; the caption alone where it would take too much of so many lines."""
    shown = drawn(figure, width)
    caption = one_line(captioned(figure), "$text-muted")
    if lines and len(shown) > SHARE * lines:
        return Content("▸ ") + caption
    style = CODE_STYLE if figure.code else ""
    return Content("\n").join([caption, *(plain(line, style) for line in shown)])


class FigureView(Static):
    """The caption and the figure, drawn for the width there is.

    One that ``folds`` is its caption alone while it would take too much of the screen.
    """

    def __init__(self, figure: Figure, *, folds: bool) -> None:
        super().__init__(classes="figure")
        self._figure = figure
        self._folds = folds

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._content(width).wrap(width)) if width else 1

    def render(self) -> Content:
        return self._content(self.content_size.width)

    def _content(self, width: int) -> Content:
        lines = self.app.size.height if self._folds else 0
        return content_of(self._figure, width, lines)
