"""Which format a question list has, and reading it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from interviewer.errors import RubricFileError
from interviewer.rubric.files import text_of
from interviewer.rubric.importing.anki import is_anki_export, questions_of_anki
from interviewer.rubric.importing.delimited import questions_of_table
from interviewer.rubric.importing.markdown import questions_of_markdown
from interviewer.rubric.importing.question import Item
from interviewer.rubric.rendering import without_control

LARGEST_LIST = 10 * 1024**2
"""Bytes."""
MOST_QUESTIONS = 5000


def read_list(path: Path) -> tuple[Item, ...]:
    """What a question list holds, line by line. Raises RubricFileError where it is none."""
    text = text_of(path, largest=LARGEST_LIST)
    if "\0" in text:
        raise RubricFileError(f"{path} is no text file; export the questions as text.")
    text = without_control(text)
    match path.suffix.lower():
        case ".csv":
            found = questions_of_table(text)
        case ".tsv":
            found = questions_of_table(text, "\t")
        case ".md" | ".markdown":
            found = questions_of_markdown(text)
        case ".txt" if is_anki_export(text) or "\t" in text:
            found = questions_of_anki(text)
        case ".txt":
            found = questions_of_markdown(text)
        case _:
            raise RubricFileError(
                f"{path} has no ending that tells its format; name it .csv, .md (headings or "
                "numbered questions) or .txt (Anki's text export)."
            )
    items = tuple(islice(found, MOST_QUESTIONS + 1))
    if len(items) > MOST_QUESTIONS:
        raise RubricFileError(f"{path} holds more than {MOST_QUESTIONS} questions; split the file.")
    if not items:
        raise RubricFileError(
            f"{path} holds no question: a table needs one a row, Markdown a heading or a numbered "
            "item that ends in a question mark."
        )
    return items
