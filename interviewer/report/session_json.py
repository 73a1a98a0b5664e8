"""A session, its debrief, its turns and grades as JSON values, and its verdicts as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from pydantic_core import to_jsonable_python

from interviewer.examiner.registry import kind_of
from interviewer.grading.agreement import ExamResult
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Grade, own_mark
from interviewer.interview import events
from interviewer.interview.debrief import Debrief, as_shown, rubrics_to_show
from interviewer.interview.debrief.questions import (
    BenchDebrief,
    CriterionLine,
    QuestionDebrief,
    RoundDebrief,
)
from interviewer.interview.journal import Replay
from interviewer.report.plain import printable
from interviewer.sandbox.result import CheckResult
from interviewer.store.records import SessionRow

SCHEMA = 1
COLUMNS = (
    *("session", "round", "question", "rubric", "title", "criterion", "claim", "weight", "verdict"),
    *("earned", "your words", "missing", "own", "examiner_kind"),
)
_FORMULA = ("=", "+", "-", "@", "\t")
"""What a cell begins with that a spreadsheet would calculate, or hand to another program."""


def session_json(replay: Replay, debrief: Debrief) -> dict[str, Any]:
    shown = as_shown(debrief, replay.state)
    return {
        "schema": SCHEMA,
        "session": row_json(replay.session),
        "debrief": debrief_json(shown, replay.times),
        "rubrics": {
            rubric_id: replay.rubrics[rubric_id].model_dump(mode="json")
            for rubric_id in sorted(rubrics_to_show(replay.state))
        },
        "events": list(_events(replay, withheld=shown.withheld)),
    }


def row_json(row: SessionRow) -> dict[str, Any]:
    """A line of the session list."""
    times = {"created_at": _moment(row.created_at), "updated_at": _moment(row.updated_at)}
    found = to_jsonable_python(row, exclude={"finished_rounds", "holder", "has_draft"})
    return {**found, **times}


def debrief_json(debrief: Debrief, times: Mapping[int, datetime] = {}) -> dict[str, Any]:
    """The debrief; turns carry their times where known."""
    found = to_jsonable_python(debrief, exclude={"rounds", "exams"})
    withheld = dict.fromkeys(("profile", "recommendation", "claims")) if debrief.withheld else {}
    return {
        **found,
        **withheld,
        "exams": {name: result and _exam(result) for name, result in debrief.exams.items()},
        "rounds": [_round(part, times) for part in debrief.rounds],
    }


def _exam(result: ExamResult) -> dict[str, Any]:
    found: dict[str, Any] = to_jsonable_python(result)
    return found | {"passed": result.passed, "taken_at": _moment(result.taken_at)}


def turn_json(turn: Turn, at: datetime | None = None) -> dict[str, Any]:
    """One utterance, without the criterion it was aimed at."""
    told = {"turn": turn.number, **fields(turn, "author", "kind", "text"), "at": at and _moment(at)}
    if turn.result:
        told["result"] = result_json(turn.result)
    if turn.run is not None:
        told["bench"] = turn.run
    if turn.figure:
        told["figure"] = turn.figure.as_data()
    return told


def grade_json(grade: Grade, lines: tuple[CriterionLine, ...]) -> dict[str, Any]:
    """A grade with its verdicts, as ``grade --json`` and ``sessions show --json`` give it.

    ``cap`` is the score that ``final`` was kept to, ``interval`` what votes and doubts allow, and
    ``between_bands`` the bands at its ends where they differ.
    """
    scores = ("band", "first", "unassisted", "final", "interval", "between_bands", "cap")
    return {
        **fields(grade, *scores, "examiner", "reasons"),
        "examiner_kind": kind_of(grade.examiner).choice,
        "flags": sorted(grade.flags),
        "verdicts": [criterion_json(line) for line in lines],
    }


def criterion_json(line: CriterionLine) -> dict[str, Any]:
    """A criterion and its verdict, or why it is ``ungraded``, in codes and a ``reason``.

    ``earned`` is what of its weight it adds to the score; ``further``: the harder variant asked for
    it, not the question. ``own`` is the candidate's own verdict, "said" or "not". ``evidence``,
    ``turn`` and ``span`` are the main words, ``quotes`` all of them. ``unsupported`` says why code
    took credit back. ``votes`` holds both verdicts where there was a second look, ``doubt`` what
    speaks for another one.
    """
    verdict = line.verdict
    said = ("verdict", "evidence", "turn", "span", "quotes", "source", "missing", "unsupported")
    doubt = verdict.alternative and {"alternative": verdict.alternative, "why": verdict.doubt}
    return {
        "criterion": line.criterion.id,
        **fields(line.criterion, "claim", "weight", "must_have", "extra"),
        "further": line.further,
        "own": own_mark(line.own),
        "earned": round(line.earned, 4),
        "examiner_kind": kind_of(line.examiner).choice,
        **fields(verdict, *said, "votes", "ungraded", "reason"),
        "doubt": doubt,
    }


def result_json(result: CheckResult) -> dict[str, Any]:
    """What a candidate may see of a run at any time; not the criteria that its lines prove."""
    names = ("challenge", "outcome", "passed", "summary", "first_bad_line", "derived", "output")
    return {
        **fields(result, *names, "tier", "milliseconds"),
        "lines": [fields(each, "line", "status", "message") for each in result.lines],
    }


def fields(value: object, *names: str) -> dict[str, Any]:
    """These attributes as JSON values, in this order."""
    values: dict[str, Any] = to_jsonable_python({name: getattr(value, name) for name in names})
    return values


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


def _events(replay: Replay, *, withheld: bool) -> Iterator[dict[str, Any]]:
    for seq, recorded in enumerate(replay.journal, start=1):
        mode, event = replay.state.mode, recorded.event
        shown = events.as_shown(event, mode) if withheld else event
        if shown is not None:
            at = _moment(recorded.at)
            yield {"seq": seq, "at": at, "elapsed": recorded.elapsed, **events.to_json(shown)}


def _round(part: RoundDebrief, times: Mapping[int, datetime]) -> dict[str, Any]:
    return {
        "round": part.number,
        **fields(part, "title", "band", "not_asked"),
        "questions": [_question(question, times) for question in part.questions],
    }


def _question(question: QuestionDebrief, times: Mapping[int, datetime]) -> dict[str, Any]:
    """``own`` is the result with the candidate's own verdicts, beside that in ``grade``."""
    grade, own = question.grade, {"band": question.own_band, "final": question.own_score}
    return {
        "question": question.number,
        "rubric": question.rubric.id,
        "title": question.rubric.title,
        **fields(question, "place", "closed", "answered", "skipped"),
        "grade": grade and grade_json(grade, question.lines),
        "own": None if question.own_score is None else own,
        "next_time": to_jsonable_python(question.lessons),
        "bench": _bench(question.bench) if grade and question.bench else None,
        "turns": [turn_json(turn, times.get(turn.number)) for turn in question.turns],
    }


def _bench(bench: BenchDebrief) -> dict[str, Any]:
    challenge = bench.challenge
    written = fields(challenge, "solution", "derivation") if challenge else {}
    return {
        "challenge": bench.id,
        "runs": [turn.number for turn in bench.runs],
        "handed_in": sorted(bench.submitted),
        "last": bench.last and result_json(bench.last),
        "open_points": list(bench.last.open_points) if bench.last else [],
        **(written or {"solution": None, "derivation": None}),
    }


def verdict_csv(replay: Replay, debrief: Debrief) -> str:
    """A header, then the criteria in the order of the questions, as in :func:`criterion_json`.

    A question without verdicts, or whose verdicts are still withheld, has one row with its cells
    from the criterion on left empty. ``missing`` says why a criterion could not be judged.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for question in as_shown(debrief, replay.state).questions:
        asked = (replay.session.id, question.round, question.number, question.rubric.id)
        head = dict(zip(COLUMNS, (*asked, question.rubric.title), strict=False))
        for row in [_row(line) for line in question.lines] or [{}]:
            writer.writerow({name: _safe(cell) for name, cell in (head | row).items()})
    return out.getvalue()


def _row(line: CriterionLine) -> dict[str, Any]:
    found = line.verdict
    return criterion_json(line) | {
        "your words": " … ".join(quote.text for quote in found.quotes),
        "missing": found.reason or found.missing,
    }


def _safe(cell: Any) -> Any:
    """Numbers as they are; a text that would be a formula gets the apostrophe that keeps it one."""
    if not isinstance(cell, str):
        return cell
    text = printable(cell)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
