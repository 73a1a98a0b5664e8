"""``interviewer bug-report``: what helps to fix a fault, and nothing that was said."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.console import complain, pass_settings, say
from interviewer.errors import InterviewerError
from interviewer.paths import owner_only
from interviewer.place import Server

if TYPE_CHECKING:
    from interviewer.settings import Settings

PACKAGES = ("textual", "openai", "sqlalchemy", "pydantic", "google-re2", "plotext")
LOG_LINES = 200
_TOLD_AS_SET = frozenset({"api_key", "base_url", "answers_to", "project", "user"})
"""Whose values are nobody's business, only whether they are there."""


@click.command("bug-report")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; bug-report-….md in this folder by default.",
)
@click.option("--yes", is_flag=True, help="Write it without asking.")
@pass_settings
def bug_report(settings: Settings, output: Path | None, yes: bool) -> None:
    """Gather what helps to fix a fault, show it, and write it if you agree.

    It has versions, settings without their secrets, what the doctor says of files, and the last
    lines of the log. It has no answers, no questions of your own, no key and no address, and it is
    sent nowhere.
    """
    text = report(settings)
    say(text)
    path = output or Path(f"bug-report-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}.md")
    if not (yes or _agreed(f"Write this to {path}?")):
        complain("Nothing was written.")
        return
    try:
        with open(path, "x", encoding="utf-8", opener=owner_only) as file:
            file.write(text)
    except OSError as error:
        raise InterviewerError(f"{path} cannot be written: {error.strerror}.") from error
    complain(f"Written to {path}. Read it once more before you attach it to a report.")


def _agreed(question: str) -> bool:
    try:
        return click.confirm(question, default=False, err=True)
    except click.Abort:  # nobody is there to ask
        return False


def report(settings: Settings) -> str:
    """The whole report as Markdown."""
    parts = (
        ("What happened", ["(what you did, what you expected, what you saw)"]),
        ("Versions", _versions()),
        ("Terminal", _terminal()),
        ("Settings", _settings(settings)),
        ("Doctor", _doctor(settings)),
        (f"Log, the last {LOG_LINES} lines", _log(settings)),
    )
    sections = ("\n".join([f"## {title}", "", *lines, ""]) for title, lines in parts)
    return _without_home("# Bug report\n\n" + "\n".join(sections))


def _versions() -> list[str]:
    named = ("mock-interviewer", *PACKAGES)
    found = {name: _version(name) for name in named}
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return [
        f"- {platform.system()} {platform.release()}, {platform.machine()}, {python}",
        f"- SQLite {sqlite3.sqlite_version}",
        *(f"- {name} {version}" for name, version in found.items()),
    ]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "is not installed"


def _terminal() -> list[str]:
    size = shutil.get_terminal_size()
    values = ("TERM", "TERM_PROGRAM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL")
    around = ("TMUX", "SSH_TTY")
    seen = [f"{name}={os.environ[name]}" for name in values if name in os.environ]
    seen += [name.lower() for name in around if name in os.environ]
    return [f"- {size.columns}×{size.lines}, {sys.stdout.encoding}", f"- {', '.join(seen)}"]


def _settings(settings: Settings) -> list[str]:
    told = []
    for each in fields(settings):
        value = getattr(settings, each.name)
        if each.name in _TOLD_AS_SET:
            value = "set" if value else "not set"
        elif isinstance(value, Server):
            value = "a PostgreSQL server"
        told.append(f"- {each.name}: {value}")
    where = "on this machine" if settings.is_local else "elsewhere"
    return [*told, f"- the endpoint is {where}"]


def _doctor(settings: Settings) -> Iterator[str]:
    from interviewer.diagnosis import local_checks

    for check in local_checks(settings):
        of_server = check.name == "database" and isinstance(settings.database, Server)
        message = "on a PostgreSQL server" if of_server else check.message
        yield f"- {check.status}: {check.name}: {message}"


def _log(settings: Settings) -> list[str]:
    from interviewer.log import log_file

    try:
        lines = log_file(settings.data_folder).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return ["(there is none)"]
    except OSError as error:
        return [f"(cannot be read: {error.strerror})"]
    return ["```json", *lines[-LOG_LINES:], "```"]


def _without_home(text: str) -> str:
    """Paths without the name of their owner."""
    home = str(Path.home())
    return re.sub(rf"{re.escape(home)}(?=/|\b)", "~", text) if home != "/" else text
