"""``interviewer rubrics``: the questions, their files, and the examiner tested on them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer import composition
from interviewer.cli.authoring import answer, copy, import_list
from interviewer.cli.console import (
    complain,
    examiner_option,
    json_option,
    library_of,
    open_sessions,
    pass_settings,
    progress_bar,
    say,
    say_json,
    say_table,
)
from interviewer.cli.content import View, folders_in_use
from interviewer.content.kinds import RUBRICS
from interviewer.errors import InterviewerError

if TYPE_CHECKING:
    from interviewer.content.fields import Problem
    from interviewer.examiner.protocol import Examiner
    from interviewer.examiner.selftest.exam import EvalSet, Exam
    from interviewer.examiner.selftest.figures import Figures
    from interviewer.rubric.library import Library, Summary
    from interviewer.rubric.rubric import Criterion, Rubric
    from interviewer.settings import Settings

REASONS = 5
"""How many reasons of failures are shown; more would bury the result."""
_HEADING = ("RUBRIC", "SAMPLES", "F1", "KAPPA", "QWK", "LIFTED", "WORST")


@click.group()
def rubrics() -> None:
    """The questions, their files, and how well they are written."""


def _row(rubric: Summary) -> dict[str, Any]:
    return {name: value for name, value in vars(rubric).items() if name != "line"}


def _described(rubric: Rubric) -> Iterator[str]:
    from interviewer.report.figures import captioned, told

    yield f"{rubric.title} ({rubric.id}, version {rubric.version})"
    yield f"{rubric.round} · {rubric.topic} · {rubric.difficulty} · {rubric.kind}"
    yield ""
    yield f"Question: {rubric.question}"
    if rubric.figure:
        yield from (captioned(rubric.figure), *told(rubric.figure))
    yield ""
    yield "Criteria:"
    yield from map(_criterion_line, rubric.criteria)
    yield ""
    yield f"Reference answer: {rubric.reference}"
    yield ""
    if rubric.sources:
        yield "Sources:"
        yield from (f"  - {source}" for source in rubric.sources)
        yield ""


def _criterion_line(criterion: Criterion) -> str:
    must = ", must have" if criterion.must_have else ", extra" if criterion.extra else ""
    return f"  - {criterion.id} (weight {criterion.weight:g}{must}): {criterion.claim}"


def _lint(settings: Settings, paths: tuple[Path, ...]) -> tuple[int, list[Problem]]:
    from interviewer.rubric.lint import lint_paths

    return lint_paths(paths or folders_in_use(settings, RUBRICS))


def _model() -> type[Rubric]:
    from interviewer.rubric.rubric import Rubric

    return Rubric


@click.command()
@click.argument("rubric_ids", metavar="[RUBRIC]...", nargs=-1)
@examiner_option("Who is tested.")
@click.option(
    "--samples",
    "limit",
    metavar="N",
    type=click.IntRange(min=1),
    help="At most N samples and N attacks, spread over the rubrics.",
)
@click.option("--no-attacks", is_flag=True, help="Leave out the attempts to trick the examiner.")
@json_option
@pass_settings
def selftest(
    settings: Settings,
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

    rubrics = _with_samples(library_of(settings), rubric_ids)
    # Without a store: repeats must be judged afresh.
    tested = composition.make_examiner(settings, examiner)
    with open_sessions(settings) as store:
        try:
            items = eval_set(rubrics, attacks=not no_attacks, limit=limit)
            exam = asyncio.run(_run(tested, items))
        except KeyboardInterrupt:
            raise InterviewerError("Stopped before the end; nothing was stored.") from None
        report = exam.as_json()
        store.exams.save(exam.result, exam.rubrics_sha256, report)
    if as_json:
        say_json(report)
    else:
        rows = [_exam_row(rubric, figures) for rubric, figures in exam.rubrics.items()]
        say_table([_HEADING, *rows, _exam_row("all", exam.total)])
        for line in _notes(exam):
            say(line)
    verdict = exam_sentence(exam.result, tested.name)
    if not exam.result.passed:
        raise click.ClickException(verdict)
    if not as_json:
        say(verdict)


def _with_samples(library: Library, rubric_ids: Sequence[str]) -> list[Rubric]:
    """The rubrics asked for that have samples; the others are named on stderr."""
    asked = [library.get(rubric_id).model for rubric_id in rubric_ids] or library.models()
    usable = [rubric for rubric in asked if rubric.samples]
    if not usable:
        raise InterviewerError(
            "No sample to grade: none of these rubrics has samples with their verdicts."
        )
    if bare := [rubric.id for rubric in asked if not rubric.samples]:
        complain(f"Left out, without samples: {', '.join(bare)}.")
    return usable


async def _run(examiner: Examiner, items: EvalSet) -> Exam:
    from interviewer.examiner.selftest.exam import run_exam

    async with aclosing(examiner):
        with progress_bar(items.items) as bar:
            return await run_exam(examiner, items, progress=lambda: bar.update(1))


def _exam_row(name: str, figures: Figures) -> tuple[str, ...]:
    def shown(value: float | None) -> str:
        return "–" if value is None else f"{value:.2f}"

    worst = figures.worst
    return (
        name,
        str(figures.samples),
        shown(figures.macro_f1),
        shown(figures.kappa),
        shown(figures.qwk),
        f"{figures.lifted} of {figures.attacks}",
        "" if worst is None else f"{worst.criterion} ({worst.agreed:.0%})",
    )


def _notes(exam: Exam) -> Iterator[str]:
    from interviewer.report.words import signed

    total = exam.total
    if total.quotes_valid is not None:
        yield f"Quotes: {total.quotes_valid:.1%} are in the answer and passed the checks."
    if total.flips is not None:
        yield f"Repeats: {total.flips:.1%} of the verdicts changed."
    if total.attack_gain is not None:
        lifting = [f"{attack} {times}" for attack, times in Counter(total.lifting).items()]
        by_which = f" ({', '.join(lifting)})" if lifting else ""
        yield (
            f"Attacks: mean gain {signed(total.attack_gain)}, {total.lifted} of {total.attacks} "
            f"lifted a band{by_which}."
        )
    if total.unjudged:
        yield f"Not judged in full by this examiner: {total.unjudged}."
    reasons = Counter(failure.reason for failure in total.failures)
    for reason, times in reasons.most_common(REASONS):
        yield f"  {times} × {reason}"


_view = View(
    RUBRICS,
    library_of,
    row=_row,
    columns=("round", "difficulty"),
    order=lambda rubric: (rubric.round, rubric.id),
)
for command in (
    _view.list_command(),
    _view.show_command("Show one rubric: question, criteria and reference answer.", _described),
    _view.lint_command("Check rubric files and folders; without a PATH, all in use.", _lint),
    _view.new_command(_model),
    copy,
    import_list,
    answer,
    selftest,
):
    rubrics.add_command(command)
