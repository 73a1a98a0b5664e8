"""Text from people, models and files for the screen: never markup, never a terminal sequence."""

from __future__ import annotations

import unicodedata
from datetime import datetime

from textual.content import Content

from interviewer.report.plain import printable


def plain(text: str, style: str = "") -> Content:
    """The text as it is, with control and hidden characters made visible."""
    return Content.styled(printable(text), style)


def one_line(text: str, style: str = "") -> Content:
    """The same on one line, for rows and titles."""
    return plain(" ".join(text.split()), style)


def typable(text: str) -> str:
    """Text as an editor may hold it: line ends as newlines, control characters made visible.

    Other invisible characters, such as the joiners inside emoji, are kept.
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


def ago(then: datetime, now: datetime) -> str:
    """How long ago, in one unit; from two weeks on, the date. Both times are aware."""
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
    """Minutes and seconds, as in 41:20, rounded up."""
    whole = -int(-seconds // 1)
    return f"{whole // 60:02}:{whole % 60:02}"
