"""A session's verdicts as CSV, a row for each criterion."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from interviewer.examiner.registry import kind_of
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.questions import CriterionLine, QuestionDebrief
from interviewer.interview.journal import Replay
from interviewer.report import words
from interviewer.report.plain import printable
from interviewer.report.text import grades_may_be_shown

COLUMNS = (
    "session",
    "round",
    "question",
    "rubric",
    "title",
    "criterion",
    "claim",
    "weight",
    "verdict",
    "earned",
    "your words",
    "missing",
    "own",
    "examiner_kind",
    "appeal",
)
_FORMULA = ("=", "+", "-", "@", "\t")
"""What a cell begins with that a spreadsheet would calculate, or hand to another program."""

Cell = str | int | float


def verdict_csv(replay: Replay, debrief: Debrief) -> str:
    """A header, then the criteria in the order of the questions.

    A question without verdicts, or whose verdicts are still withheld, has one row with its cells
    from the criterion on left empty. ``earned`` is the weight earned, less the price of hints; a
    criterion that could not be judged has no verdict, and ``missing`` says why. ``own`` is the
    candidate's own verdict, "said" or "not"; ``examiner_kind`` is "offline" or "llm"; ``appeal``
    is what came of theirs.
    """
    shown = grades_may_be_shown(replay.state)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for part in debrief.rounds:
        for question in part.questions:
            head = (replay.session.id, part.number, question.number)
            for row in _rows(question, shown=shown):
                writer.writerow([_safe(cell) for cell in (*head, *row)])
    return out.getvalue()


def _rows(question: QuestionDebrief, *, shown: bool) -> Iterator[tuple[Cell, ...]]:
    rubric = (question.rubric.id, question.rubric.title)
    if not (shown and question.grade and question.lines):
        yield (*rubric, *[""] * (len(COLUMNS) - 5))
        return
    for line in question.lines:
        yield (*rubric, *_verdict(line))


def _verdict(line: CriterionLine) -> tuple[Cell, ...]:
    found = line.verdict
    return (
        line.criterion.id,
        line.criterion.claim,
        line.criterion.weight,
        found.verdict.value if found else "",
        round(line.earned, 4),
        " … ".join(quote.text for quote in found.quotes) if found else "",
        found.missing if found else line.ungraded_reason,
        line.own or "",
        kind_of(line.examiner).choice,
        words.appeal_words(line.appeal) if line.appeal else "",
    )


def _safe(cell: Cell) -> Cell:
    """Numbers as they are; a text that would be a formula gets the apostrophe that keeps it one."""
    if not isinstance(cell, str):
        return cell
    text = printable(cell)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
