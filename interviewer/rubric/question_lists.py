"""Reading question lists: tables, JSON and Anki exports here, Markdown in ``markdown_lists``."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import islice, zip_longest
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Question:
    """One question of a list. ``line`` counts from 1; what the list leaves out is empty."""

    line: int
    question: str
    answer: str = ""
    id: str = ""
    topic: str = ""
    difficulty: str = ""
    shown: str = ""
    """What it gives to look at, verbatim: code, or options to choose from."""
    section: str = field(default="", compare=False)
    """The heading that it stands under, for a topic where the list names none."""
    follow_ups: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


@dataclass(frozen=True)
class Skipped:
    """A line that makes no question, and why: the rest of a sentence."""

    line: int
    why: str


Item = Question | Skipped


class QuestionList(NamedTuple):
    """What was read of a list. ``encoding`` is the one that was guessed, "" for UTF-8."""

    items: tuple[Item, ...]
    encoding: str


DELIMITERS = ",;\t|"
_SAID_DELIMITER = re.compile(r'"?sep=(.)"?(?=[\r\n])', re.I)
_NAMES = {
    "question": re.compile(r"(?:[\w-]+ ){0,2}questions?|prompt|front"),
    "answer": re.compile(
        r"(?:[\w-]+ ){0,2}answers?|(?:[\w-]+ )?(?:solution|reference)|expected|key points|back"
    ),
    "topic": re.compile(r"topics?|category|section|subject|area"),
    "difficulty": re.compile(r"difficulty|level"),
    "id": re.compile(r"id"),
}
"""What lists call the fields of a question."""
_FIELDS = ("question", "answer", "id", "topic", "difficulty")
_UNCLOSED = 5
"""After so many quotes that are not closed, the rest of a table is not read."""
_FEWEST, _ASKING_SHARE = 3, 0.6
"""So many rows, and this share of the cells of a column, tell that it holds the questions."""
_FILLED_ROWS, _FILLED_SHARE = 7, 0.6
"""So many rows, and this share of them with a cell in a column, tell that every question has one:
a row of one cell alone is then a heading."""
_LOOKED_AT = 50
"""Rows from which the delimiter is guessed."""


def questions_of_table(text: str, delimiter: str | None = None) -> Iterator[Item]:
    """The rows as questions; without a head, the first column asks and the second answers."""
    if said := _SAID_DELIMITER.match(text):  # what spreadsheets write; its line stays, blank
        delimiter, text = said[1], text[said.end() :]
    read = list(rows(text, delimiter or _delimiter_of(text)))
    table = [row for _, row in read if not isinstance(row, Skipped) and any(map(str.strip, row))]
    filled = Counter(n for row in table for n, cell in enumerate(row) if cell.strip())
    is_long = len(table) >= _FILLED_ROWS
    always = {n for n, many in filled.items() if is_long and many >= _FILLED_SHARE * len(table)}
    columns: dict[str, int] | None = None
    for line, row in read:
        if isinstance(row, Skipped):
            yield row
        elif columns is None and (named := columns_of(row)):
            columns = named
            yield from without_answers(line, row, columns)
        elif not any(map(str.strip, row)):
            continue
        elif columns is None and (shape := columns_by_shape(table[1:])):
            columns = shape
            if any(map(_asks, row)):
                yield _question(line, row, columns)
            else:
                yield Skipped(line, f"names the columns ({', '.join(row)[:60]})")
        else:
            columns = columns or {"question": 0, "answer": 1}
            others = always - {columns["question"], columns.get("answer")}
            if others and "answer" in columns and sum(map(bool, map(str.strip, row))) == 1:
                yield Skipped(line, f"has one cell alone ({''.join(row)[:60]})")
            else:
                yield _question(line, row, columns)


def rows(text: str, delimiter: str) -> Iterator[tuple[int, Sequence[str] | Skipped]]:
    """The rows with their first lines; unreadable ones are skipped with a reason."""
    lines = list(io.StringIO(text, newline=""))
    start = 0
    for _ in range(_UNCLOSED):
        start = yield from _rows(lines, start, delimiter)
        if start == len(lines):
            return
    yield start + 1, Skipped(start + 1, "and those below it are not read; check the quotes above")


def _rows(
    lines: Sequence[str], start: int, delimiter: str
) -> Generator[tuple[int, Sequence[str] | Skipped], None, int]:
    """The rows from a line on, counted from 0, up to the line that is returned."""
    reader = csv.reader(islice(lines, start, None), delimiter=delimiter)
    while True:
        first = start + reader.line_num
        try:
            row = next(reader)
        except StopIteration:
            return len(lines)
        except csv.Error as error:
            yield first + 1, Skipped(first + 1, f"is not a table row ({error}); check its quotes")
            continue
        last = start + reader.line_num
        if last > first + 1 and not _is_sound(lines[first:last], delimiter):
            yield (
                first + 1,
                Skipped(first + 1, "opens a quote that is not closed; check its quotes"),
            )
            return first + 1
        yield first + 1, row


def _is_sound(lines: Sequence[str], delimiter: str) -> bool:
    """Whether each quote in the lines of a row is closed, and closes its cell."""
    try:
        list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error:
        return False
    return True


def columns_of(head: Sequence[str]) -> dict[str, int]:
    """Where a head names which field, plain names first; empty where it names no question."""
    names = [" ".join(cell.lower().split()) for cell in head]
    columns: dict[str, int] = {}
    for field_name, regex in _NAMES.items():
        fitting = [name for name in names if regex.fullmatch(name)]
        if fitting:
            columns[field_name] = names.index(min(fitting, key=lambda name: name != field_name))
    return columns if "question" in columns else {}


def columns_by_shape(below: Sequence[Sequence[str]]) -> dict[str, int]:
    """The same from the rows below a head in any language: which column asks, and which is long."""
    columns = [
        [cell.strip() for cell in column if cell.strip()]
        for column in zip_longest(*below, fillvalue="")
    ]
    shares = [sum(map(_asks, each)) / max(len(each), 1) for each in columns]
    if len(below) < _FEWEST or max(shares, default=0) < _ASKING_SHARE:
        return {}
    found = {"question": shares.index(max(shares))}
    sizes = {
        n: sum(map(len, each)) / len(each)
        for n, each in enumerate(columns)
        if 2 * len(set(each)) > len(each)
        and not "".join(each).isdecimal()
        and n != found["question"]
    }
    return found | ({"answer": max(sizes, key=sizes.__getitem__)} if sizes else {})


def _asks(cell: str) -> bool:
    from interviewer.rubric.markdown_words import asks, plain  # rarely needed

    return asks(plain(cell.strip()))


def without_answers(
    line: int, head: Sequence[str], columns: Mapping[str, int]
) -> Iterator[Skipped]:
    """That a head has columns, and none is known to hold the answers."""
    others = [cell for n, cell in enumerate(head) if n not in columns.values() and cell.strip("# ")]
    if "answer" not in columns and others:
        yield Skipped(
            line,
            f"names no column of answers (not read: {', '.join(others)}); call it 'answer' if "
            "there is one",
        )


def _delimiter_of(text: str) -> str:
    """The delimiter that splits most of the first rows into the same number of columns."""
    return max(DELIMITERS, key=lambda delimiter: _regularity(text, delimiter))


def _regularity(text: str, delimiter: str) -> tuple[bool, int]:
    first = islice(rows(text, delimiter), _LOOKED_AT)
    read = [row for _, row in first if not isinstance(row, Skipped)]
    widths = Counter(len(row) for row in read if len(row) > 1)
    has_header = bool(read) and bool(columns_of(read[0])) and len(read[0]) > 1
    return has_header, max(widths.values(), default=0)


def _question(line: int, row: Sequence[str], columns: Mapping[str, int]) -> Item:
    return question_of(line, {name: row[n].strip() for name, n in columns.items() if n < len(row)})


def question_of(line: int, cells: Mapping[str, str]) -> Item:
    """A question by the names of its fields; one without words is skipped."""
    question, answer, name, topic, difficulty = (cells.get(each, "") for each in _FIELDS)
    if not question:
        return Skipped(line, "has no question")
    return Question(line, question, answer, name, topic, difficulty)


_WRAPPED = re.compile(r'\s*(?:\{\s*"\w+"\s*:\s*)?\[')
"""What comes before the first of the questions: a list, or the only field of an object."""


def questions_of_json(text: str) -> Iterator[Item]:
    """The objects or texts of a JSON list, or of JSON lines, as questions, up to a fault."""
    if '"note_models"' in text:
        yield from _notes_of_crowdanki(text)
        return
    opened = _WRAPPED.match(text)
    at = opened.end() if opened else 0
    while True:
        while at < len(text) and text[at] in ", \t\r\n":
            at += 1
        if at == len(text) or (opened and text[at] == "]"):
            return
        line = text.count("\n", 0, at) + 1
        try:
            value, at = json.JSONDecoder().raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            why = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deep"
            yield Skipped(line, f"is not JSON from here on ({why})")
            return
        yield from _questions_in(line, value)


def _questions_in(line: int, value: Any) -> Iterator[Item]:
    """The question, or those in the lists of an object that asks none itself."""
    if isinstance(value, dict) and "question" not in columns_of([*map(str, value)]):
        parts = [part for part in value.values() if isinstance(part, list)]
        if nested := [each for part in parts for each in part if isinstance(each, dict)]:
            for each in nested:
                yield from _questions_in(line, each)
            return
    yield _question_of_json(line, value)


def _notes_of_crowdanki(text: str) -> Iterator[Item]:
    """The notes of a deck and of those inside it, by the fields of their models."""
    try:
        deck = json.loads(text)
        names = {
            model["crowdanki_uuid"]: [each["name"] for each in model["flds"]]
            for model in deck["note_models"]
        }
        for note, at in zip(_notes(deck), re.finditer(r'"fields"\s*:', text), strict=False):
            line = text.count("\n", 0, at.start()) + 1
            fields = [_anki_plain(each, html=True) for each in note["fields"]]
            named = columns_of(names.get(note["note_model_uuid"], ()))
            order = [named[name] for name in ("question", "answer") if name in named] or [0, 1]
            yield _anki_question(line, [fields[n] for n in order if n < len(fields)])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        yield Skipped(1, f"is not a deck as CrowdAnki writes it ({type(error).__name__}: {error})")


def _notes(deck: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The notes in the order of the file, where the decks inside come first."""
    for child in deck.get("children", ()):
        yield from _notes(child)
    yield from deck.get("notes", ())


def _question_of_json(line: int, value: Any) -> Item:
    if isinstance(value, str):
        value = {"question": value}
    if not isinstance(value, dict):
        return Skipped(line, "is neither a question nor an object with a field 'question'")
    return _question(line, [_words(each) for each in value.values()], columns_of(list(value)))


def _words(value: Any) -> str:
    """A value as text: of a list, its items; other than text and numbers, nothing."""
    if isinstance(value, list):
        return "\n".join(f"- {_words(each)}" for each in value if _words(each))
    return str(value) if isinstance(value, str | int | float) else ""


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
    """Whether it begins with the header lines that Anki writes."""
    return text.startswith(("#separator:", "#html:", "#tags", "#deck", "#notetype", "#columns"))


def is_tabbed(text: str) -> bool:
    """Whether it has a tab in the midst of many of its lines."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return 4 * sum("\t" in line for line in lines) > len(lines)


def questions_of_anki(text: str) -> Iterator[Item]:
    """The notes as questions; cloze notes ask nothing and are skipped."""
    lines = text.split("\n")
    header = _header_of(lines)
    # Header lines are blanked, not cut off, so that the others keep their line numbers.
    body = "\n" * len(header) + "\n".join(lines[len(header) :])
    settings = dict(header)
    separator = settings.get("separator", "tab")
    delimiter = _SEPARATORS.get(separator.lower(), separator[:1] or "\t")
    others = {int(n) - 1 for name, n in header if name.endswith(" column") and n.isdecimal()}
    # A file that does not say may contain HTML.
    html = settings.get("html", "true").lower() != "false"
    for line, row in rows(body, delimiter):
        if isinstance(row, Skipped):
            yield row
        elif any(cell.strip() for cell in row):
            fields = [cell for n, cell in enumerate(row) if n not in others]
            yield _anki_question(line, [_anki_plain(field, html=html) for field in fields])


def _header_of(lines: Sequence[str]) -> list[tuple[str, str]]:
    header: list[tuple[str, str]] = []
    for line in lines:
        match = _HEADER.fullmatch(line.strip("\r"))
        if match is None:
            break
        header.append((match[1], match[2].strip() or match[2]))
    return header


def _anki_question(line: int, fields: Sequence[str]) -> Item:
    front, back = (*fields, "", "")[:2]
    if _CLOZE.search(front):
        return Skipped(line, "is a cloze note, which asks nothing")
    if not front:
        return Skipped(line, "has no text on its front")
    return Question(line, front, back)


def _anki_plain(field: str, *, html: bool) -> str:
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
        if tag in ("td", "th"):
            self.parts.append(" ")
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
