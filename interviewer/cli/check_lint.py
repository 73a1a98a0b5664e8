"""``interviewer check lint``: are challenge files fit for use?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.console import json_option, pass_settings
from interviewer.cli.problems import library_of, report_problems
from interviewer.errors import SandboxError

if TYPE_CHECKING:
    from interviewer.rubric.files import Reading
    from interviewer.rubric.problems import Problem
    from interviewer.sandbox.challenges.challenge import Challenge
    from interviewer.settings import Settings


@click.command("lint")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@json_option
@pass_settings
def lint_challenges(settings: Settings, paths: tuple[Path, ...], as_json: bool) -> None:
    """Check challenge files and folders by running them; without a PATH, all that are in use.

    The reference, the solutions and every known wrong answer are executed at the bench. Without a
    PATH, the rubrics that offer a challenge are looked at as well.
    """
    from interviewer.composition import load_challenges, own_challenge_folders
    from interviewer.sandbox.challenges.catalogue import shipped_challenges_folder
    from interviewer.sandbox.challenges.references import lint_challenges_of, lint_rubrics_of

    library = library_of(settings)
    problems: list[Problem] = []
    if not paths:
        own = (folder for folder in own_challenge_folders(settings) if folder.is_dir())
        paths = (shipped_challenges_folder(), *own)
        problems += lint_challenges_of(library, load_challenges(settings))
    readings = _read(paths, problems)
    for reading in readings:
        if reading.value:
            problems += lint_rubrics_of(reading.value, reading.where, library)
    try:
        problems += asyncio.run(_run(settings, readings))
    except SandboxError:
        if not problems:  # what is wrong in form is worth telling without a bench
            raise
    problems.sort(key=lambda problem: (problem.path, problem.line or 0))
    report_problems(problems, checked=len(readings), noun="challenge", as_json=as_json)


def _read(paths: Iterable[Path], problems: list[Problem]) -> list[Reading[Challenge]]:
    """The files below the paths; what is wrong in form goes to ``problems``."""
    from interviewer.rubric.files import read
    from interviewer.rubric.folders import yaml_files
    from interviewer.sandbox.challenges.challenge import Challenge

    readings: list[Reading[Challenge]] = []
    for path in paths:
        found, unread = yaml_files(path) if path.is_dir() else ((path,), ())
        problems += unread
        first_with: dict[str, Path] = {}
        for file in found:
            reading = read(file, Challenge)
            readings.append(reading)
            problems += reading.problems
            if reading.value is None:
                continue
            first = first_with.setdefault(reading.value.id, file)
            if first is not file:
                message = f"is the id of {first} as well; give each its own"
                problems.append(reading.where.error(("id",), message))
    return readings


async def _run(settings: Settings, readings: Iterable[Reading[Challenge]]) -> list[Problem]:
    from interviewer.composition import open_bench
    from interviewer.sandbox.challenges.lint import lint

    problems: list[Problem] = []
    bench = open_bench(settings)
    try:
        for reading in readings:
            if reading.value:
                await bench.prepare(reading.value)
                problems += await lint(reading.value, reading.where, bench)
    finally:
        await bench.aclose()
    return problems
