"""``interviewer grade``: answers graded without an interview, one or a file of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import (
    end_batch,
    examiner_option,
    json_option,
    library_of,
    pass_settings,
    say,
    say_json,
    task_lines,
    task_of,
    text_from,
    texts_of,
)
from interviewer.errors import InterviewerError

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
    type=click.Path(path_type=Path, allow_dash=True),
    help="The answer's file; stdin (-) unless told otherwise.",
)
@click.option(
    "--batch",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
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

    if batch is not None and (rubric_id or answer):
        raise click.UsageError("--batch names rubrics and answers itself; give it alone.")
    if batch is None and rubric_id is None:
        raise click.UsageError("Name the RUBRIC, or give a file of answers with --batch.")
    library = library_of(settings)
    judge = make_examiner(settings, examiner)
    if batch is not None:
        asyncio.run(_grade_batch(judge, library, batch))
    else:
        assert rubric_id is not None
        rubric = library.get(rubric_id).model
        asyncio.run(_grade_one(judge, rubric, text_from(answer, "answer"), as_json=as_json))


async def _grade_one(judge: Examiner, rubric: Rubric, answer: str, *, as_json: bool) -> None:
    from interviewer.interview.examining import grade_answer

    try:
        graded = await grade_answer(judge, rubric, answer)
    finally:
        await judge.aclose()
    if as_json:
        say_json(as_json_value(None, rubric, graded))
        return
    for line in _told(rubric, graded):
        say(line)


async def _grade_batch(judge: Examiner, library: Library, path: Path) -> None:
    """One line out for each line in, in order; a line that fails keeps no other from its grade."""
    lines = failed = 0
    try:
        for number, line in task_lines(path):
            lines += 1
            result = await _graded_line(judge, library, number, line)
            failed += "error" in result
            say_json(result)
    finally:
        await judge.aclose()
    end_batch(lines, failed, "graded")


async def _graded_line(
    judge: Examiner, library: Library, number: int, line: bytes
) -> dict[str, Any]:
    from interviewer.interview.examining import grade_answer

    line_id = None
    try:
        task = task_of(number, line)
        line_id = task.get("id")
        rubric, answer = texts_of(task, "rubric", "answer")
        known = library.get(rubric).model
        return as_json_value(line_id, known, await grade_answer(judge, known, answer))
    except InterviewerError as error:
        return {"id": line_id, "error": str(error)}


def as_json_value(line_id: Any, rubric: Rubric, graded: SingleGrade) -> dict[str, Any]:
    """The grade as JSON prints it; ``verdict`` is null for a point that could not be judged."""
    from interviewer.interview.debrief.questions import criterion_lines

    return {
        "id": line_id,
        "rubric": rubric.id,
        "score": graded.grade.final,
        "band": graded.grade.band,
        "verdicts": [
            {
                "criterion": line.criterion.id,
                "verdict": line.verdict and line.verdict.verdict.value,
                "evidence": line.verdict.evidence if line.verdict else "",
            }
            for line in criterion_lines(rubric, graded.grade)
        ],
        "flags": sorted(graded.grade.flags),
        "follow_up": graded.follow_up,
    }


def _told(rubric: Rubric, graded: SingleGrade) -> Iterator[str]:
    from interviewer.interview.debrief.questions import criterion_lines
    from interviewer.report import words
    from interviewer.report.text import grade_lines

    yield f"{rubric.title}: {words.band_words(graded.grade.band)}"
    yield from grade_lines(graded.grade, list(criterion_lines(rubric, graded.grade)))
    if graded.follow_up:
        yield f"The examiner would ask: {graded.follow_up}"
