"""A session's verdicts as CSV, a row for each criterion."""

from __future__ import annotations

import csv
import io
from typing import Any

from interviewer.interview.debrief import Debrief, as_shown
from interviewer.interview.debrief.questions import CriterionLine
from interviewer.interview.journal import Replay
from interviewer.report import words
from interviewer.report.plain import printable
from interviewer.report.session_json import criterion_json

COLUMNS = (
    *("session", "round", "question", "rubric", "title", "criterion", "claim", "weight", "verdict"),
    *("earned", "your words", "missing", "own", "examiner_kind", "appeal"),
)
_FORMULA = ("=", "+", "-", "@", "\t")
"""What a cell begins with that a spreadsheet would calculate, or hand to another program."""


def verdict_csv(replay: Replay, debrief: Debrief) -> str:
    """A header, then the criteria in the order of the questions.

    A question without verdicts, or whose verdicts are still withheld, has one row with its cells
    from the criterion on left empty. ``earned`` is the weight earned, less the price of hints; a
    criterion that could not be judged has no verdict, and ``missing`` says why. ``own`` is the
    candidate's own verdict, "said" or "not"; ``examiner_kind`` is "offline" or "llm"; ``appeal``
    is what came of theirs.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for question in as_shown(debrief, replay.state).questions:
        asked = (replay.session.id, question.round, question.number, question.rubric.id)
        head = dict(zip(COLUMNS, (*asked, question.rubric.title), strict=False))
        for row in [_verdict(line) for line in question.lines] or [{}]:
            writer.writerow({name: _safe(cell) for name, cell in (head | row).items()})
    return out.getvalue()


def _verdict(line: CriterionLine) -> dict[str, Any]:
    found = line.verdict
    return criterion_json(line) | {
        "your words": " … ".join(quote.text for quote in found.quotes),
        "missing": found.reason or found.missing,
        "appeal": words.appeal_words(line.appeal) if line.appeal else "",
    }


def _safe(cell: Any) -> Any:
    """Numbers as they are; a text that would be a formula gets the apostrophe that keeps it one."""
    if not isinstance(cell, str):
        return cell
    text = printable(cell)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
