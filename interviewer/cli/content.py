"""``interviewer rubrics`` and ``plans``: files that people write, listed, shown, checked, begun."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from interviewer import composition
from interviewer.cli import console
from interviewer.cli.grade import selftest
from interviewer.content.kinds import PLANS, RUBRICS, Kind
from interviewer.errors import RubricFileError
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from pydantic import BaseModel

    from interviewer.content.collection import Collection, Entry, Named
    from interviewer.content.fields import Problem
    from interviewer.interview.plans import Plan
    from interviewer.rubric.importing import Outcome
    from interviewer.rubric.library import Summary
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings

S = TypeVar("S", bound="Named")
M = TypeVar("M", bound="BaseModel")
Lint = Callable[["Settings", tuple[Path, ...]], tuple[int, list["Problem"]]]
"""Checks files and folders, all in use if none is named: how many were read, and all problems."""
REASONS = 20
"""How many skipped lines of an import are listed one by one; --json has them all."""


@dataclass(frozen=True)
class View(Generic[S, M]):
    """How one kind of content file appears on the command line."""

    kind: Kind
    load: Callable[[Settings], Collection[S, M]]
    row: Callable[[S], dict[str, Any]]
    """What a list says of a file, with its id and title; the fields of its JSON."""
    columns: tuple[str, ...]
    """Which of these, besides id and title, stand in the table; the first one sorts it."""
    lint: Lint
    model: str = ""
    """Where the class is, as module:name, imported when needed; without it no "show" and "new"."""
    hidden: Mapping[str, Any] = field(default_factory=dict)
    """What is for programs only: pydantic's ``exclude``."""

    def add_to(self, group: click.Group, *more: click.Command) -> None:
        """The commands on such files, and ``more``."""
        whole = (self.show_command(), self.new_command()) if self.model else ()
        for command in (self.list_command(), self.lint_command(), *whole, *more):
            group.add_command(command)

    def list_command(self) -> click.Command:
        @click.command("list", help=f"List the {self.kind.plural}, shipped ones and your own.")
        @console.json_option
        @console.pass_settings
        def list_files(settings: Settings, as_json: bool) -> None:
            entries = console.loaded(self.load(settings)).entries.values()
            rows = [(self.row(entry.summary), entry) for entry in entries]
            rows.sort(key=lambda each: (each[0][self.columns[0]], each[0]["id"]))
            if as_json:
                console.say_json([row | origin_of(entry) for row, entry in rows])
                return
            fields = ("id", *self.columns, "from", "title")
            told = [row | {"from": entry.provenance} for row, entry in rows]
            headings = [field.upper() for field in fields]
            console.say_table(
                [headings, *([_cell(row[field]) for field in fields] for row in told)]
            )

        return list_files

    def show_command(self) -> click.Command:
        @click.command("show", help=f"Show one {self.kind.noun}.")
        @click.argument("name", metavar=self.kind.noun.upper())
        @console.json_option
        @console.pass_settings
        def show(settings: Settings, name: str, as_json: bool) -> None:
            from interviewer.content.files import as_yaml

            entry = console.loaded(self.load(settings)).get(name)
            if as_json:
                console.say_json(entry.model.model_dump(mode="json") | origin_of(entry))
                return
            shown = entry.model.model_dump(mode="json", exclude_defaults=True, exclude=self.hidden)
            console.say(f"{as_yaml(shown)}File: {entry.path}")

        return show

    def lint_command(self) -> click.Command:
        """Checks files and folders; errors mean exit code 1, warnings do not."""
        about = f"Check {self.kind.noun} files and folders; without a PATH, all in use."

        @click.command("lint", help=about)
        @click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
        @click.option("--strict", is_flag=True, help="Exit 1 on warnings, too.")
        @console.json_option
        @console.pass_settings
        def lint_files(
            settings: Settings, paths: tuple[Path, ...], strict: bool, as_json: bool
        ) -> None:
            checked, found = self.lint(settings, paths)
            if strict:
                found = [replace(problem, severity="error") for problem in found]
            if not checked and not found:
                raise click.ClickException(f"There is no {self.kind.noun} file (*.yaml) to check.")
            if as_json:
                console.say_json([vars(problem) for problem in found])
            for problem in () if as_json else found:
                console.say(f"{problem.severity}: {problem}")
            errors = sum(problem.severity == "error" for problem in found)
            summary = (
                f"{pluralize(checked, f'{self.kind.noun} file')} checked: "
                f"{pluralize(errors, 'error')}, {pluralize(len(found) - errors, 'warning')}."
            )
            if errors:
                raise click.ClickException(summary)
            if not as_json:
                console.say(summary)

        return lint_files

    def new_command(self) -> click.Command:
        about = (
            f"Write a commented starter for a {self.kind.noun} of your own and print its path.\n\n"
            "The starter can be used at once; replace what it holds with yours. Existing files "
            "are never overwritten."
        )

        @click.command("new", help=about)
        @click.argument("name", metavar="ID")
        @console.pass_settings
        def new(settings: Settings, name: str) -> None:
            from interviewer.content import scaffold
            from interviewer.content.files import require_new, write_new

            scaffold.require_slug(name, "an id")
            if entry := console.loaded(self.load(settings)).entries.get(name):
                raise RubricFileError(
                    f"{name} is the id of {entry.path} already; edit or copy that file, or "
                    "choose another id."
                )
            path = composition.own_folders(settings, self.kind)[0] / f"{name}.yaml"
            require_new(path)
            text = scaffold.schema_text(resolve_name(self.model))
            schema = scaffold.schema_beside(path.parent, self.kind, text)
            write_new(path, scaffold.starter_text(self.kind, name, schema))
            console.say(str(path))
            lint = f"interviewer {self.kind.group} lint {shlex.quote(str(path))}"
            console.complain(f"Edit the file; '{lint}' then points out what is wrong.")

        return new


def folders_in_use(settings: Settings, kind: Kind) -> tuple[Path, ...]:
    """The folders of this kind that exist."""
    own = (folder for folder in composition.own_folders(settings, kind) if folder.exists())
    return (kind.shipped, *own)


def origin_of(entry: Entry[Any, Any]) -> dict[str, Any]:
    return {"origin": entry.origin, "replaces": entry.replaces, "path": str(entry.path)}


def _cell(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


# -- rubrics ----------------------------------------------------------------------------------


@click.group()
def rubrics() -> None:
    """The questions, their files, and how well they are written."""


def _rubric_row(rubric: Summary) -> dict[str, Any]:
    return {name: value for name, value in vars(rubric).items() if name != "line"}


def _lint_rubrics(settings: Settings, paths: tuple[Path, ...]) -> tuple[int, list[Problem]]:
    from interviewer.rubric.lint import lint_paths

    return lint_paths(paths or folders_in_use(settings, RUBRICS))


@click.command("import")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--preview", is_flag=True, help="Show what would be imported, and write nothing.")
@click.option("--by-model", is_flag=True, help="Let the model read the list, whatever its shape.")
@console.json_option
@console.pass_settings
def import_list(
    settings: Settings, path: Path, preview: bool, by_model: bool, as_json: bool
) -> None:
    """Make a rubric of every question in a list.

    FILE is a table (.csv, .tsv) with the columns question and, where you have them, answer, topic,
    difficulty and id; JSON (.json, .jsonl) with the same fields; Markdown (.md) with the questions
    as headings, items, bold lines, "Q:" lines, <summary>, callouts or a table, and the answers
    below; an Org file (.org); numbered plain text or Anki's text export (.txt).

    Each point of an answer becomes a criterion, so that a question can be asked at once;
    'rubrics lint' then lists what is missing. Questions you already have are left alone, so a list
    that has grown can be imported again.
    """
    from pydantic_core import to_jsonable_python

    folder = composition.own_folders(settings, RUBRICS)[0]
    outcome = _imported(settings, path, folder, write=not preview, by_model=by_model)
    if as_json:
        console.say_json(to_jsonable_python(outcome) | {"encoding": outcome.encoding or "utf-8"})
    if outcome.encoding:
        console.complain(
            f"Read as {outcome.encoding}, since it is not UTF-8; check a few of its letters."
        )
    for each in outcome.skipped[:REASONS]:
        console.complain(f"Skipped: line {each.line} {each.why}.")
    if len(outcome.skipped) > REASONS:
        console.complain(f"Skipped: {len(outcome.skipped) - REASONS} more; --json lists them all.")
    if not outcome.written and not outcome.duplicates:
        raise click.ClickException(f"No question of {path} could be imported.")
    if as_json:
        return
    if preview:
        rows = [(str(q.line), str(q.points or "-"), q.question) for q in outcome.written]
        console.say_table([("LINE", "POINTS", "QUESTION"), *rows])
        console.say(f"{_summary(outcome, 'would be imported')} Nothing was written.")
    else:
        console.say(_summary(outcome, f"imported into {folder}"))
        console.complain("'interviewer rubrics lint' says what they lack.")


def _imported(
    settings: Settings, path: Path, folder: Path, *, write: bool, by_model: bool
) -> Outcome:
    """Read the list and write its rubrics, with a progress bar if stderr is a terminal."""
    from interviewer.rubric.importing import import_questions, read_list

    listed = composition.read_list_by_model(settings, path) if by_model else read_list(path)
    there = composition.load_library(settings).models()
    hidden = not (write and sys.stderr.isatty())
    with click.progressbar(listed.items, file=sys.stderr, hidden=hidden) as bar:
        return import_questions(
            bar, there, folder, path.name, write=write, encoding=listed.encoding
        )


def _summary(outcome: Outcome, done: str) -> str:
    parts = [f"{pluralize(len(outcome.written), 'question').capitalize()} {done}"]
    if outcome.duplicates:
        parts.append(f"{len(outcome.duplicates)} already there")
    if outcome.skipped:
        parts.append(f"{pluralize(len(outcome.skipped), 'line')} skipped")
    if bare := sum(not each.points for each in outcome.written):
        parts.append(f"{bare} without an answer to make points of")
    return ", ".join(parts) + "."


_FOR_EXAMINERS = {"accept", "reject", "patterns", "partly", "misconceptions", "secret_terms"}
_rubrics: View[Summary, Rubric] = View(
    RUBRICS,
    composition.load_library,
    row=_rubric_row,
    columns=("round", "difficulty"),
    lint=_lint_rubrics,
    model="interviewer.rubric.rubric:Rubric",
    hidden={
        "criteria": {"__all__": _FOR_EXAMINERS},
        "escalations": {"__all__": {"criteria", "samples"}},
        "samples": True,
    },
)
_rubrics.add_to(rubrics, import_list, selftest)


# -- plans ------------------------------------------------------------------------------------


@click.group()
def plans() -> None:
    """The plans for interviews."""


def _plan_row(plan: Plan) -> dict[str, Any]:
    return plan.model_dump(include={"id", "title", "description"}) | {
        "rounds": len(plan.rounds),
        "questions": sum(part.count for part in plan.rounds),
        "minutes": sum(part.minutes for part in plan.rounds),
    }


def _lint_plans(settings: Settings, paths: tuple[Path, ...]) -> tuple[int, list[Problem]]:
    from interviewer.interview.plans import lint_plan_paths

    library = console.loaded(composition.load_library(settings))
    return lint_plan_paths(paths or folders_in_use(settings, PLANS), library)


_plans: View[Plan, Plan] = View(
    PLANS,
    composition.load_plans,
    row=_plan_row,
    columns=("minutes", "rounds", "questions"),
    lint=_lint_plans,
    model="interviewer.interview.plans:Plan",
)
_plans.add_to(plans)
