"""Making questions of a list: what would be done, doing it, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.paths import expanded
from interviewer.plural import pluralize
from interviewer.rubric.importing import import_questions, read_list

if TYPE_CHECKING:
    from interviewer.rubric.importing import Outcome
    from tui.engine import Engine


def import_list(engine: Engine, path: Path, *, write: bool) -> Outcome:
    """Make questions of a list, in the own folder; without ``write`` only say which.

    Raises InterviewerError.
    """
    listed = read_list(path)
    there, folder = engine.library().models(), engine.own_folder()
    return import_questions(
        listed.items, there, folder, path.name, write=write, encoding=listed.encoding
    )


def about_list(path: str) -> str:
    return "" if not path or expanded(path).is_file() else "There is no such file yet."


def preview_lines(outcome: Outcome) -> Iterator[str]:
    """What an import would write, and what it would leave out."""
    for each in outcome.written:
        points = pluralize(each.points, "point") if each.points else "no answer"
        yield f"line {each.line}: {each.question} ({points})"
    yield from _left_out(outcome)


def import_lines(outcome: Outcome, folder: Path) -> Iterator[str]:
    """What an import wrote, and what it left out."""
    if outcome.written:
        yield f"They are in {folder}, and can be asked at once. Editing one shows what it lacks."
    else:
        yield "Nothing was written."
    yield from _left_out(outcome)


def _left_out(outcome: Outcome) -> Iterator[str]:
    if outcome.encoding:
        yield f"Read as {outcome.encoding}, since it is not UTF-8: check a few of its letters."
    if outcome.duplicates:
        yield ""
        yield f"Already there: {pluralize(len(outcome.duplicates), 'question')}"
        yield from (f"  line {each.line}: {each.question}" for each in outcome.duplicates)
    if outcome.skipped:
        yield ""
        yield f"Skipped: {pluralize(len(outcome.skipped), 'line')}"
        yield from (f"  line {each.line} {each.why}." for each in outcome.skipped)
