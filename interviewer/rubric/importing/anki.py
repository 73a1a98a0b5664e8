"""Notes exported from Anki as plain text: the front asks, the back answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from interviewer.rubric.importing.delimited import rows
from interviewer.rubric.importing.question import Item, Question, Skipped

_SEPARATORS = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "space": " ",
    "pipe": "|",
    "colon": ":",
}
_HEADER = re.compile(r"#([a-z ]+):(.*)")
_SOUND = re.compile(r"\[sound:[^\]]*\]")
_CLOZE = re.compile(r"\{\{c\d+::")
_ENDS_A_LINE = frozenset({"br", "div", "p", "li", "tr", "ul", "ol", "h1", "h2", "h3", "pre"})
_UNSEEN = frozenset({"script", "style"})


def is_anki_export(text: str) -> bool:
    """It begins with the header lines that Anki writes."""
    return text.startswith(("#separator:", "#html:", "#tags", "#deck", "#notetype", "#columns"))


def questions_of_anki(text: str) -> Iterator[Item]:
    """The notes as questions; cloze notes ask nothing and are skipped."""
    lines = text.split("\n")
    header = _header_of(lines)
    # The header's lines are blanked, not cut off, so that the others keep their numbers.
    body = "\n" * len(header) + "\n".join(lines[len(header) :])
    settings = dict(header)
    separator = settings.get("separator", "tab")
    delimiter = _SEPARATORS.get(separator.lower(), separator[:1] or "\t")
    others = {int(n) - 1 for name, n in header if name.endswith(" column") and n.isdecimal()}
    # A file that does not say how it was written may hold HTML as well.
    html = settings.get("html", "true").lower() != "false"
    for line, row in rows(body, delimiter):
        if isinstance(row, Skipped):
            yield row
        elif any(cell.strip() for cell in row):
            fields = [cell for n, cell in enumerate(row) if n not in others]
            yield _question(line, [_plain(field, html=html) for field in fields])


def _header_of(lines: Sequence[str]) -> list[tuple[str, str]]:
    header: list[tuple[str, str]] = []
    for line in lines:
        match = _HEADER.fullmatch(line.strip("\r"))
        if match is None:
            break
        header.append((match[1], match[2].strip() or match[2]))
    return header


def _question(line: int, fields: Sequence[str]) -> Item:
    front, back = (*fields, "", "")[:2]
    if _CLOZE.search(front):
        return Skipped(line, "is a cloze note, which asks nothing")
    if not front:
        return Skipped(line, "has no text on its front")
    return Question(line, front, back)


def _plain(field: str, *, html: bool) -> str:
    text = _text_of_html(field) if html else field
    return _SOUND.sub("", text).strip()


class _Text(HTMLParser):
    """Collects what a browser would show as text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _UNSEEN
        if tag in _ENDS_A_LINE:
            self.parts.append("\n- " if tag == "li" else "\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _UNSEEN and self._hidden > 0
        if tag in _ENDS_A_LINE:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


def _text_of_html(field: str) -> str:
    parser = _Text()
    parser.feed(field)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line not in ("", "-"))
