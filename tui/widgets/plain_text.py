"""Text from people, models and files for the screen: never markup, never a terminal sequence."""

from __future__ import annotations

from textual.content import Content

from interviewer.report.plain import printable


def plain(text: str, style: str = "") -> Content:
    """The text exactly as it reads, with control and hidden characters made visible."""
    return Content.styled(printable(text), style)


def one_line(text: str, style: str = "") -> Content:
    """The same on one line, for rows and titles."""
    return plain(" ".join(text.split()), style)
