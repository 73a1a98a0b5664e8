"""``interviewer doctor``: what works here, and how to fix what does not."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from interviewer.cli.console import json_option, pass_settings, say, say_json
from interviewer.errors import SettingsError
from interviewer.report.plain import counted

if TYPE_CHECKING:
    from interviewer.content.problems import Problem
    from interviewer.settings import Settings

Status = Literal["ok", "warning", "failed"]

_SMALLEST_SCREEN = (80, 24)
_CAN_DO_WITHOUT = frozenset({"structured output", "streaming"})


@dataclass(frozen=True)
class Check:
    """One thing checked, with the result in a sentence."""

    name: str
    status: Status
    message: str


@click.command()
@json_option
@pass_settings
def doctor(settings: Settings, as_json: bool) -> None:
    """Check endpoint, database, rubrics, bench and terminal."""
    checks = []
    for check in _checks(settings):
        checks.append(check)
        if not as_json:
            say(f"{check.status}: {check.name}: {check.message}")
    if as_json:
        say_json([asdict(check) for check in checks])
    failed = [check.name for check in checks if check.status == "failed"]
    if failed:
        raise click.ClickException(f"Not everything works: {', '.join(failed)}.")


def _checks(settings: Settings) -> Iterator[Check]:
    yield from _endpoint(settings)
    yield _database(settings.database)
    yield from _files(settings)
    yield _bench(settings)
    yield from _terminal()


def _endpoint(settings: Settings) -> Iterator[Check]:
    from interviewer.examiner.llm.check import check
    from interviewer.examiner.llm.endpoint import endpoint_of

    if not settings.endpoint_configured:
        yield Check("endpoint", "ok", "None is configured; the offline examiner is used.")
        return
    try:
        endpoint = endpoint_of(settings)
    except SettingsError as error:
        yield Check("endpoint", "failed", str(error))
        return
    for line in asyncio.run(check(endpoint)):
        unwell: Status = "warning" if line.name in _CAN_DO_WITHOUT else "failed"
        yield Check(line.name, "ok" if line.ok else unwell, line.message)


def _database(path: Path) -> Check:
    from interviewer.store.peek import glance

    seen = glance(path)
    if seen is None:
        folder = next(parent for parent in path.absolute().parents if parent.exists())
        if not os.access(folder, os.W_OK | os.X_OK):
            return Check("database", "failed", f"{path} cannot be created: {folder} is read-only.")
        return Check("database", "ok", f"{path} will be created with the first session.")
    if seen.problem:
        return Check("database", "failed", seen.problem)
    if not os.access(path, os.W_OK):
        return Check("database", "failed", f"{path} is read-only; no session can be saved.")
    return Check("database", "ok", f"{path} holds {counted(seen.sessions, 'session')}.")


def _files(settings: Settings) -> Iterator[Check]:
    from interviewer.composition import load_challenges, load_library, load_plans

    library, plans = load_library(settings), load_plans(settings)
    challenges = load_challenges(settings)
    yield _loaded("rubrics", len(library.entries), library.problems, "rubrics lint")
    yield _loaded("plans", len(plans.entries), plans.problems, "plans lint")
    yield _loaded("challenges", len(challenges.entries), challenges.problems, "check lint")


def _bench(settings: Settings) -> Check:
    """Interviews work without the bench, so this is never a failure."""
    from interviewer.cli.sandbox import inspect_bench

    found = inspect_bench(settings, fresh=False)
    status: Status = "warning" if found.report.tier in ("reduced", "off") else "ok"
    tier = f"{found.report.tier}: " if found.greeting else ""
    return Check("derivation bench", status, f"{tier}{found.report.about}")


def _loaded(name: str, count: int, problems: Iterable[Problem], lint: str) -> Check:
    told = [str(problem) for problem in problems]
    if told:
        more = f" (and {len(told) - 1} more; see 'interviewer {lint}')" if told[1:] else ""
        return Check(name, "warning", f"{count} can be used, but {told[0]}{more}.")
    return Check(name, "ok", f"{count} can be used.")


def _terminal() -> Iterator[Check]:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield Check(
            "terminal", "warning", "This is no terminal; in a pipe only 'interviewer run' works."
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
