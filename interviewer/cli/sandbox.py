"""``interviewer sandbox``: what the derivation bench runs in."""

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
    from interviewer.sandbox.installation.install import Installation, Installed
    from interviewer.settings import Settings


@click.group()
def sandbox() -> None:
    """What the derivation bench runs in: an interpreter with torch, outside of this program."""


sandbox.add_command(doctor)


@sandbox.command()
@click.option(
    "--python",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Use this interpreter, which has torch already; nothing is installed.",
)
@click.option(
    "--index",
    metavar="URL",
    help="Have packages looked for there, as for a torch build without GPU libraries.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@pass_settings
def install(
    settings: Settings, python: Path | None, index: str | None, yes: bool, as_json: bool
) -> None:
    """Make an environment with torch for the bench, or adopt an interpreter that has it."""
    from interviewer.sandbox.installation.install import Installation

    if python and index:
        raise click.UsageError("--python installs nothing, so --index has no use; drop one.")
    place = Installation(settings.data_folder)
    tell = complain if as_json else say
    if python:
        kept = place.adopt(python.expanduser())
    else:
        _plan(place, index, tell)
        _require_consent(yes, "Install it?", "installs")
        kept = place.install(index)
    if settings.sandbox_python and settings.sandbox_python != kept.python:
        complain(
            f"warning: the setting sandbox_python names {settings.sandbox_python}, which is used "
            "first; take it out of config.toml or INTERVIEWER_SANDBOX_PYTHON."
        )
    if as_json:
        say_json({"python": str(kept.python), "torch": kept.version, "bytes": place.size()})
        return
    _tell(kept, place, adopted=python is not None)


@sandbox.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@pass_settings
def remove(settings: Settings, yes: bool, as_json: bool) -> None:
    """Take the environment away that 'install' made; an adopted interpreter stays."""
    from interviewer.sandbox.installation.install import Installation, in_megabytes

    place = Installation(settings.data_folder)
    if not place.anything():
        raise SandboxError(f"Nothing is installed in {place.folder}.")
    tell = complain if as_json else say
    if (known := place.recorded()) and not known.python.is_relative_to(place.folder):
        tell(f"{known.python} is in use and stays; only the record of it goes.")
    else:
        tell(f"{place.folder} takes {in_megabytes(place.size())}.")
    _require_consent(yes, "Remove it?", "removes")
    freed = place.remove()
    if as_json:
        say_json({"folder": str(place.folder), "bytes": freed})
    else:
        say(f"Removed: {in_megabytes(freed)} of files.")


def _plan(place: Installation, index: str | None, tell: Callable[[str], None]) -> None:
    """What would be done, before anybody is asked."""
    from interviewer.sandbox.installation.install import BYTES_ON_DISK, in_megabytes

    tell(f"An environment for the bench is made in {place.environment}.")
    tell(
        f"It takes about {in_megabytes(BYTES_ON_DISK)} on disk, and several times that where the "
        "package index offers torch with GPU libraries only."
    )
    tell("The commands:")
    for command in place.commands(index):
        tell(f"  {shlex.join(command)}")


def _require_consent(yes: bool, question: str, does: str) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError(f"Nobody can be asked here; --yes {does} without asking.")
    click.confirm(question, abort=True, err=True)


def _tell(kept: Installed, place: Installation, *, adopted: bool) -> None:
    from interviewer.sandbox.installation.install import in_megabytes

    if adopted:
        say(f"The bench uses {kept.python} with torch {kept.version} from now on.")
    else:
        size = in_megabytes(place.size())
        say(f"Installed torch {kept.version} in {place.environment} ({size}).")
    say("'interviewer sandbox doctor' shows what may run there.")
