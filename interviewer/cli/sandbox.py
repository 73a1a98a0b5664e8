"""``interviewer sandbox``: the interpreter with torch that the derivation bench runs in."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.console import complain, json_option, pass_settings, say, say_json
from interviewer.cli.sandbox_doctor import doctor
from interviewer.errors import SandboxError

if TYPE_CHECKING:
    from interviewer.sandbox.installation import Installation, Installed
    from interviewer.settings import Settings


@click.group()
def sandbox() -> None:
    """Set up the derivation bench: an interpreter with torch, separate from this program."""


sandbox.add_command(doctor)


@sandbox.command()
@click.option(
    "--python",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Use this interpreter, which already has torch; install nothing.",
)
@click.option(
    "--index",
    metavar="URL",
    help="Install torch from this package index; on Linux it needs PyTorch's CPU build.",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@json_option
@pass_settings
def install(
    settings: Settings, python: Path | None, index: str | None, yes: bool, as_json: bool
) -> None:
    """Install torch for the bench in an environment of its own, or use one that has it.

    It first shows the folder, the size and the commands, and asks.
    """
    from interviewer.sandbox.installation import Installation

    if python and index:
        raise click.UsageError("--python installs nothing, so --index has no effect; drop one.")
    place = Installation(settings.data_folder)
    tell = complain if as_json else say
    if python:
        kept = place.adopt(python.expanduser())
    else:
        _tell_plan(place, index, tell)
        _require_consent(yes, "Install it?", "installs")
        kept = place.install(index)
    if settings.sandbox_python and settings.sandbox_python != kept.python:
        complain(
            f"warning: the setting sandbox_python names {settings.sandbox_python} and takes "
            "precedence; remove it from config.toml or unset INTERVIEWER_SANDBOX_PYTHON."
        )
    if as_json:
        say_json({"python": str(kept.python), "torch": kept.version, "bytes": place.size()})
        return
    _tell_result(kept, place, adopted=python is not None)


@sandbox.command()
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@json_option
@pass_settings
def remove(settings: Settings, yes: bool, as_json: bool) -> None:
    """Remove the environment that 'install' built; an interpreter of yours stays."""
    from interviewer.sandbox.installation import Installation, megabytes

    place = Installation(settings.data_folder)
    if not place.exists():
        raise SandboxError(f"Nothing is installed in {place.folder}.")
    tell = complain if as_json else say
    if (known := place.recorded()) and not known.python.is_relative_to(place.folder):
        tell(f"{known.python} is in use and stays; only the record of it is removed.")
    else:
        tell(f"{place.folder} takes up {megabytes(place.size())}.")
    _require_consent(yes, "Remove it?", "removes")
    freed = place.remove()
    if as_json:
        say_json({"folder": str(place.folder), "bytes": freed})
    else:
        say(f"Removed {megabytes(freed)} of files.")


def _tell_plan(place: Installation, index: str | None, tell: Callable[[str], None]) -> None:
    """Folder, size and commands, before anyone is asked."""
    from interviewer.sandbox.installation import (
        BYTES_ON_DISK,
        DOWNLOAD_BYTES,
        GPU_BUILD_SIZE,
        megabytes,
    )

    tell(f"This installs torch for the derivation bench in {place.environment}.")
    tell(
        f"Size: about {megabytes(DOWNLOAD_BYTES)} to download, {megabytes(BYTES_ON_DISK)} on disk. "
        f"It is the CPU build; the one with GPU libraries ({GPU_BUILD_SIZE}) is never installed."
    )
    tell("Commands:")
    for command in place.commands(index):
        tell(f"  {shlex.join(command)}")


def _require_consent(yes: bool, question: str, does: str) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError(f"There is no terminal to ask at; --yes {does} without asking.")
    click.confirm(question, abort=True, err=True)


def _tell_result(kept: Installed, place: Installation, *, adopted: bool) -> None:
    from interviewer.sandbox.installation import megabytes

    if adopted:
        say(f"The bench now uses {kept.python} with torch {kept.version}.")
    else:
        size = megabytes(place.size())
        say(f"Installed torch {kept.version} in {place.environment} ({size}).")
    say("'interviewer sandbox doctor' shows what may run there.")
