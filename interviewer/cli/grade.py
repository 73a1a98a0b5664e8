"""``interviewer grade``: grade answers without an interview, one or a file of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.batch import batch_path, run_batch, texts_of
from interviewer.cli.console import (
    examiner_option,
    json_option,
    library_of,
    pass_settings,
    say,
    say_json,
    text_from,
)

if TYPE_CHECKING:
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
@json_option
@pass_settings
def grade(
    settings: Settings,
    rubric_id: str | None,
    answer: Path | None,
    batch: Path | None,
    examiner: str | None,
    as_json: bool,
) -> None:
    """Grade one answer, or a file of them, against a rubric."""
    from interviewer.composition import make_examiner
    from interviewer.interview.examining import grade_answer

    if batch is not None and (rubric_id or answer):
        raise click.UsageError("--batch brings its own rubrics and answers; give it alone.")
    if batch is None and rubric_id is None:
        raise click.UsageError("Name the RUBRIC, or give a file of answers with --batch.")
    library = library_of(settings)
    judge = make_examiner(settings, examiner)
    with asyncio.Runner() as runner:

        def graded(rubric: Rubric, text: str) -> SingleGrade:
            return runner.run(grade_answer(judge, rubric, text))

        try:
            if batch is not None:
                run_batch(batch, partial(_graded_task, library, graded), "graded")
                return
            assert rubric_id is not None
            rubric = library.get(rubric_id).model
            result = graded(rubric, text_from(answer, "answer"))
        finally:
            runner.run(judge.aclose())
    if as_json:
        say_json({"id": None} | as_json_value(rubric, result))
        return
    for line in _described(rubric, result):
        say(line)


def _graded_task(
    library: Library, graded: Callable[[Rubric, str], SingleGrade], task: dict[str, Any]
) -> dict[str, Any]:
    rubric_id, answer = texts_of(task, "rubric", "answer")
    rubric = library.get(rubric_id).model
    return as_json_value(rubric, graded(rubric, answer))


def as_json_value(rubric: Rubric, graded: SingleGrade) -> dict[str, Any]:
    """The grade as JSON: :class:`~interviewer.report.session_json.GradeJson`, and what comes next.

    ``score`` is the final one; ``follow_up`` is what the examiner would ask, null if nothing.
    """
    from interviewer.interview.debrief.questions import criterion_lines
    from interviewer.report.session_json import grade_json

    return {
        "rubric": rubric.id,
        "score": graded.grade.final,
        **grade_json(graded.grade, tuple(criterion_lines(rubric, graded.grade))),
        "follow_up": graded.follow_up,
    }


def _described(rubric: Rubric, graded: SingleGrade) -> Iterator[str]:
    from interviewer.interview.debrief.questions import criterion_lines
    from interviewer.report import words
    from interviewer.report.text import grade_lines

    yield f"{rubric.title}: {words.band_words(graded.grade.band)}"
    yield from grade_lines(graded.grade, list(criterion_lines(rubric, graded.grade)))
    if graded.follow_up:
        yield f"The examiner would ask: {graded.follow_up}"
