"""``interviewer check``: the derivation bench on the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from interviewer import composition
from interviewer.cli import console
from interviewer.cli.content import View, folders_in_use, origin_of
from interviewer.content.kinds import CHALLENGES
from interviewer.errors import SandboxError
from interviewer.report.plain import printable
from interviewer.sandbox.language.functions import CONSTANTS, SIGNATURES, grammar_lines

if TYPE_CHECKING:
    from interviewer.content.fields import Problem
    from interviewer.content.files import FileReading
    from interviewer.sandbox.challenge import Challenge, Input, Size, TaskQuantity
    from interviewer.sandbox.result import CheckResult
    from interviewer.settings import Settings


@click.group()
def check() -> None:
    """The derivation bench: your lines or your function, run and compared with a reference.

    A check compares numbers, shapes and gradients on random draws. Lines that hold are no proof,
    and the result lists what the check cannot see.
    """


@check.command("run")
@click.argument("challenge_id", metavar="CHALLENGE")
@click.option(
    "--file",
    metavar="FILE",
    type=click.File("rb"),
    default="-",
    help="A .py file with a function, or lines of a derivation; by default stdin (-).",
)
@click.option(
    "--yes-run-my-code",
    "consent",
    is_flag=True,
    help="Run your own function even if only time and memory limits confine it.",
)
@console.json_option
@console.pass_settings
def run_check(
    settings: Settings, challenge_id: str, file: BinaryIO, consent: bool, as_json: bool
) -> None:
    """Check lines of a derivation, or a function, against a challenge.

    Exit code 0 means that everything asked for is there and holds numerically.
    """
    from interviewer.report.session_json import fields, result_json
    from interviewer.report.words import run_lines

    challenge = console.loaded(composition.load_challenges(settings)).get(challenge_id).model
    source = console.text_from(file, "derivation")
    result = asyncio.run(_checked(settings, challenge, source, consent=consent))
    if as_json:
        console.say_json(result_json(result) | fields(result, "mode", "figures", "open_points"))
    else:
        console.say(*run_lines(source.rstrip(), result))
        console.say(*_section("What a check cannot see here:", result.open_points))
    if not result.passed:
        raise click.ClickException(printable(result.summary))


async def _checked(
    settings: Settings, challenge: Challenge, source: str, *, consent: bool
) -> CheckResult:
    from interviewer.sandbox.jobs import is_function

    async with aclosing(composition.open_bench(settings)) as bench:
        await bench.prepare(challenge)
        if bench.tier == "reduced" and is_function(source):
            if not consent:
                raise click.UsageError(
                    "This function would run with all your permissions, limited in time and "
                    "memory only; --yes-run-my-code allows that."
                )
            bench.allow_functions = True
        return await bench.check(challenge, source)


@check.command("show")
@click.argument("challenge_id", metavar="CHALLENGE")
@console.json_option
@console.pass_settings
def show_challenge(settings: Settings, challenge_id: str, as_json: bool) -> None:
    """Show a task: what is given, what is wanted, how lines are written."""
    entry = console.loaded(composition.load_challenges(settings)).get(challenge_id)
    if as_json:
        console.say_json(task_json(entry.model) | origin_of(entry))
    else:
        console.say(*described(entry.model), f"File: {entry.path}")


def _lint(settings: Settings, paths: tuple[Path, ...]) -> tuple[int, list[Problem]]:
    """Checks the files by running them; without paths also the rubrics that offer challenges."""
    from interviewer.content.collection import read_all
    from interviewer.sandbox.challenge import Challenge
    from interviewer.sandbox.lint import lint_challenges_of, lint_rubrics_of

    library = console.loaded(composition.load_library(settings))
    readings, problems = read_all(paths or folders_in_use(settings, CHALLENGES), Challenge)
    if not paths:
        problems += lint_challenges_of(library, composition.load_challenges(settings))
    for reading in readings:
        problems += reading.problems
        if reading.value:
            problems += lint_rubrics_of(reading.value, reading.where, library)
    try:
        problems += asyncio.run(_run(settings, readings))
    except SandboxError:
        if not problems:  # problems of form are worth reporting without a bench
            raise
    return len(readings), sorted(problems, key=lambda problem: (problem.path, problem.line or 0))


async def _run(settings: Settings, readings: Iterable[FileReading[Challenge]]) -> list[Problem]:
    """What shows at the bench."""
    from interviewer.sandbox.lint import lint

    problems: list[Problem] = []
    async with aclosing(composition.open_bench(settings, salt=0)) as bench:
        for reading in readings:
            if reading.value:
                problems += await lint(reading.value, reading.where, bench)
    return problems


_FIELDS = "id version title kind rubrics task dims inputs answer banned"
_SHOWN: dict[str, Any] = dict.fromkeys(_FIELDS.split(), True) | {
    "steps": {"__all__": {"name", "shape", "required", "about"}}
}
"""What gives nothing away."""


def described(challenge: Challenge) -> Iterator[str]:
    """The task in lines."""
    yield f"{challenge.title} ({challenge.id}, version {challenge.version}, {challenge.kind})"
    yield f"\n{challenge.task.rstrip()}\n"
    sizes = ", ".join(f"{name} = {size}" for name, size in challenge.dims.items())
    given = [f"sizes {sizes}; other draws may have others"] if sizes else []
    given += [_given(name, each) for name, each in challenge.inputs.items()]
    steps = (_quantity(step, " (asked for)" * step.required) for step in challenge.steps)
    yield from _section("Given:", given)
    wanted = (_quantity(part, part.unit and f" in {part.unit}") for part in challenge.answer)
    yield from _section("Wanted:", wanted)
    yield from _section("On the way, under these names:", steps)
    yield f"As a function, with torch, F and math at hand: {_signature(challenge)}"
    usable = ", ".join((*_functions(challenge), *CONSTANTS))
    yield from wrap(f"In lines: {usable}", 96, subsequent_indent="  ")
    if challenge.banned:
        yield f"Not to be used: {', '.join(challenge.banned)}"
    yield ""
    yield from _section("How lines are written:", grammar_lines())


def _given(name: str, given: Input) -> str:
    value = "" if given.instance is None else f" = {given.instance:g}"
    unit = f" {given.unit}" if given.unit else ""
    about = f"; {given.about}" if given.about else ""
    return f"{name}{_shape(given.shape)}{value}{unit}{about}"


def _quantity(part: TaskQuantity, note: str) -> str:
    about = f"; {part.about}" if part.about else ""
    return f"{part.name}{_shape(part.shape)}{note}{about}"


def _shape(shape: Sequence[Size]) -> str:
    """A shape as written after a name; empty for a single number."""
    return f"[{', '.join(map(str, shape))}]" if shape else ""


def _section(heading: str, lines: Iterable[str]) -> Iterator[str]:
    if indented := [f"  {line}" for line in lines]:
        yield from (heading, *indented, "")


def _signature(challenge: Challenge) -> str:
    """The head of a function for this challenge and what it returns."""
    wanted = ", ".join(f"{part.name}{_shape(part.shape)}" for part in challenge.answer)
    return f"{challenge.head} -> {wanted}"


def _functions(challenge: Challenge) -> list[str]:
    """The functions of the expression language that lines may use here."""
    return sorted(SIGNATURES.keys() - set(challenge.banned), key=str.lower)


def task_json(challenge: Challenge) -> dict[str, Any]:
    """The task as JSON values, without what gives the answer away."""
    return challenge.model_dump(mode="json", include=_SHOWN) | {
        "arguments": list(challenge.parameters),
        "signature": _signature(challenge),
        "functions": _functions(challenge),
    }


def _row(challenge: Challenge) -> dict[str, Any]:
    shown = challenge.model_dump(include={"id", "title", "kind", "rubrics"})
    return shown | {"hints": len(challenge.hints)}


_view: View[Challenge, Challenge] = View(
    CHALLENGES, composition.load_challenges, row=_row, columns=("kind",), lint=_lint
)
_view.add_to(check)
