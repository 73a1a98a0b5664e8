"""``interviewer rubrics selftest``: the examiner judges the rubrics' own samples."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import aclosing, closing
from typing import TYPE_CHECKING

import click

from interviewer.cli.console import (
    complain,
    examiner_option,
    json_option,
    library_of,
    pass_settings,
    say,
    say_json,
    say_table,
)
from interviewer.errors import InterviewerError
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.examiner.selftest.exam import EvalSet, Exam
    from interviewer.examiner.selftest.figures import Figures
    from interviewer.rubric.library import Library
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings

REASONS = 5
"""How many reasons of failures are shown; more would bury the result."""
_HEADING = ("RUBRIC", "SAMPLES", "F1", "KAPPA", "R", "QWK", "BIAS", "RMSE", "LIFTED", "WORST")


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
@click.option(
    "--mutants",
    is_flag=True,
    help="Also judge full answers with one point removed or reversed: its credit must go.",
)
@json_option
@pass_settings
def selftest(
    settings: Settings,
    rubric_ids: tuple[str, ...],
    examiner: str | None,
    limit: int | None,
    no_attacks: bool,
    mutants: bool,
    as_json: bool,
) -> None:
    """Have the examiner judge the graded samples of the rubrics, and compare.

    Without a RUBRIC all are used. The result is stored and shown beside later grades; exit code 1
    means that a threshold was missed.
    """
    from interviewer.composition import make_examiner, open_store
    from interviewer.examiner.selftest.exam import eval_set
    from interviewer.report.words import exam_sentence

    rubrics = _with_samples(library_of(settings), rubric_ids)
    tested = make_examiner(settings, examiner)  # without a store: repeats must be judged afresh
    with closing(open_store(settings)) as store:
        try:
            items = eval_set(rubrics, attacks=not no_attacks, limit=limit, mutants=mutants)
            exam = asyncio.run(_run(tested, items))
        except KeyboardInterrupt:
            raise InterviewerError("Stopped before the end; nothing was stored.") from None
        report = exam.as_json()
        store.exams.save(exam.result, exam.rubrics_sha256, report)
    if as_json:
        say_json(report)
    else:
        _tell(exam)
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
    bare = [rubric.id for rubric in asked if not rubric.samples]
    if bare:
        complain(f"Left out, without samples: {', '.join(bare)}.")
    return usable


async def _run(examiner: Examiner, items: EvalSet) -> Exam:
    from interviewer.examiner.selftest.exam import run_exam

    async with aclosing(examiner):
        with click.progressbar(
            length=items.judgements, file=sys.stderr, hidden=not sys.stderr.isatty(), show_pos=True
        ) as bar:
            return await run_exam(
                examiner, items, progress=lambda progress: bar.update(progress.done - bar.pos)
            )


def _tell(exam: Exam) -> None:
    rows = [_row(rubric, figures) for rubric, figures in exam.rubrics]
    say_table([_HEADING, *rows, _row("all", exam.total)])
    for line in _notes(exam):
        say(line)


def _row(name: str, figures: Figures) -> tuple[str, ...]:
    from interviewer.report.words import signed

    def shown(value: float | None) -> str:
        return "–" if value is None else f"{value:.2f}"

    worst = figures.worst
    return (
        name,
        str(figures.samples),
        shown(figures.macro_f1),
        shown(figures.kappa),
        shown(figures.pearson),
        shown(figures.qwk),
        "–" if figures.bias is None else signed(figures.bias),
        shown(figures.rmse),
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
        lifting = [f"{each.attack} {each.lifted}" for each in exam.attacks if each.lifted]
        by_which = f" ({', '.join(lifting)})" if lifting else ""
        yield (
            f"Attacks: mean gain {signed(total.attack_gain)}, {total.lifted} of {total.attacks} "
            f"lifted a band{by_which}."
        )
    if total.mutants:
        yield f"Mutants: {total.caught} of {total.mutants} lost the credit for the point removed."
    unable = [rubric for rubric, figures in exam.rubrics if figures.cannot_tell]
    if unable:
        yield f"No missing point noticed in: {', '.join(unable)}."
    if total.unjudged:
        yield f"Not judged in full by this examiner: {total.unjudged}."
    reasons = Counter(failure.reason for failure in total.failures)
    for reason, times in reasons.most_common(REASONS):
        yield f"  {times} × {reason}"
    yield _spending(total)


def _spending(total: Figures) -> str:
    spent = total.spent
    parts = [f"{spent.seconds:.0f} s"]
    if spent.calls:
        parts.append(pluralize(spent.calls, "call"))
    if spent.prompt_tokens is not None:
        parts.append(f"{spent.prompt_tokens} prompt tokens ({spent.cached_tokens or 0} cached)")
    if spent.completion_tokens is not None:
        parts.append(f"{spent.completion_tokens} written")
    if spent.cost is not None:
        parts.append(f"cost {spent.cost:.4f}")
    return f"Spent: {', '.join(parts)}."
