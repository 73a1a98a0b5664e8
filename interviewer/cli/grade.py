"""``interviewer grade`` and ``claims``: texts without an interview, one or a file of them."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer import composition
from interviewer.cli.console import (
    examiner_option,
    json_option,
    library_of,
    pass_settings,
    say,
    say_json,
    say_table,
    text_from,
)
from interviewer.errors import ExaminerError, InterviewerError
from interviewer.examiner import registry

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.grading.claims.quantity import Ledger, Reading
    from interviewer.interview.examining import SingleGrade
    from interviewer.rubric.library import Library
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings

AT_ONCE = 4
"""Lines of a batch that a model works on at the same time."""
_file = click.Path(path_type=Path, allow_dash=True)


@click.command()
@click.argument("rubric_id", metavar="[RUBRIC]", required=False)
@click.option(
    "--answer", "path", metavar="FILE", type=_file, help="The answer's file; by default stdin."
)
@click.option(
    "--batch",
    metavar="FILE",
    type=_file,
    help='Many: JSON lines {"id", "rubric", "answer"}, one line of JSON out for each.',
)
@json_option
@examiner_option("Who judges.")
@pass_settings
def grade(
    settings: Settings,
    rubric_id: str | None,
    path: Path | None,
    batch: Path | None,
    examiner: str | None,
    as_json: bool,
) -> None:
    """Grade one answer, or a file of them, against a rubric."""
    if batch is not None and (rubric_id or path):
        raise click.UsageError("--batch brings its own rubrics and answers; give it alone.")
    if batch is None and rubric_id is None:
        raise click.UsageError("Name the RUBRIC, or give a file of answers with --batch.")
    library = library_of(settings)
    judge = composition.make_examiner(settings, examiner)
    if batch is not None:
        waits = registry.chosen(examiner or settings.chosen_examiner).needs_endpoint
        at_once = AT_ONCE if waits else 1
        asyncio.run(_grade_batch(judge, library, text_from(batch, "batch"), at_once))
        return
    rubric = library.get(rubric_id or "").model
    result = asyncio.run(_grade_one(judge, rubric, text_from(path, "answer")))
    if as_json:
        say_json({"id": None} | grade_values(rubric, result))
        return
    for line in _graded_lines(rubric, result):
        say(line)


async def _grade_one(judge: Examiner, rubric: Rubric, answer: str) -> SingleGrade:
    from interviewer.interview.examining import grade_answer

    async with aclosing(judge):
        return await grade_answer(judge, rubric, answer)


async def _grade_batch(judge: Examiner, library: Library, text: str, at_once: int) -> None:
    """Print the grade of each line, in order, as soon as it is there.

    A line that fails gives its reason under ``error`` and stops no other; any failure means exit
    code 1.
    """
    from interviewer.interview.examining import grade_answer

    failed = 0
    lines = [line for line in text.split("\n") if line.strip()]
    under_way: deque[asyncio.Task[dict[str, Any]]] = deque()

    async def graded(line: str) -> dict[str, Any]:
        id_ = None
        try:
            task = _object(line)
            id_ = task.get("id")
            match task:
                case {"rubric": str(rubric_id), "answer": str(answer)}:
                    rubric = library.get(rubric_id).model
                    grade = await grade_answer(judge, rubric, answer, follow_up=False)
                    return {"id": id_} | grade_values(rubric, grade)
            raise InterviewerError('A line needs the texts "rubric" and "answer".')
        except InterviewerError as error:
            nonlocal failed
            failed += 1
            return {"id": id_, "error": str(error)}

    async with aclosing(judge):
        for line in lines:
            under_way.append(asyncio.create_task(graded(line)))
            if len(under_way) == at_once:
                say_json(await under_way.popleft())
        while under_way:
            say_json(await under_way.popleft())
    if failed:
        raise click.ClickException(f"{failed} of {len(lines)} lines could not be graded.")


def _object(line: str) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        if isinstance(found := json.loads(line), dict):
            return found
    raise InterviewerError("This line is no JSON object.")


def grade_values(rubric: Rubric, graded: SingleGrade) -> dict[str, Any]:
    """The grade as JSON; ``unheard`` says why the examiner had no say in ``follow_up``, if so."""
    from interviewer.interview.debrief.questions import criterion_lines
    from interviewer.report.session_json import grade_json

    return {
        "rubric": rubric.id,
        "score": graded.grade.final,
        **grade_json(graded.grade, tuple(criterion_lines(rubric, graded.grade))),
        "follow_up": graded.follow_up,
        **({"unheard": graded.unheard} if graded.unheard else {}),
    }


def _graded_lines(rubric: Rubric, graded: SingleGrade) -> Iterator[str]:
    from interviewer.interview.debrief.questions import criterion_lines
    from interviewer.report import words
    from interviewer.report.document import point
    from interviewer.report.text import text_lines

    grade = graded.grade
    lines = list(criterion_lines(rubric, grade))
    band = words.COULD_NOT if grade.band is None else words.band_words(grade.band)
    yield f"{rubric.title}: {words.with_heard(band, lines)}"
    for line in lines:
        yield from text_lines(point(line))
    notes = words.scores_sentence(grade), *grade.reasons, words.flags_sentence(grade.flags)
    yield from (f"  {note}" for note in notes if note)
    if graded.unheard:
        yield graded.unheard
    if graded.follow_up:
        yield f"The examiner would ask: {graded.follow_up}"


@click.command()
@click.option(
    "--file", "path", metavar="FILE", type=_file, help="The text's file; by default stdin."
)
@json_option
@examiner_option("Who reads the numbers: offline, by rules (the default), or the model.")
@pass_settings
def claims(settings: Settings, path: Path | None, examiner: str | None, as_json: bool) -> None:
    """Find the numbers that a text states about training runs, and check their arithmetic."""
    from interviewer.grading.claims.ledger import ledger

    reader = composition.make_examiner(settings, examiner or registry.OFFLINE.choice)
    reading = asyncio.run(_read(reader, text_from(path, "text")))
    if as_json:
        say_json(_claims_values(reading, ledger([reading])))
    else:
        _say_claims(reading, ledger([reading]))


async def _read(reader: Examiner, text: str) -> Reading:
    """As an interview has it read; rules never stand in for a model. Raises ExaminerError."""
    from interviewer.examiner.protocol import AnswerToRead
    from interviewer.grading.transcript import Turn, TurnKind

    turn = Turn(1, "candidate", TurnKind.ANSWER, text)
    async with aclosing(reader):
        reading = await reader.read_figures(AnswerToRead(turn, on_own_work=True))
    if reading.failed:
        raise ExaminerError(reading.failed)
    return reading


def _claims_values(reading: Reading, found: Ledger) -> dict[str, Any]:
    """The ledger as JSON: values in base units, contradictions in words."""
    names = ("text", "value", "unit", "run", "whose", "status")
    value: dict[str, Any] = {
        "claims": [
            {"quantity": each.measure} | {name: getattr(each, name) for name in names}
            for each in found.quantities
        ],
        "contradictions": [
            {
                "sentence": each.sentence,
                "claims": [quantity.text for quantity in each.quantities],
                "relations": list(each.relations),
            }
            for each in found.contradictions
        ],
        "read_by": reading.by,
    }
    return value | ({"dropped": reading.dropped} if reading.by == "model" else {})


def _say_claims(reading: Reading, found: Ledger) -> None:
    from interviewer.grading.claims.quantity import shown
    from interviewer.report.words import measure_words

    if not found.standing:
        say("No number about a training run was found.")
        return
    rows = [
        (measure_words(each.measure), shown(each), f"“{each.text}”", each.run.removeprefix("#"))
        for each in found.standing
    ]
    say_table([("QUANTITY", "VALUE", "QUOTE", "RUN"), *rows])
    say()
    for each in found.contradictions:
        say(f"✗ {each.sentence}")
    if not found.contradictions:
        say("Nothing in these numbers contradicts the rest.")
    if dropped := reading.dropped:
        say(f"Left out, since the words do not hold them: {dropped} that the model read.")
