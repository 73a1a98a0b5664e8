"""What all commands share: settings from the global options; printing for people and programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import TYPE_CHECKING, Any

import click

from interviewer.report.plain import printable

if TYPE_CHECKING:
    from interviewer.settings import Settings

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def settings_of(ctx: click.Context) -> Settings:
    """The settings under this command line; raises SettingsError."""
    from interviewer.settings import load_settings

    flags: dict[str, Any] = ctx.find_root().obj
    return load_settings(**flags)


def pass_settings(function: Callable[..., None]) -> Callable[..., None]:
    """Hand the settings to a command as its first argument."""

    def with_settings(*args: Any, **kwargs: Any) -> None:
        function(settings_of(click.get_current_context()), *args, **kwargs)

    return update_wrapper(with_settings, function)


def say(text: str = "") -> None:
    """Print a line for people; nothing in it can steer the terminal."""
    click.echo(printable(text))


def complain(text: str) -> None:
    """Print a line on stderr, as safely."""
    click.echo(printable(text), err=True)


def say_json(value: Any) -> None:
    """Print a value as one line of ASCII JSON, at once: somebody at a pipe may wait for it."""
    click.echo(json.dumps(value))


def say_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows with their columns aligned; the last column is left ragged."""
    shown = [[printable(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())


def counted(number: int, noun: str) -> str:
    """The number with its noun: "no errors", "1 error", "2 errors"."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
