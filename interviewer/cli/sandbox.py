"""``interviewer sandbox``: the interpreter with torch that the derivation bench runs in."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import (
    complain,
    json_option,
    pass_settings,
    require_consent,
    say,
    say_json,
    yes_option,
)
from interviewer.diagnosis import Inspection, inspect_bench
from interviewer.paths import expanded
from interviewer.report.plain import printable

if TYPE_CHECKING:
    from interviewer.sandbox.installation import Installation
    from interviewer.settings import Settings


@click.group()
def sandbox() -> None:
    """Set up the derivation bench: an interpreter with torch, separate from this program."""


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
@yes_option
@pass_settings
def install(settings: Settings, python: Path | None, index: str | None, yes: bool) -> None:
    """Install torch for the bench in an environment of its own, or use one that has it.

    It first shows the folder, the size and the commands, and asks.
    """
    from interviewer.sandbox.installation import Installation

    if python and index:
        raise click.UsageError("--python installs nothing, so --index has no effect; drop one.")
    place = Installation(settings.data_folder)
    if python:
        kept = place.adopt(expanded(python))
    else:
        _show_plan(place, index)
        require_consent("Install it?", yes=yes)
        kept = place.install(index)
    if settings.sandbox_python and settings.sandbox_python != kept.python:
        complain(
            f"warning: the setting sandbox_python names {settings.sandbox_python} and takes "
            "precedence; remove it from config.toml or unset INTERVIEWER_SANDBOX_PYTHON."
        )
    say(f"The bench now uses {kept.python} with torch {kept.version}.")
    say("'interviewer sandbox doctor' shows what may run there.")


@sandbox.command()
@json_option
@pass_settings
def doctor(settings: Settings, as_json: bool) -> None:
    """Try every known way out of the bench and report which are blocked.

    This takes some seconds. Exit code 1 means that nothing can be run here.
    """
    found = inspect_bench(settings)
    if as_json:
        say_json(_as_json(found))
    else:
        for line in _report_lines(found):
            say(line)
    if found.report.tier == "off":
        raise click.ClickException(printable(found.report.about))


def _show_plan(place: Installation, index: str | None) -> None:
    """Folder, size and commands, before anyone is asked."""
    from interviewer.sandbox.installation import (
        BYTES_ON_DISK,
        DOWNLOAD_BYTES,
        GPU_BUILD_SIZE,
        megabytes,
    )

    say(f"This installs torch for the derivation bench in {place.environment}.")
    say(
        f"Size: about {megabytes(DOWNLOAD_BYTES)} to download, {megabytes(BYTES_ON_DISK)} on disk. "
        f"It is the CPU build; the one with GPU libraries ({GPU_BUILD_SIZE}) is never installed."
    )
    say("Commands:")
    for command in place.commands(index):
        say(f"  {shlex.join(command)}")


def _report_lines(found: Inspection) -> Iterator[str]:
    yield f"interpreter: {found.python or 'none'}"
    if found.greeting:
        yield f"torch: {found.greeting.torch}, under Python {found.greeting.python}"
    for probe in found.report.probes:
        yield f"{'blocked' if probe.blocked else 'open'}: {probe.about} ({probe.says})"
    yield f"tier: {found.report.tier}"
    if found.report.tier != "off":
        yield found.report.about


def _as_json(found: Inspection) -> dict[str, Any]:
    return {
        "python": str(found.python) if found.python else None,
        "torch": found.greeting.torch if found.greeting else None,
        "tier": found.report.tier,
        "about": found.report.about,
        "probes": [asdict(probe) for probe in found.report.probes],
    }
