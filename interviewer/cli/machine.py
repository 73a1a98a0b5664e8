"""What this machine offers: ``doctor``, ``sandbox``; and the full screen: ``serve``, ``keys``."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib import import_module
from itertools import chain
from pathlib import Path

import click

from interviewer.cli import console
from interviewer.cli.root import FRONT_END
from interviewer.diagnosis import Check, checks, inspect_bench
from interviewer.errors import InterviewerError
from interviewer.paths import expanded
from interviewer.report.plain import printable
from interviewer.settings import Settings


@click.command()
@console.json_option
@console.pass_settings
def doctor(settings: Settings, as_json: bool) -> None:
    """Check endpoint, database, rubrics, bench and terminal."""
    found = []
    for check in chain(checks(settings), [_terminal_check()]):
        found.append(check)
        if not as_json:
            console.say(f"{check.status}: {check.name}: {check.message}")
    if as_json:
        console.say_json([asdict(check) for check in found])
    if failed := [check.name for check in found if check.status == "failed"]:
        raise click.ClickException(f"Not everything works: {', '.join(failed)}.")


def _terminal_check() -> Check:
    term = os.environ.get("TERM", "dumb")
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or term == "dumb":
        return Check("terminal", "warning", "None that can show a screen; use 'interviewer run'.")
    size = shutil.get_terminal_size()
    told = f"{term}, {size.columns}×{size.lines}"
    if size.columns < 80 or size.lines < 24:
        return Check("terminal", "warning", f"{told} is small; 80×24 or more is comfortable.")
    return Check("terminal", "ok", f"{told}.")


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
@console.yes_option
@console.pass_settings
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
        console.say(*_planned(place.environment, place.commands(index)))
        console.require_consent("Install it?", yes=yes)
        kept = place.install(index)
    if settings.sandbox_python and settings.sandbox_python != kept.python:
        console.complain(
            f"warning: the setting sandbox_python names {settings.sandbox_python} and takes "
            "precedence; remove it from config.toml or unset INTERVIEWER_SANDBOX_PYTHON."
        )
    console.say(f"The bench now uses {kept.python} with torch {kept.version}.")
    console.say("'interviewer sandbox doctor' shows what may run there.")


def _planned(environment: Path, commands: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """Folder, size and commands, before anyone is asked."""
    from interviewer.sandbox.installation import CPU_BUILD_SIZE, GPU_BUILD_SIZE

    yield f"This installs torch for the derivation bench in {environment}."
    yield (
        f"Size: about {CPU_BUILD_SIZE}. "
        f"It is the CPU build; the one with GPU libraries ({GPU_BUILD_SIZE}) is never installed."
    )
    yield "Commands:"
    yield from (f"  {shlex.join(command)}" for command in commands)


@sandbox.command("doctor")
@console.json_option
@console.pass_settings
def inspect_sandbox(settings: Settings, as_json: bool) -> None:
    """Try every known way out of the bench and report which are blocked.

    This takes some seconds. Exit code 1 means that nothing can be run here.
    """
    found = inspect_bench(settings)
    report = found.report
    python = str(found.python) if found.python else None
    torch = found.greeting.torch if found.greeting else None
    if as_json:
        console.say_json({"python": python, "torch": torch, **asdict(report)})
    else:
        console.say(f"interpreter: {python or 'none'}\ntorch: {torch or 'none'}")
        for probe in report.probes:
            console.say(f"{'blocked' if probe.blocked else 'open'}: {probe.about} ({probe.says})")
        console.say(f"tier: {report.tier}")
    if report.tier == "off":
        raise click.ClickException(printable(report.about))
    if not as_json:
        console.say(report.about)


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen. Beyond this machine the address holds a token.",
)
@click.option("--port", default=8765, show_default=True, type=click.IntRange(1, 65535))
@click.pass_obj
def serve(flags: dict[str, object], host: str, port: int) -> None:
    """Serve the full-screen interview to a browser.

    Every tab is an interview of its own over the same sessions. Only this machine can reach it,
    unless --host says otherwise; then whoever has the printed address can.
    """
    try:
        front_end = import_module(f"{FRONT_END}.serve")
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"Serving to a browser needs {error.name}; install mock-interviewer[serve]."
        ) from error
    if not re.fullmatch(r"[\w.:%-]+", host):
        raise click.BadParameter(f"{host!a} is no name or address of a machine.")
    try:
        host.encode("idna")
        front_end.server(host, port, flags).serve()
    except (OSError, UnicodeError) as error:
        raise InterviewerError(
            f"Cannot listen on {host}:{port}: {error}; try another --port or --host."
        ) from error


@click.command()
@click.option("--defaults", is_flag=True, help="As they are without your config file.")
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
@console.json_option
@click.pass_context
def keys(ctx: click.Context, defaults: bool, markdown: bool, as_json: bool) -> None:
    """List the keys of the full screen: ids for [keys] in config.toml, keys, what they do.

    A star marks keys of your own. Keys that cannot work, or that two actions have at the same
    time, are told on stderr.
    """
    table = import_module(f"{FRONT_END}.actions")
    settings = None if defaults else console.settings_of(ctx)
    rows = table.rows(settings)
    if as_json:
        console.say_json([row._asdict() for row in rows])
    elif markdown:
        console.say(table.markdown(rows).rstrip("\n"))
    else:
        marked = ((row.id, " ".join(row.keys) + " *" * row.changed, row.does) for row in rows)
        console.say_table([("ID", "KEYS", "WHAT THEY DO"), *marked])
    for sentence in table.problems(settings.keys) if settings else ():
        console.complain(sentence)
