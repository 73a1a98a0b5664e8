"""``interviewer grade``, one answer; ``rubrics selftest``, the exam of an examiner."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from interviewer import composition
from interviewer.cli import console
from interviewer.errors import InterviewerError
from interviewer.examiner import registry

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.examiner.selftest.exam import EvalSet, Exam, Figures
    from interviewer.interview.examining import SingleGrade
    from interviewer.rubric.library import Library
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings
    from interviewer.store.store import Store

REASONS = 5
"""How many reasons of failures are shown; more would bury the result."""


AT_ONCE = 4
"""Lines of a batch that a model works on at the same time."""


@click.command()
@click.argument("rubric_id", metavar="[RUBRIC]", required=False)
@click.option(
    "--answer",
    metavar="FILE",
    type=click.File("rb"),
    default="-",
    help="The answer's file; by default stdin.",
)
@click.option(
    "--batch",
    metavar="FILE",
    type=click.File("rb"),
    help='Many: JSON lines {"id", "rubric", "answer"}, one line of JSON out for each.',
)
@console.json_option
@console.examiner_option
@console.pass_settings
def grade(
    settings: Settings,
    rubric_id: str | None,
    answer: BinaryIO,
    batch: BinaryIO | None,
    examiner: str | None,
    as_json: bool,
) -> None:
    """Grade one answer, or a file of them, against a rubric."""
    if (batch is None) == (rubric_id is None):
        raise click.UsageError("Name the RUBRIC, or give a file of answers with --batch.")
    library = console.loaded(composition.load_library(settings))
    judge = composition.make_examiner(settings, examiner)
    if batch is not None:
        waits = registry.chosen(examiner or settings.chosen_examiner).needs_endpoint
        at_once = AT_ONCE if waits else 1
        asyncio.run(_grade_batch(judge, library, console.text_from(batch, "batch"), at_once))
        return
    rubric = library.get(rubric_id or "").model
    result = asyncio.run(_graded(judge, rubric, console.text_from(answer, "answer")))
    if as_json:
        console.say_json({"id": None} | _values(rubric, result))
        return
    console.say(*_graded_lines(rubric, result))


async def _graded(judge: Examiner, rubric: Rubric, answer: str) -> SingleGrade:
    from interviewer.interview.examining import grade_answer

    async with aclosing(judge):
        return await grade_answer(judge, rubric, answer)


async def _grade_batch(judge: Examiner, library: Library, text: str, at_once: int) -> None:
    """Print the grade of each line, in order.

    A line that fails gives its reason under ``error`` and stops no other; any failure means exit
    code 1.
    """
    from interviewer.interview.examining import grade_answer

    failed, turn = 0, asyncio.Semaphore(at_once)
    lines = [line for line in text.split("\n") if line.strip()]

    async def graded(line: str) -> dict[str, Any]:
        nonlocal failed
        task = console.object_in(line)
        try:
            match task:
                case {"rubric": str(rubric_id), "answer": str(answer)}:
                    rubric = library.get(rubric_id).model
                    async with turn:
                        found = await grade_answer(judge, rubric, answer, follow_up=False)
                    return {"id": task.get("id")} | _values(rubric, found)
            raise InterviewerError('A line needs to be an object with "rubric" and "answer".')
        except InterviewerError as error:
            failed += 1
            return {"id": task.get("id"), "error": str(error)}

    async with aclosing(judge):
        for under_way in [asyncio.ensure_future(graded(line)) for line in lines]:
            console.say_json(await under_way)
    if failed:
        raise click.ClickException(f"{failed} of {len(lines)} lines could not be graded.")


def _values(rubric: Rubric, graded: SingleGrade) -> dict[str, Any]:
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
@click.argument("rubric_ids", metavar="[RUBRIC]...", nargs=-1)
@console.examiner_option
@click.option(
    "--samples",
    "limit",
    metavar="N",
    type=click.IntRange(min=1),
    help="At most N samples and N attacks, spread over the rubrics.",
)
@click.option("--no-attacks", is_flag=True, help="Leave out the attempts to trick the examiner.")
@console.json_option
@console.pass_store
def selftest(
    settings: Settings,
    store: Store,
    rubric_ids: tuple[str, ...],
    examiner: str | None,
    limit: int | None,
    no_attacks: bool,
    as_json: bool,
) -> None:
    """Have the examiner judge the graded samples of the rubrics, and compare.

    Without a RUBRIC all are used. The result is stored and shown beside later grades; exit code 1
    means that a threshold was missed.
    """
    from interviewer.examiner.selftest.exam import eval_set
    from interviewer.report.words import exam_sentence

    rubrics = _with_samples(console.loaded(composition.load_library(settings)), rubric_ids)
    tested = composition.make_examiner(settings, examiner)
    try:
        items = eval_set(rubrics, attacks=not no_attacks, limit=limit)
        exam = asyncio.run(_examined(tested, items))
    except KeyboardInterrupt:
        raise InterviewerError("Stopped before the end; nothing was stored.") from None
    report = exam.as_json()
    store.save_exam(exam.result, exam.rubrics_sha256, report)
    if as_json:
        console.say_json(report)
    else:
        rows = [_exam_row(rubric, figures) for rubric, figures in exam.rubrics.items()]
        heading = ("RUBRIC", "SAMPLES", "F1", "KAPPA", "QWK", "LIFTED", "WORST")
        console.say_table([heading, *rows, _exam_row("all", exam.total)])
        console.say(*_notes(exam))
    verdict = exam_sentence(exam.result, tested.name)
    if not exam.result.passed:
        raise click.ClickException(verdict)
    if not as_json:
        console.say(verdict)


def _with_samples(library: Library, rubric_ids: Sequence[str]) -> list[Rubric]:
    """The rubrics asked for that have samples; the others are named on stderr."""
    asked = [library.get(rubric_id).model for rubric_id in rubric_ids] or library.models()
    usable = [rubric for rubric in asked if rubric.samples]
    if not usable:
        raise InterviewerError(
            "No sample to grade: none of these rubrics has samples with their verdicts."
        )
    if bare := [rubric.id for rubric in asked if not rubric.samples]:
        console.complain(f"Left out, without samples: {', '.join(bare)}.")
    return usable


async def _examined(examiner: Examiner, items: EvalSet) -> Exam:
    from interviewer.examiner.selftest.exam import run_exam

    async with aclosing(examiner):
        with console.progress_bar(items.items) as bar:
            return await run_exam(examiner, items, progress=lambda: bar.update(1))


def _exam_row(name: str, figures: Figures) -> tuple[str, ...]:
    values = (figures.macro_f1, figures.kappa, figures.qwk)
    worst = figures.worst
    return (
        name,
        str(figures.samples),
        *("–" if value is None else f"{value:.2f}" for value in values),
        f"{figures.lifted} of {figures.attacks}",
        "" if worst is None else f"{worst.criterion} ({worst.agreed:.0%})",
    )


def _notes(exam: Exam) -> Iterator[str]:
    """What the table leaves out: which attacks lifted a band, and why samples went unjudged."""
    if exam.total.lifting:
        lifting = Counter(exam.total.lifting).items()
        yield f"Lifted by: {', '.join(f'{attack} {times}' for attack, times in lifting)}."
    if exam.total.unjudged:
        yield f"Not judged in full by this examiner: {exam.total.unjudged}."
    reasons = Counter(failure.reason for failure in exam.total.failures)
    for reason, times in reasons.most_common(REASONS):
        yield f"  {times} × {reason}"
