"""Text from people, models and files for the screen: never markup, never a terminal sequence."""

from __future__ import annotations

from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from interviewer.report.plain import printable


def plain(text: str, style: str = "") -> Content:
    """The text exactly as it reads, with control and hidden characters made visible."""
    return Content.styled(printable(text), style)


def one_line(text: str, style: str = "") -> Content:
    """The same on one line, for rows and titles."""
    return plain(" ".join(text.split()), style)


def ago(then: datetime, now: datetime) -> str:
    """How long ago, in one unit; a date where that says more. Both are aware times."""
    seconds = max(0, int((now - then).total_seconds()))
    if seconds < 60:
        return "just now"
    for below, unit, word in ((3600, 60, "min"), (86400, 3600, "h"), (14 * 86400, 86400, "days")):
        if seconds < below:
            count = seconds // unit
            return f"{count} {'day' if word == 'days' and count == 1 else word} ago"
    return f"on {local_date(then)}"


def local_date(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d")


def local_minute(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def local_time(moment: datetime) -> str:
    return moment.astimezone().strftime("%H:%M:%S")


def clock_face(seconds: float) -> str:
    """Minutes and seconds, as 41:20; a begun second counts."""
    whole = -int(-seconds // 1)
    return f"{whole // 60:02}:{whole % 60:02}"


BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
"""The class that a screen has from so many columns on."""


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
