"""``interviewer doctor``: what works here, and how to fix the rest."""

from __future__ import annotations

import locale
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


@click.command()
@json_option
@pass_settings
def doctor(settings: Settings, as_json: bool) -> None:
    """Check endpoint, database, rubrics, bench and terminal."""
    from interviewer.diagnosis import checks as everything

    checks = []
    for check in chain(everything(settings), _terminal_checks()):
        checks.append(check)
        if not as_json:
            say(f"{check.status}: {check.name}: {check.message}")
    if as_json:
        say_json([asdict(check) for check in checks])
    failed = [check.name for check in checks if check.status == "failed"]
    if failed:
        raise click.ClickException(f"Not everything works: {', '.join(failed)}.")


def _terminal_checks() -> Iterator[Check]:
    from interviewer.diagnosis import Check

    term = os.environ.get("TERM", "dumb")
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or term == "dumb":
        yield Check("terminal", "warning", "None that can show a screen; use 'interviewer run'.")
        return
    size = shutil.get_terminal_size()
    told = f"{term}, {size.columns}×{size.lines}"
    if size.columns < 80 or size.lines < 24:
        yield Check("terminal", "warning", f"{told} is small; 80×24 or more is comfortable.")
    else:
        yield Check("terminal", "ok", f"{told}.")
    encoding = locale.getencoding().lower()
    if encoding != "utf-8":
        message = f"The locale's encoding is {encoding}; set LANG to one with UTF-8."
        yield Check("encoding", "warning", message)
