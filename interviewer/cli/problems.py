"""Printing what is wrong with rubric and plan files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import complain, say, say_json

if TYPE_CHECKING:
    from interviewer.rubric.problems import Problem


def as_json_value(problem: Problem) -> dict[str, Any]:
    """The problem as JSON prints it."""
    return {
        "path": str(problem.path),
        "line": problem.line,
        "field": problem.field,
        "severity": problem.severity,
        "message": problem.message,
    }


def warn_of(problems: Iterable[Problem]) -> None:
    """Say on stderr which files could not be used, so that a list is not silently short."""
    for problem in problems:
        complain(f"{problem.severity}: {problem}")


def report_problems(problems: Sequence[Problem], *, checked: int, noun: str, as_json: bool) -> None:
    """Print the outcome of a lint; exit code 1 where there is an error, warnings pass."""
    if not checked and not problems:
        raise click.ClickException(f"There is no {noun} file (*.yaml) to check.")
    if as_json:
        say_json([as_json_value(problem) for problem in problems])
    else:
        for problem in problems:
            say(f"{problem.severity}: {problem}")
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    summary = (
        f"{_count(checked, f'{noun} file')} checked: "
        f"{_count(errors, 'error')}, {_count(warnings, 'warning')}."
    )
    if errors:
        raise click.ClickException(summary)
    if not as_json:
        say(summary)


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
