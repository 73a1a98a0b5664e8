"""``interviewer grade``: grade answers without an interview, one or a file of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.batch import batch_path, run_batch_together, texts_of
from interviewer.cli.console import (
    examiner_option,
    json_option,
    library_of,
    pass_settings,
    say,
    say_json,
    text_from,
)
from interviewer.examiner import registry

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.interview.examining import SingleGrade
    from interviewer.rubric.library import Library
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings


@click.command()
@click.argument("rubric_id", metavar="[RUBRIC]", required=False)
@click.option(
    "--answer",
    metavar="FILE",
    type=batch_path,
    help="The answer's file; by default stdin (-).",
)
@click.option(
    "--batch",
    metavar="FILE",
    type=batch_path,
    help='Grade many: JSON lines {"id", "rubric", "answer"}, one line of JSON out for each.',
)
@examiner_option("Who judges.")
@click.option(
    "--parallel",
    metavar="N",
    type=click.IntRange(1, 32),
    default=4,
    show_default=True,
    help="Answers of a batch that a model grades at the same time.",
)
@click.option(
    "--follow-up",
    is_flag=True,
    help="Say for each of a batch what would be asked next: twice the calls to a model.",
)
@json_option
@pass_settings
def grade(
    settings: Settings,
    rubric_id: str | None,
    answer: Path | None,
    batch: Path | None,
    examiner: str | None,
    parallel: int,
    follow_up: bool,
    as_json: bool,
) -> None:
    """Grade one answer, or a file of them, against a rubric."""
    from interviewer.composition import make_examiner

    if batch is not None and (rubric_id or answer):
        raise click.UsageError("--batch brings its own rubrics and answers; give it alone.")
    if batch is None and rubric_id is None:
        raise click.UsageError("Name the RUBRIC, or give a file of answers with --batch.")
    library = library_of(settings)
    judge = make_examiner(settings, examiner)
    if batch is not None:
        waits = registry.chosen(examiner or settings.chosen_examiner).needs_endpoint
        at_once = parallel if waits else 1
        asyncio.run(_grade_batch(judge, library, batch, at_once, follow_up))
        return
    assert rubric_id is not None
    rubric, result = asyncio.run(_grade_one(judge, library, rubric_id, answer))
    if as_json:
        say_json({"id": None} | as_json_value(rubric, result))
        return
    for line in _described(rubric, result):
        say(line)


async def _grade_one(
    judge: Examiner, library: Library, rubric_id: str, answer: Path | None
) -> tuple[Rubric, SingleGrade]:
    from interviewer.interview.examining import grade_answer

    async with aclosing(judge):
        rubric = library.get(rubric_id).model
        return rubric, await grade_answer(judge, rubric, text_from(answer, "answer"))


async def _grade_batch(
    judge: Examiner, library: Library, batch: Path, parallel: int, follow_up: bool
) -> None:
    from interviewer.interview.examining import grade_answer

    async def graded(task: dict[str, Any]) -> dict[str, Any]:
        rubric_id, text = texts_of(task, "rubric", "answer")
        rubric = library.get(rubric_id).model
        one = await grade_answer(judge, rubric, text, follow_up=follow_up)
        return as_json_value(rubric, one)

    async with aclosing(judge):
        await run_batch_together(batch, graded, "graded", parallel)


def as_json_value(rubric: Rubric, graded: SingleGrade) -> dict[str, Any]:
    """The grade as JSON: :func:`~interviewer.report.session_json.grade_json`, and what comes next.

    ``score`` is the final one; ``follow_up`` is what the examiner would ask, null if nothing or
    where a batch is only judged. ``unheard`` says why the examiner had no say in it, if so.
    """
    from interviewer.interview.debrief.questions import criterion_lines
    from interviewer.report.session_json import grade_json

    return {
        "rubric": rubric.id,
        "score": graded.grade.final,
        **grade_json(graded.grade, tuple(criterion_lines(rubric, graded.grade))),
        "follow_up": graded.follow_up,
        **({"unheard": graded.unheard} if graded.unheard else {}),
    }


def _described(rubric: Rubric, graded: SingleGrade) -> Iterator[str]:
    from interviewer.interview.debrief.questions import criterion_lines
    from interviewer.report import words
    from interviewer.report.document import point
    from interviewer.report.text import text_lines

    lines = list(criterion_lines(rubric, graded.grade))
    band = words.COULD_NOT if graded.grade.band is None else words.band_words(graded.grade.band)
    yield f"{rubric.title}: {words.with_heard(band, lines)}"
    for line in lines:
        yield from text_lines(point(line))
    grade = graded.grade
    notes = words.scores_sentence(grade), *grade.reasons, words.flags_sentence(grade.flags)
    yield from (f"  {note}" for note in notes if note)
    if graded.unheard:
        yield graded.unheard
    if graded.follow_up:
        yield f"The examiner would ask: {graded.follow_up}"
