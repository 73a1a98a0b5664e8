"""What the commands for rubrics, plans and challenges share: list, show, lint, new."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from interviewer import composition
from interviewer.cli.console import (
    complain,
    json_option,
    pass_settings,
    say,
    say_json,
    say_problem,
    say_table,
)
from interviewer.errors import RubricFileError
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from pydantic import BaseModel

    from interviewer.content.collection import Collection, Entry, Named
    from interviewer.content.fields import Problem
    from interviewer.content.kinds import Kind
    from interviewer.settings import Settings

S = TypeVar("S", bound="Named")
M = TypeVar("M", bound="BaseModel")
Lint = Callable[["Settings", tuple[Path, ...]], tuple[int, list["Problem"]]]
"""Checks files and folders, all in use if none is named: how many were read, and all problems."""


@dataclass(frozen=True)
class View(Generic[S, M]):
    """How one kind of content file appears on the command line."""

    kind: Kind
    load: Callable[[Settings], Collection[S, M]]
    row: Callable[[S], dict[str, Any]]
    """What a list says of a file, with its id and title; the fields of its JSON."""
    columns: tuple[str, ...]
    """Which of these, besides id and title, stand in the table."""
    order: Callable[[S], tuple[str, ...]]

    def list_command(self) -> click.Command:
        """Lists all files."""

        @click.command("list", help=f"List the {self.kind.plural}, shipped ones and your own.")
        @json_option
        @pass_settings
        def list_files(settings: Settings, as_json: bool) -> None:
            entries = list(self.load(settings).entries.values())
            entries.sort(key=lambda entry: self.order(entry.summary))
            if as_json:
                say_json([self.row(each.summary) | _origin(each) for each in entries])
                return
            fields = ("id", *self.columns, "from", "title")
            rows = [self.row(entry.summary) | {"from": entry.provenance} for entry in entries]
            headings = [field.upper() for field in fields]
            say_table([headings, *([_cell(row[field]) for field in fields] for row in rows)])

        return list_files

    def show_command(self, help: str, described: Callable[[M], Iterable[str]]) -> click.Command:
        """Shows one file, described in lines or whole as JSON."""

        @click.command("show", help=help)
        @click.argument("name", metavar=self.kind.noun.upper())
        @json_option
        @pass_settings
        def show(settings: Settings, name: str, as_json: bool) -> None:
            entry = self.load(settings).get(name)
            if as_json:
                show_json(entry, entry.model.model_dump(mode="json"))
            else:
                show_lines(entry, described(entry.model))

        return show

    def lint_command(self, help: str, lint: Lint) -> click.Command:
        """Checks files and folders."""

        @click.command("lint", help=help)
        @click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
        @click.option("--strict", is_flag=True, help="Exit 1 on warnings, too.")
        @json_option
        @pass_settings
        def lint_files(
            settings: Settings, paths: tuple[Path, ...], strict: bool, as_json: bool
        ) -> None:
            checked, problems = lint(settings, paths)
            if strict:
                problems = [replace(problem, severity="error") for problem in problems]
            _report_problems(self.kind, checked, problems, as_json=as_json)

        return lint_files

    def new_command(self, model: Callable[[], type[BaseModel]]) -> click.Command:
        """Writes a starter; ``model`` is only imported when the command runs."""
        kind = self.kind
        about = (
            f"Write a commented starter for a {kind.noun} of your own and print its path.\n\n"
            "The starter can be used at once; replace what it holds with yours. Existing files "
            "are never overwritten."
        )

        @click.command("new", help=about)
        @click.argument("name", metavar="ID")
        @pass_settings
        def new(settings: Settings, name: str) -> None:
            from interviewer.content.files import require_new, write_new
            from interviewer.content.scaffold import (
                require_slug,
                schema_beside,
                schema_text,
                starter_text,
            )

            require_slug(name, "an id")
            if entry := self.load(settings).entries.get(name):
                raise RubricFileError(
                    f"{name} is the id of {entry.path} already; edit or copy that file, or "
                    "choose another id."
                )
            path = composition.own_folders(settings, kind)[0] / f"{name}.yaml"
            require_new(path)
            schema = schema_beside(path.parent, kind, schema_text(model()))
            write_new(path, starter_text(kind, name, schema))
            say_written(kind, path)

        return new


def _origin(entry: Entry[S, M]) -> dict[str, Any]:
    return {"origin": entry.origin, "replaces": entry.replaces, "path": str(entry.path)}


def _cell(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def show_json(entry: Entry[Any, Any], values: dict[str, Any]) -> None:
    """Print what a file holds and where it comes from."""
    say_json({**values, "origin": entry.origin, "path": str(entry.path)})


def show_lines(entry: Entry[Any, Any], lines: Iterable[str]) -> None:
    """Print a description of the file, then its path."""
    for line in lines:
        say(line)
    say(f"File: {entry.path}")


def folders_in_use(settings: Settings, kind: Kind) -> tuple[Path, ...]:
    """The folders of this kind that exist."""
    own = (folder for folder in composition.own_folders(settings, kind) if folder.exists())
    return (kind.shipped, *own)


def say_written(kind: Kind, path: Path) -> None:
    """Print the path of a file that was written, and on stderr what to do with it."""
    say(str(path))
    lint = f"interviewer {kind.group} lint {shlex.quote(str(path))}"
    complain(f"Edit the file; '{lint}' then points out what is wrong.")


def _report_problems(kind: Kind, checked: int, found: list[Problem], *, as_json: bool) -> None:
    """Print the outcome of a lint; errors mean exit code 1, warnings do not."""
    if not checked and not found:
        raise click.ClickException(f"There is no {kind.noun} file (*.yaml) to check.")
    if as_json:
        say_json([vars(problem) for problem in found])
    else:
        for problem in found:
            say_problem(problem, err=False)
    errors = sum(problem.severity == "error" for problem in found)
    summary = (
        f"{pluralize(checked, f'{kind.noun} file')} checked: "
        f"{pluralize(errors, 'error')}, {pluralize(len(found) - errors, 'warning')}."
    )
    if errors:
        raise click.ClickException(summary)
    if not as_json:
        say(summary)
