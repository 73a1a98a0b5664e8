"""Question lists in Markdown: questions as headings, or as the items of numbered lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from interviewer.rubric.importing.question import Item, Question

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*")
_NUMBERED = re.compile(r" {0,3}\d{1,4}[.)][ \t]+(.+)")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_LABEL = re.compile(r"(?:(?:question|q)?\s*\d+\s*[.):]|(?:question|q)\s*:)\s+", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"(\*\*|__)(.+?)\1")


@dataclass
class _Part:
    """A heading or list item and the lines below it. ``level`` is the depth of a heading."""

    line: int
    level: int
    title: str
    body: list[str] = field(default_factory=list)

    @property
    def asks(self) -> bool:
        return self.title.endswith("?")

    @property
    def text(self) -> str:
        return "\n".join(self.body).strip()


def questions_of_markdown(text: str) -> Iterator[Item]:
    """The headings that ask, or have a text and nothing deeper below them.

    Where no heading asks, the numbered items that do. What stands below a question is its answer.
    """
    lines = re.split(r"\r\n?|\n", text)
    headings = _parts(lines, heading_level)
    if not any(part.asks for part in headings):
        items = [part for part in _parts(lines, _item_level) if part.level and part.asks]
        if items:
            headings = items
    for part in _asked(headings):
        yield Question(part.line, part.title, part.text)


def heading_level(line: str) -> tuple[int, str] | None:
    """The depth of a heading and its words."""
    match = _HEADING.fullmatch(line)
    return (len(match[1]), match[2]) if match else None


def _item_level(line: str) -> tuple[int, str] | None:
    """An item counts as depth 1; a heading ends the item before it and is none itself."""
    match = _NUMBERED.fullmatch(line)
    if match:
        return 1, match[1]
    return (0, "") if heading_level(line) else None


def _parts(lines: Sequence[str], level_of: Callable[[str], tuple[int, str] | None]) -> list[_Part]:
    parts: list[_Part] = []
    fence = ""
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        begun = None if fence or mark else level_of(line)
        if begun:
            parts.append(_Part(number, begun[0], _plain(begun[1])))
        elif parts:
            parts[-1].body.append(line)
    return parts


def _asked(parts: Sequence[_Part]) -> Iterator[_Part]:
    """The questions; what stands deeper below one and asks nothing is part of its answer."""
    open_question: _Part | None = None
    for part, following in zip(parts, [*parts[1:], None], strict=False):
        below = open_question is not None and part.level > open_question.level
        if below and open_question and not part.asks:
            open_question.body += [part.title, *part.body]
            continue
        if open_question:
            yield open_question
        is_leaf = following is None or following.level <= part.level
        open_question = part if part.asks or (is_leaf and part.text) else None
    if open_question:
        yield open_question


def _plain(title: str) -> str:
    """The words of a heading without its number and its marks."""
    unmarked = _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", title)).strip()
    label = _LABEL.match(unmarked)
    return unmarked[label.end() :] if label else unmarked
