"""Text from people, models and files for the screen: never markup, never a terminal sequence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from interviewer.report.plain import printable


def plain(text: str, style: str = "") -> Content:
    """The text as it is, with control and hidden characters made visible."""
    return Content.styled(printable(text), style)


def one_line(text: str, style: str = "") -> Content:
    """The same on one line, for rows and titles."""
    return plain(" ".join(text.split()), style)


_CODE = re.compile(
    r"^[ ]{0,3}```[^\n`]*\n(?P<block>.*?)^[ ]{0,3}```[ ]*$"
    r"|(?<!`)`(?P<inline>[^`\n]+)`(?!`)"
    r"|(?P<maths>\$(?=[^$\n]*[\\^_={])[^$\s](?:[^$\n]*[^$\s])?\$)",
    re.MULTILINE | re.DOTALL,
)
"""Lines between fences, words between backticks, a formula between dollar signs."""
CODE_STYLE = "$text-accent"


def spoken(text: str) -> Content:
    """What people and models say, with code and formulas set off; nothing else is markup."""
    parts, end = [], 0
    for found in _CODE.finditer(text):
        parts.append(plain(text[end : found.start()]))
        if (block := found["block"]) is not None:
            lines = (f"  {line}" for line in block.rstrip("\n").split("\n"))
            parts.append(plain("\n".join(lines), CODE_STYLE))
        else:
            parts.append(plain(found["inline"] or found["maths"], CODE_STYLE))
        end = found.end()
    return Content("").join([*parts, plain(text[end:])])


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


# -- figures as rows of cells, each beside its number -----------------------------------------

_STEPS = "▁▂▃▄▅▆▇█"


def bar(share: float, cells: int = 10) -> tuple[tuple[str, str], tuple[str, str]]:
    """A share, 0..1, of so many cells: what is full and what is empty, each with its style."""
    full = round(min(max(share, 0.0), 1.0) * cells)
    return ("━" * full, "$text-primary"), ("─" * (cells - full), "$border-blurred")


def course(values: Sequence[float], top: float, cells: int, rows: int = 1) -> list[str]:
    """The last values that fit as columns, oldest first, from 0 to ``top``; the upper row first."""
    shown = values[-cells:]
    steps = len(_STEPS)
    heights = [round(min(max(value / top, 0.0), 1.0) * (rows * steps - 1)) + 1 for value in shown]
    return [
        "".join(_step(height - row * steps) for height in heights) for row in reversed(range(rows))
    ]


def _step(eighths: int) -> str:
    return " " if eighths <= 0 else _STEPS[min(eighths, len(_STEPS)) - 1]
