"""``interviewer check run``: one source held against a challenge."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.batch import text_from
from interviewer.cli.console import complain, json_option, pass_settings, say, say_json
from interviewer.cli.problems import challenges_of
from interviewer.errors import InterviewerError

if TYPE_CHECKING:
    from interviewer.sandbox.challenges.challenge import Challenge
    from interviewer.sandbox.result import CheckResult
    from interviewer.settings import Settings

_CONSENT = "yes, run my code"


@click.command("run")
@click.argument("challenge_id", metavar="CHALLENGE")
@click.option(
    "--file",
    "path",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help="A .py file with a function, or lines of a derivation; stdin (-) unless told otherwise.",
)
@click.option(
    "--yes-run-my-code",
    "consent",
    is_flag=True,
    help="Run your own function where nothing can confine it but limits of time and memory.",
)
@json_option
@pass_settings
def run_check(
    settings: Settings, challenge_id: str, path: Path | None, consent: bool, as_json: bool
) -> None:
    """Check lines of a derivation, or a function, against a challenge.

    Exit code 0 says that everything asked for is there and holds numerically.
    """
    challenge = challenges_of(settings).get(challenge_id).challenge
    source = text_from(path, "derivation")
    _require_function(path, source)
    result = asyncio.run(_checked(settings, challenge, source, consent=consent))
    _report(result, source, as_json=as_json)


def _require_function(path: Path | None, source: str) -> None:
    """A .py file is a function; whether other text is one shows in its first line of code."""
    from interviewer.sandbox.checking.python_source import is_function

    if path and path.suffix == ".py" and not is_function(source):
        raise InterviewerError(
            f"{path} begins with neither def nor import; put the function there, and constants "
            "inside it, or give lines of a derivation in a file without .py."
        )


async def _checked(
    settings: Settings, challenge: Challenge, source: str, *, consent: bool
) -> CheckResult:
    from interviewer.composition import open_bench
    from interviewer.sandbox.checking.python_source import is_function

    bench = open_bench(settings)
    try:
        await bench.prepare(challenge)
        if bench.tier == "reduced" and is_function(source):
            bench.allow_functions = consent or _agreed(bench.about)
        return await bench.check(challenge, source)
    finally:
        await bench.aclose()


def _agreed(about: str) -> bool:
    """Whoever sits there types that their code may run with nothing round it."""
    # Closed means that the source came from there.
    if sys.stdin.closed or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(
            "This function would run here with your own rights and limits of time and memory "
            "only; --yes-run-my-code says that it may."
        )
    complain(about)
    typed: str = click.prompt(
        f"Type '{_CONSENT}' to run your function all the same", default="", err=True
    )
    return typed.strip().lower() == _CONSENT


def _report(result: CheckResult, source: str, *, as_json: bool) -> None:
    """Print the result; exit code 1 with its summary where it did not pass."""
    from interviewer.cli.check_display import check_json, result_lines
    from interviewer.report.plain import printable

    if as_json:
        say_json(check_json(result))
    else:
        for line in result_lines(result, source):
            say(line)
    if not result.passed:
        raise click.ClickException(printable(result.summary))
