"""What all commands share: settings, input, and output for people and programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from interviewer import composition
from interviewer.errors import InterviewerError
from interviewer.examiner import registry
from interviewer.report.plain import printable

if TYPE_CHECKING:
    from interviewer.content.collection import Collection, Named
    from interviewer.settings import Settings

S = TypeVar("S", bound="Named")
M = TypeVar("M")

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")


examiner_option = click.option(
    "--examiner", type=click.Choice(registry.CHOICES), help="Who examines and judges."
)


def settings_of(ctx: click.Context) -> Settings:
    """The settings under this command line; raises SettingsError."""
    from interviewer.settings import load_settings, log, unknown_variables

    if unknown := unknown_variables():
        complain(unknown)
    settings = load_settings(**ctx.find_root().obj)
    log.start(settings.data_folder, debug=bool(ctx.find_root().params.get("debug")))
    return settings


def pass_settings(function: Callable[..., None]) -> Callable[..., None]:
    """Pass the settings to a command as its first argument."""

    def with_settings(*args: Any, **kwargs: Any) -> None:
        function(settings_of(click.get_current_context()), *args, **kwargs)

    return update_wrapper(with_settings, function)


def pass_store(function: Callable[..., None]) -> Callable[..., None]:
    """Pass the settings and the open session database to a command."""

    def with_store(*args: Any, **kwargs: Any) -> None:
        settings = settings_of(click.get_current_context())
        with closing(composition.open_store(settings)) as store:
            function(settings, store, *args, **kwargs)

    return update_wrapper(with_store, function)


def say(*lines: str) -> None:
    """Print lines for people; nothing in them can steer the terminal."""
    for line in lines:
        click.echo(printable(line))


def complain(text: str) -> None:
    """Print a line on stderr, likewise."""
    click.echo(printable(text), err=True)


def say_json(value: Any) -> None:
    """Print a value as one line of ASCII JSON, flushed at once for readers at a pipe."""
    click.echo(json.dumps(value))


def say_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows with aligned columns."""
    shown = [[printable(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())


def progress_bar(length: int) -> Any:  # click does not name the type
    """A bar on stderr, hidden where that is no terminal."""
    return click.progressbar(
        length=length, file=sys.stderr, hidden=not sys.stderr.isatty(), show_pos=True
    )


def loaded(collection: Collection[S, M]) -> Collection[S, M]:
    """The collection; files of it that cannot be used are named on stderr."""
    for problem in collection.problems:
        complain(f"{problem.severity}: {problem}")
    return collection


def require_consent(question: str, *, yes: bool) -> None:
    """Ask, unless ``--yes`` was given. Raises Abort for a no, UsageError without a terminal."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError(f"{question} There is no terminal to ask at; --yes agrees to it.")
    click.confirm(question, abort=True, err=True)


def object_in(line: str) -> dict[str, Any]:
    """The JSON object that a line of a batch holds; empty if it holds none."""
    with suppress(ValueError, RecursionError):
        if isinstance(found := json.loads(line), dict):
            return found
    return {}


def text_from(stream: BinaryIO, what: str) -> str:
    """All text of a stream. Raises InterviewerError."""
    if stream.isatty():
        complain(f"Type the {what} and end it with Ctrl-D.")
    try:
        return str(stream.read(), "utf-8-sig")
    except OSError as error:
        raise InterviewerError(f"The {what} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InterviewerError(f"The {what} is not UTF-8 text; save it as such.") from error
