"""``interviewer doctor``: what works here, and how to fix what does not."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING

import click

from interviewer.cli.console import json_option, pass_settings, say, say_json

if TYPE_CHECKING:
    from interviewer.diagnosis import Check
    from interviewer.settings import Settings

_SMALLEST_SCREEN = (80, 24)


@click.command()
@json_option
@pass_settings
def doctor(settings: Settings, as_json: bool) -> None:
    """Check endpoint, database, rubrics, bench and terminal."""
    from interviewer.diagnosis import checks as everything

    checks = []
    for check in chain(everything(settings), _terminal()):
        checks.append(check)
        if not as_json:
            say(f"{check.status}: {check.name}: {check.message}")
    if as_json:
        say_json([asdict(check) for check in checks])
    failed = [check.name for check in checks if check.status == "failed"]
    if failed:
        raise click.ClickException(f"Not everything works: {', '.join(failed)}.")


def _terminal() -> Iterator[Check]:
    from interviewer.diagnosis import Check

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield Check(
            "terminal", "warning", "This is not a terminal; in a pipe only 'interviewer run' works."
        )
        return
    size = shutil.get_terminal_size()
    told = f"{os.environ.get('TERM', 'unknown')}, {size.columns}×{size.lines}"
    if os.environ.get("TERM", "dumb") == "dumb":
        yield Check("terminal", "warning", "A dumb terminal; use 'interviewer run'.")
    elif size.columns < _SMALLEST_SCREEN[0] or size.lines < _SMALLEST_SCREEN[1]:
        wanted = "×".join(map(str, _SMALLEST_SCREEN))
        yield Check("terminal", "warning", f"{told} is small; {wanted} or more is comfortable.")
    else:
        yield Check("terminal", "ok", f"{told}.")
    encoding = (sys.stdout.encoding or "").lower()
    if encoding.replace("-", "") != "utf8":
        message = f"The locale's encoding is {encoding or 'not set'}; set LANG to one with UTF-8."
        yield Check("encoding", "warning", message)
