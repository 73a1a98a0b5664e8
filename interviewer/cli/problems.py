"""Rubric, plan and challenge files as commands use them, and printing what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import complain, counted, say, say_json

if TYPE_CHECKING:
    from interviewer.interview.plan import Plans
    from interviewer.rubric.library import Library
    from interviewer.rubric.problems import Problem
    from interviewer.sandbox.challenges.catalogue import Catalogue
    from interviewer.settings import Settings


def as_json_value(problem: Problem) -> dict[str, Any]:
    """The problem as JSON prints it."""
    return {
        "path": str(problem.path),
        "line": problem.line,
        "field": problem.field,
        "severity": problem.severity,
        "message": problem.message,
    }


def library_of(settings: Settings) -> Library:
    """The rubrics in use; files that cannot be are told on stderr, so that none is missed."""
    from interviewer.composition import load_library

    library = load_library(settings)
    _warn_of(library.problems)
    return library


def plans_of(settings: Settings) -> Plans:
    """The plans in use, likewise."""
    from interviewer.composition import load_plans

    plans = load_plans(settings)
    _warn_of(plans.problems)
    return plans


def challenges_of(settings: Settings) -> Catalogue:
    """The challenges in use, likewise."""
    from interviewer.composition import load_challenges

    catalogue = load_challenges(settings)
    _warn_of(catalogue.problems)
    return catalogue


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
        f"{counted(checked, f'{noun} file')} checked: "
        f"{counted(errors, 'error')}, {counted(warnings, 'warning')}."
    )
    if errors:
        raise click.ClickException(summary)
    if not as_json:
        say(summary)


def _warn_of(problems: Iterable[Problem]) -> None:
    for problem in problems:
        complain(f"{problem.severity}: {problem}")
