"""``interviewer rubrics``: the questions, where they lie, and whether they hold together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.authoring import draft, import_list, new_rubric
from interviewer.cli.console import (
    json_option,
    library_of,
    pass_settings,
    report_problems,
    say,
    say_json,
    say_table,
)
from interviewer.cli.selftest import selftest

if TYPE_CHECKING:
    from interviewer.rubric.rubric import Criterion, Rubric
    from interviewer.settings import Settings


@click.group()
def rubrics() -> None:
    """The questions, where they lie, and whether they hold together."""


for command in (new_rubric, import_list, draft, selftest):
    rubrics.add_command(command)


@rubrics.command("list")
@json_option
@pass_settings
def list_rubrics(settings: Settings, as_json: bool) -> None:
    """List the rubrics, shipped ones and your own."""
    entries = list(library_of(settings).entries.values())
    entries.sort(key=lambda entry: (entry.brief.round, entry.brief.id))
    if as_json:
        say_json(
            [
                {
                    "id": entry.brief.id,
                    "title": entry.brief.title,
                    "round": entry.brief.round,
                    "topic": entry.brief.topic,
                    "difficulty": entry.brief.difficulty,
                    "kind": entry.brief.kind,
                    "covers": entry.brief.covers,
                    "origin": entry.origin,
                    "replaces": entry.replaces,
                    "path": str(entry.path),
                }
                for entry in entries
            ]
        )
        return
    say_table(
        [("ID", "ROUND", "DIFFICULTY", "FROM", "TITLE")]
        + [
            (
                entry.brief.id,
                entry.brief.round,
                entry.brief.difficulty,
                f"{entry.origin}, replaces shipped" if entry.replaces else entry.origin,
                entry.brief.title,
            )
            for entry in entries
        ]
    )


@rubrics.command("show")
@click.argument("rubric_id", metavar="RUBRIC")
@json_option
@pass_settings
def show_rubric(settings: Settings, rubric_id: str, as_json: bool) -> None:
    """Show one rubric: question, criteria and reference answer."""
    entry = library_of(settings).get(rubric_id)
    if as_json:
        rubric = entry.rubric.model_dump(mode="json")
        say_json({**rubric, "origin": entry.origin, "path": str(entry.path)})
        return
    for line in _described(entry.rubric):
        say(line)
    say(f"File: {entry.path}")


def _described(rubric: Rubric) -> list[str]:
    lines = [
        f"{rubric.title} ({rubric.id}, version {rubric.version})",
        f"{rubric.round} · {rubric.topic} · {rubric.difficulty} · {rubric.kind}",
        "",
        f"Question: {rubric.question}",
        "",
        "Criteria:",
        *(_criterion_line(criterion) for criterion in rubric.criteria),
        "",
        f"Reference answer: {rubric.reference}",
        "",
    ]
    if rubric.sources:
        lines += ["Sources:", *(f"  - {source}" for source in rubric.sources), ""]
    return lines


def _criterion_line(criterion: Criterion) -> str:
    must = ", must have" if criterion.must_have else ""
    return f"  - {criterion.id} (weight {criterion.weight:g}{must}): {criterion.claim}"


@rubrics.command("path")
@click.argument("rubric_id", metavar="[RUBRIC]", required=False)
@json_option
@pass_settings
def show_path(settings: Settings, rubric_id: str | None, as_json: bool) -> None:
    """Print the file of one rubric, or the folders that rubrics are read from."""
    from interviewer.composition import own_rubric_folders
    from interviewer.content.files import shipped_folder

    if rubric_id is not None:
        paths = [library_of(settings).get(rubric_id).path]
    else:
        paths = [shipped_folder(), *own_rubric_folders(settings)]
    if as_json:
        say_json([str(path) for path in paths])
        return
    for path in paths:
        say(str(path))


@rubrics.command("lint")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Hold your own rubrics to the rules of shipped ones.")
@json_option
@pass_settings
def lint_rubrics(settings: Settings, paths: tuple[Path, ...], strict: bool, as_json: bool) -> None:
    """Check rubric files and folders; without a PATH, all that are in use."""
    from interviewer.composition import own_rubric_folders
    from interviewer.content.files import shipped_folder
    from interviewer.rubric.lint import lint_paths

    if not paths:
        own = (folder for folder in own_rubric_folders(settings) if folder.exists())
        paths = (shipped_folder(), *own)
    checked, problems = lint_paths(paths, strict=strict)
    report_problems(problems, checked=checked, noun="rubric", as_json=as_json)
