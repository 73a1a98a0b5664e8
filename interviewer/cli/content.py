"""What the commands for rubrics, plans and challenges have in common: list, show, path, lint."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from interviewer import composition
from interviewer.cli.console import (
    json_option,
    pass_settings,
    say,
    say_json,
    say_problem,
    say_table,
)
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from pydantic import BaseModel

    from interviewer.content.collection import Collection, Entry, Named
    from interviewer.content.kinds import Kind
    from interviewer.content.problems import Problem
    from interviewer.settings import Settings

S = TypeVar("S", bound="Named")
M = TypeVar("M", bound="BaseModel")

paths_argument = click.argument(
    "paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path)
)


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

    def path_command(self) -> click.Command:
        """Prints the place of one file, or of all."""
        kind = self.kind

        @click.command(
            "path", help=f"Print the path of one {kind.noun}, or the folders they are read from."
        )
        @click.argument("name", metavar=f"[{kind.noun.upper()}]", required=False)
        @json_option
        @pass_settings
        def path(settings: Settings, name: str | None, as_json: bool) -> None:
            paths = [kind.shipped, *composition.own_folders(settings, kind)]
            if name is not None:
                paths = [self.load(settings).get(name).path]
            if as_json:
                say_json([str(path) for path in paths])
                return
            for path in paths:
                say(str(path))

        return path


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
    """The folders of this kind that exist: what a lint without a PATH checks."""
    own = (folder for folder in composition.own_folders(settings, kind) if folder.exists())
    return (kind.shipped, *own)


def report_problems(
    kind: Kind, checked: int, problems: Iterable[Problem], *, as_json: bool
) -> None:
    """Print the outcome of a lint; errors mean exit code 1, warnings do not."""
    found = list(problems)
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
