"""Question lists as tables: comma, semicolon, tab or bar between the columns."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence

from interviewer.rubric.importing.question import Item, Question, Skipped

DELIMITERS = ",;\t|"
FIELDS = ("question", "answer", "topic", "difficulty", "id")
_LOOKED_AT = 50
"""Rows from which the delimiter is told."""


def questions_of_table(text: str, delimiter: str | None = None) -> Iterator[Item]:
    """The rows as questions.

    A first row that names a column "question" is the header, and names the others as well; without
    it the first column is the question and the second the answer.
    """
    table = rows(text, delimiter or _delimiter_of(text))
    columns: dict[str, int] | None = None
    for line, row in table:
        if isinstance(row, Skipped):
            yield row
        elif columns is None and (named := _header(row)):
            columns = named
        elif any(cell.strip() for cell in row):
            columns = columns or {"question": 0, "answer": 1}
            yield _question(line, row, columns)


def rows(text: str, delimiter: str) -> Iterator[tuple[int, Sequence[str] | Skipped]]:
    """The rows with the lines on which they begin; a row that cannot be read says so."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    while True:
        line = reader.line_num + 1
        try:
            yield line, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, Skipped(line, f"is no row of a table ({error}); check its quotes")


def _header(row: Sequence[str]) -> dict[str, int] | None:
    names = [cell.strip().lower() for cell in row]
    if "question" not in names:
        return None
    return {name: names.index(name) for name in FIELDS if name in names}


def _delimiter_of(text: str) -> str:
    """The one that cuts most of the first rows into as many columns as their neighbours have."""
    return max(DELIMITERS, key=lambda delimiter: _regularity(text, delimiter))


def _regularity(text: str, delimiter: str) -> tuple[bool, int]:
    read = [row for _, row in _first_rows(text, delimiter) if not isinstance(row, Skipped)]
    widths = Counter(len(row) for row in read if len(row) > 1)
    has_header = bool(read) and _header(read[0]) is not None and len(read[0]) > 1
    return has_header, max(widths.values(), default=0)


def _first_rows(text: str, delimiter: str) -> Iterator[tuple[int, Sequence[str] | Skipped]]:
    for (line, row), _ in zip(rows(text, delimiter), range(_LOOKED_AT), strict=False):
        yield line, row


def _question(line: int, row: Sequence[str], columns: dict[str, int]) -> Item:
    cells = {name: row[n].strip() for name, n in columns.items() if n < len(row)}
    if not cells.get("question"):
        return Skipped(line, "has no question")
    return Question(line, **cells)
