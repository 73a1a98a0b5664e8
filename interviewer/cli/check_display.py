"""A challenge and the result of a check, as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any

from interviewer.report.bench import result_json, run_lines
from interviewer.sandbox.challenges.challenge import Challenge, Input, Size
from interviewer.sandbox.language.functions import CONSTANTS, SIGNATURES
from interviewer.sandbox.result import CheckResult

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
    yield from run_lines(source.rstrip(), result)
    yield from _section("What a check cannot see here:", result.open_points)


def check_json(result: CheckResult) -> dict[str, Any]:
    """The result as ``--json`` prints it, what most people look for first."""
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
