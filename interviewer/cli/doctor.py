"""``interviewer doctor`` and ``bug-report``: what works here, and what helps to fix the rest."""

from __future__ import annotations

import locale
import os
import platform
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import asdict, fields
from datetime import datetime
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.console import complain, json_option, pass_settings, say, say_json, write_own
from interviewer.settings.database_url import Server
from interviewer.settings.log import log_file

if TYPE_CHECKING:
    from interviewer.diagnosis import Check
    from interviewer.settings import Settings

PACKAGES = (
    *("mock-interviewer", "textual", "openai", "sqlalchemy", "alembic", "pydantic"),
    *("google-re2", "plotext"),
)
LOG_LINES = 200
_SMALLEST_SCREEN = (80, 24)
_PRIVATE = frozenset({"api_key", "base_url", "answers_to", "project", "user"})
"""Settings whose values are nobody's business, only whether they are there."""


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
    encoding = locale.getencoding().lower()
    if encoding != "utf-8":
        message = f"The locale's encoding is {encoding}; set LANG to one with UTF-8."
        yield Check("encoding", "warning", message)


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
    text = _report(settings)
    say(text)
    path = output or Path(f"bug-report-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}.md")
    try:
        agreed = yes or click.confirm(f"Write this to {path}?", err=True)
    except click.Abort:  # nobody is there to ask
        agreed = False
    if not agreed:
        complain("Nothing was written.")
        return
    write_own(path, text)
    complain(f"Written to {path}. Read it once more before you attach it to a report.")


def _report(settings: Settings) -> str:
    """The whole report as Markdown, with paths that do not name their owner."""
    parts = (
        ("What happened", ["(what you did, what you expected, what you saw)"]),
        ("Versions", _versions()),
        ("Terminal", _terminal()),
        ("Settings", _settings(settings)),
        ("Doctor", _checked(settings)),
        (f"Log, the last {LOG_LINES} lines", _log(settings)),
    )
    sections = ("\n".join([f"## {title}", "", *lines, ""]) for title, lines in parts)
    text = "# Bug report\n\n" + "\n".join(sections)
    home = str(Path.home())
    return re.sub(rf"{re.escape(home)}(?=/|\b)", "~", text) if home != "/" else text


def _versions() -> Iterator[str]:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield f"- {platform.system()} {platform.release()}, {platform.machine()}, {python}"
    yield f"- SQLite {sqlite3.sqlite_version}"
    for name in PACKAGES:
        try:
            yield f"- {name} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            yield f"- {name} is not installed"


def _terminal() -> Iterator[str]:
    size = shutil.get_terminal_size()
    yield f"- {size.columns}×{size.lines}, {sys.stdout.encoding}"
    values = ("TERM", "TERM_PROGRAM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL")
    seen = [f"{name}={os.environ[name]}" for name in values if name in os.environ]
    seen += [name.lower() for name in ("TMUX", "SSH_TTY") if name in os.environ]
    yield f"- {', '.join(seen)}"


def _settings(settings: Settings) -> Iterator[str]:
    for each in fields(settings):
        value = getattr(settings, each.name)
        if each.name in _PRIVATE:
            value = "set" if value else "not set"
        elif isinstance(value, Server):
            value = "a PostgreSQL server"
        yield f"- {each.name}: {value}"
    yield f"- the endpoint is {'on this machine' if settings.is_local else 'elsewhere'}"


def _checked(settings: Settings) -> Iterator[str]:
    from interviewer.diagnosis import local_checks

    for check in local_checks(settings):
        of_server = check.name == "database" and isinstance(settings.database, Server)
        message = "on a PostgreSQL server" if of_server else check.message
        yield f"- {check.status}: {check.name}: {message}"


def _log(settings: Settings) -> list[str]:
    try:
        lines = log_file(settings.data_folder).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return ["(there is none)"]
    except OSError as error:
        return [f"(cannot be read: {error.strerror})"]
    return ["```json", *lines[-LOG_LINES:], "```"]
