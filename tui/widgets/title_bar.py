"""The first line of a screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static


class TitleBar(Horizontal):
    """A title on the left, a short remark on the right."""

    def __init__(self, title: Content, remark: Content | None = None) -> None:
        super().__init__()
        self._title = Static(title, classes="title")
        self._remark = Static(remark or Content(), classes="remark")

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._remark

    def show(self, title: Content, remark: Content | None = None) -> None:
        self._title.update(title)
        self._remark.update(remark or Content())
