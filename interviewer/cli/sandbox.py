"""``interviewer sandbox``: the interpreter with torch that the derivation bench runs in."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
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
        kept = place.adopt(expanded(python))
    else:
        _show_plan(place, index, tell)
        require_consent(yes, "Install it?", "--yes installs")
        kept = place.install(index)
    if settings.sandbox_python and settings.sandbox_python != kept.python:
        complain(
            f"warning: the setting sandbox_python names {settings.sandbox_python} and takes "
            "precedence; remove it from config.toml or unset INTERVIEWER_SANDBOX_PYTHON."
        )
    if as_json:
        say_json({"python": str(kept.python), "torch": kept.version})
        return
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


def _show_plan(place: Installation, index: str | None, tell: Callable[[str], None]) -> None:
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


def _may_run(found: Inspection) -> dict[str, bool | str]:
    """What this tier may run, by kind of code."""
    from interviewer.sandbox import tiers

    tier = found.report.tier
    agreed = tiers.may_call_functions(tier, consented=True)
    return {
        "expressions": tier != "off",
        "functions": tiers.may_call_functions(tier) or ("after you agree" if agreed else False),
        "challenges_of_others": tiers.may_run_foreign_code(tier),
    }


def _report_lines(found: Inspection) -> Iterator[str]:
    yield f"interpreter: {found.python or 'none'}"
    if found.greeting:
        yield f"torch: {found.greeting.torch}, under Python {found.greeting.python}"
    for probe in found.report.probes:
        yield f"{'blocked' if probe.blocked else 'open'}: {probe.about} ({probe.says})"
    yield f"tier: {found.report.tier}"
    for kind, allowed in _may_run(found).items():
        answer = allowed if isinstance(allowed, str) else "yes" if allowed else "no"
        yield f"may run {kind.replace('_', ' ')}: {answer}"
    if found.report.tier != "off":
        yield found.report.about


def _as_json(found: Inspection) -> dict[str, Any]:
    return {
        "python": str(found.python) if found.python else None,
        "torch": found.greeting.torch if found.greeting else None,
        "walls": found.greeting.walls if found.greeting else (),
        "tier": found.report.tier,
        "about": found.report.about,
        "may_run": _may_run(found),
        "probes": [asdict(probe) for probe in found.report.probes],
    }
