"""``interviewer rubrics``: the questions, their files, and how well they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.answers import answer
from interviewer.cli.authoring import copy, draft, import_list, new_rubric
from interviewer.cli.console import json_option, library_of, pass_settings
from interviewer.cli.content import View, folders_in_use, paths_argument, report_problems
from interviewer.cli.selftest import selftest
from interviewer.content.kinds import RUBRICS

if TYPE_CHECKING:
    from interviewer.rubric.library import Summary
    from interviewer.rubric.rubric import Criterion, Rubric
    from interviewer.settings import Settings


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


@click.command("lint")
@paths_argument
@click.option("--strict", is_flag=True, help="Exit 1 on warnings, too.")
@json_option
@pass_settings
def lint_rubrics(settings: Settings, paths: tuple[Path, ...], strict: bool, as_json: bool) -> None:
    """Check rubric files and folders; without a PATH, all that are in use."""
    from interviewer.rubric.lint import lint_paths

    checked, problems = lint_paths(paths or folders_in_use(settings, RUBRICS))
    if strict:
        problems = [replace(problem, severity="error") for problem in problems]
    report_problems(RUBRICS, checked, problems, as_json=as_json)


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
    _view.path_command(),
    lint_rubrics,
    new_rubric,
    copy,
    import_list,
    draft,
    answer,
    selftest,
):
    rubrics.add_command(command)
