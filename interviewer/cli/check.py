"""``interviewer check``: the derivation bench without the full screen."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import (
    challenges_of,
    complain,
    json_option,
    library_of,
    pass_settings,
    report_problems,
    say,
    say_json,
    say_table,
    text_from,
)
from interviewer.errors import InterviewerError, SandboxError
from interviewer.sandbox.language.functions import CONSTANTS, SIGNATURES

if TYPE_CHECKING:
    from interviewer.content.files import Reading
    from interviewer.content.problems import Problem
    from interviewer.sandbox.challenges.catalogue import ChallengeEntry
    from interviewer.sandbox.challenges.challenge import Challenge, Input, Size
    from interviewer.sandbox.result import CheckResult
    from interviewer.settings import Settings


_FIRST_KEYS = ("challenge", "passed", "lines", "first_bad_line", "tier", "milliseconds")


def described(challenge: Challenge, *, hint: int | None, solution: bool) -> Iterator[str]:
    """The task in lines, without what would give its answer away unless that is asked for."""
    yield f"{challenge.title} ({challenge.id}, version {challenge.version}, {challenge.kind})"
    yield ""
    yield challenge.task.rstrip()
    yield ""
    yield from _section("Given:", _given(challenge))
    yield from _section("Wanted:", _quantities(challenge.answer))
    yield from _section("On the way, under these names:", _steps(challenge))
    yield f"As a function, with torch, F and math at hand: {signature(challenge)}"
    usable = ", ".join((*functions(challenge), *CONSTANTS))
    yield from wrap(f"In lines: {usable}", 96, subsequent_indent="  ")
    if challenge.banned:
        yield f"Not to be used: {', '.join(challenge.banned)}"
    if challenge.hints:
        yield f"Hints: {len(challenge.hints)}"
    yield ""
    if hint:
        yield f"Hint {hint}: {challenge.hints[hint - 1].rstrip()}"
        yield ""
    if solution:
        yield from _solution(challenge)


def signature(challenge: Challenge) -> str:
    """The head of a function for this challenge, and what it returns."""
    wanted = ", ".join(f"{part.name}{shape_of(part.shape)}" for part in challenge.answer)
    return f"{challenge.head} -> {wanted}"


def functions(challenge: Challenge) -> list[str]:
    """The functions of the expression language that lines may use here."""
    return sorted(SIGNATURES.keys() - set(challenge.banned), key=str.lower)


def shape_of(shape: Sequence[Size]) -> str:
    """A shape as it stands behind a name; nothing for a single number."""
    return f"[{', '.join(map(str, shape))}]" if shape else ""


def task_json(challenge: Challenge, *, hint: int | None, solution: bool) -> dict[str, Any]:
    """The task as JSON values, with as much of the answer as is asked for."""
    task = challenge.model_dump(
        mode="json",
        include={
            *("id", "version", "title", "kind", "rubrics", "task", "dims", "inputs", "answer"),
            "banned",
        },
    )
    task["arguments"] = list(challenge.parameters)
    task["steps"] = [
        step.model_dump(mode="json", include={"name", "shape", "required", "about"})
        for step in challenge.steps
    ]
    task["signature"] = signature(challenge)
    task["functions"] = functions(challenge)
    task["hints"] = len(challenge.hints)
    if hint:
        task["hint"] = challenge.hints[hint - 1]
    if solution:
        task |= {"solution": challenge.solution, "derivation": challenge.derivation}
    return task


def result_lines(result: CheckResult, source: str) -> Iterator[str]:
    """The result for people: the source with its marks, then what came of it."""
    from interviewer.report.bench import run_lines

    yield from run_lines(source.rstrip(), result)
    yield from _section("What a check cannot see here:", result.open_points)


def check_json(result: CheckResult) -> dict[str, Any]:
    """The result as ``--json`` prints it, what most people look for first."""
    from interviewer.report.bench import result_json

    told = result_json(result) | {
        "mode": result.mode,
        "figures": list(result.figures),
        "open_points": list(result.open_points),
    }
    return {key: told[key] for key in _FIRST_KEYS} | told


def _section(heading: str, lines: Iterable[str]) -> Iterator[str]:
    told = [f"  {line}" for line in lines]
    if told:
        yield heading
        yield from told
        yield ""


def _given(challenge: Challenge) -> Iterator[str]:
    if challenge.dims:
        sizes = ", ".join(f"{name} = {size}" for name, size in challenge.dims.items())
        yield f"sizes {sizes}; other draws may have others"
    for name, given in challenge.inputs.items():
        yield f"{name}{shape_of(given.shape)}: {_drawn(given)}{_about(given.about)}"


def _drawn(given: Input) -> str:
    unit = f" {given.unit}" if given.unit else ""
    if given.instance is not None:
        return f"{given.instance:g}{unit}, and others in further draws"
    match given.draw:
        case "uniform" | "integer":
            below = " below" if given.draw == "integer" else ""
            return f"{given.draw} from {given.low:g} to{below} {_bound(given.high)}{unit}"
        case "choice":
            return f"one of {', '.join(f'{value:g}' for value in given.values)}{unit}"
        case "fixed":
            return f"{given.values[0]:g}{unit}"
        case "logprob":
            return f"log-probabilities along the last axis{unit}"
        case "simplex":
            return f"probabilities along the last axis{unit}"
        case _:
            return f"{given.draw}{unit}"


def _bound(bound: float | Size) -> str:
    return bound if isinstance(bound, str) else f"{bound:g}"


def _quantities(parts: Iterable[Any]) -> Iterator[str]:
    for part in parts:
        unit = f" in {part.unit}" if part.unit else ""
        yield f"{part.name}{shape_of(part.shape)}{unit}{_about(part.about)}"


def _steps(challenge: Challenge) -> Iterator[str]:
    for step in challenge.steps:
        needed = " (asked for)" if step.required else ""
        yield f"{step.name}{shape_of(step.shape)}{needed}{_about(step.about)}"


def _about(text: str) -> str:
    return f"; {text}" if text else ""


def _solution(challenge: Challenge) -> Iterator[str]:
    yield f"Solution: {challenge.solution.rstrip()}"
    yield ""
    if challenge.derivation:
        yield from _section("Worked derivation:", challenge.derivation.splitlines())


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
    from interviewer.sandbox.challenges.lint import lint_challenges_of, lint_rubrics_of

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
    from interviewer.content.collection import yaml_files
    from interviewer.content.files import read
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
    from interviewer.report.plain import printable

    if as_json:
        say_json(check_json(result))
    else:
        for line in result_lines(result, source):
            say(line)
    if not result.passed:
        raise click.ClickException(printable(result.summary))


@click.group()
def check() -> None:
    """The derivation bench: your lines or your function, executed and held against a reference.

    A check compares numbers, shapes and gradients on random draws. That every line holds is no
    proof, and what a check cannot see is listed with its result.
    """


check.add_command(run_check)
check.add_command(lint_challenges)


@check.command("list")
@json_option
@pass_settings
def list_challenges(settings: Settings, as_json: bool) -> None:
    """List the challenges, shipped ones and your own."""
    entries = list(challenges_of(settings).entries.values())
    entries.sort(key=lambda entry: (entry.challenge.kind, entry.challenge.id))
    if as_json:
        say_json([_listed(entry) for entry in entries])
        return
    say_table(
        [("ID", "KIND", "FROM", "TITLE")]
        + [
            (
                entry.challenge.id,
                entry.challenge.kind,
                f"{entry.origin}, replaces shipped" if entry.replaces else entry.origin,
                entry.challenge.title,
            )
            for entry in entries
        ]
    )


@check.command("show")
@click.argument("challenge_id", metavar="CHALLENGE")
@click.option("--hint", metavar="N", type=click.IntRange(min=1), help="Show the N-th hint too.")
@click.option("--solution", is_flag=True, help="Show the solution and the worked derivation too.")
@json_option
@pass_settings
def show_challenge(
    settings: Settings, challenge_id: str, hint: int | None, solution: bool, as_json: bool
) -> None:
    """Show a task: what is given, what is wanted, and what may not be used."""
    entry = challenges_of(settings).get(challenge_id)
    challenge = entry.challenge
    if hint and hint > len(challenge.hints):
        count = len(challenge.hints)
        raise click.BadParameter(
            f"{challenge_id} has {count} hint{'' if count == 1 else 's'}.", param_hint="--hint"
        )
    if as_json:
        task = task_json(challenge, hint=hint, solution=solution)
        say_json({**task, "origin": entry.origin, "path": str(entry.path)})
        return
    for line in described(challenge, hint=hint, solution=solution):
        say(line)
    say(f"File: {entry.path}")


@check.command("path")
@click.argument("challenge_id", metavar="[CHALLENGE]", required=False)
@json_option
@pass_settings
def show_path(settings: Settings, challenge_id: str | None, as_json: bool) -> None:
    """Print the file of one challenge, or the folders that challenges are read from."""
    from interviewer.composition import own_challenge_folders
    from interviewer.sandbox.challenges.catalogue import shipped_challenges_folder

    if challenge_id is not None:
        paths = [challenges_of(settings).get(challenge_id).path]
    else:
        paths = [shipped_challenges_folder(), *own_challenge_folders(settings)]
    if as_json:
        say_json([str(path) for path in paths])
        return
    for path in paths:
        say(str(path))


def _listed(entry: ChallengeEntry) -> dict[str, Any]:
    challenge = entry.challenge
    return {
        "id": challenge.id,
        "title": challenge.title,
        "kind": challenge.kind,
        "rubrics": challenge.rubrics,
        "hints": len(challenge.hints),
        "origin": entry.origin,
        "replaces": entry.replaces,
        "path": str(entry.path),
    }
