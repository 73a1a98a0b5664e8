"""What came of importing a list of questions, in lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.plural import pluralize

if TYPE_CHECKING:
    from interviewer.rubric.importing import Outcome


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
