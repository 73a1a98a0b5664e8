"""What a check asks of the worker: sizes, draws, and the job that carries them as bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from interviewer.sandbox.challenge import Challenge, Input, Size, Stress
from interviewer.sandbox.language import Statement, expression
from interviewer.sandbox.language.parser import Node
from interviewer.sandbox.python_source import FunctionSource, function_in

LARGEST = 4096
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: float(a**b) if abs(b) <= 8 else float("inf"),
}


def resolve_dims(dims: Mapping[str, Size]) -> dict[str, int]:
    """All dims as numbers, each over those before it. Raises ValueError with a sentence."""
    known: dict[str, int] = {}
    for name, written in dims.items():
        known[name] = size_of(written, known)
    return known


def size_of(written: Size, dims: Mapping[str, int]) -> int:
    """A size as a number from 1 up. Raises ValueError with a sentence."""
    if isinstance(written, str):
        value = _size_value(expression(written, given=dims), dims)
    else:
        value = float(written)
    if not (value == value // 1 and 1 <= value <= LARGEST):
        raise ValueError(f"{written} is not a whole number from 1 to {LARGEST}; change a dim")
    return int(value)


def shape_of(written: Iterable[Size], dims: Mapping[str, int]) -> tuple[int, ...]:
    """A shape in numbers. Raises ValueError with a sentence."""
    return tuple(size_of(each, dims) for each in written)


def _size_value(node: Node, dims: Mapping[str, int]) -> float:
    match node:
        case ["num", float() | int() as number]:
            return float(number)
        case ["name", str() as name] if name in dims:
            return float(dims[name])
        case ["bin", str() as sign, left, right] if sign in _ARITHMETIC:
            try:
                return _ARITHMETIC[sign](_size_value(left, dims), _size_value(right, dims))
            except ZeroDivisionError:
                raise ValueError("a size divides by zero; change a dim") from None
        case _:
            raise ValueError("a size is written with numbers, earlier dims and + - * / only")


SCALES = (1.0, 0.3, 3.0, 1.0, 1.0)
"""Of the ordinary draws; several scales expose agreement by accident at one of them."""
MOST_EXTRA = 40
"""Extra draws at most, made until every condition of ``visits`` has been true."""
_EDGE_SEED, _STRESS_SEED, _EXTRA_SEED = 100, 200, 500


@dataclass(frozen=True)
class Draw:
    """One set of input values to come.

    ``about`` is a clause on what is unusual about it. ``instance`` marks the draw with the numbers
    of an estimation's question. A failure at a ``stress`` that need not hold does not count.
    ``salt`` is the run's own: with another one the same seed gives other values.
    """

    seed: int
    scale: float
    dims: Mapping[str, int]
    about: str = ""
    stress: Stress | None = None
    instance: bool = False
    salt: int = 0

    @property
    def counts(self) -> bool:
        """A difference here is a failure."""
        return self.stress is None or self.stress.must_hold

    @property
    def gradients(self) -> bool:
        """Gradients are compared too: on two of the draws that differ in scale alone."""
        return self.ordinary and (self.seed <= 2 or self.seed >= _EDGE_SEED)

    @property
    def ordinary(self) -> bool:
        """Neither an unusual scale nor the numbers of an estimation."""
        return self.stress is None and not self.instance


def draws_of(challenge: Challenge, salt: int = 0) -> tuple[Draw, ...]:
    """The draws of one run: the instance first, ordinary ones, other sizes, stress.

    Raises ValueError with a sentence where the challenge's sizes make no sense.
    """
    dims = resolve_dims(challenge.dims)
    made = [Draw(seed, scale, dims) for seed, scale in enumerate(SCALES, start=1)]
    if challenge.kind == "estimation":
        made = [Draw(0, 1.0, dims, instance=True), *made[:2]]
    for place, edge in enumerate(challenge.edges):
        changed = ", ".join(f"{name} = {number}" for name, number in edge.items())
        other = resolve_dims({**challenge.dims, **edge})
        made.append(Draw(_EDGE_SEED + place, 1.0, other, about=f"with {changed}"))
    for place, stress in enumerate(challenge.stress):
        made.append(
            Draw(_STRESS_SEED + place, stress.scale, dims, about=stress.about, stress=stress)
        )
    return tuple(replace(draw, salt=salt) for draw in made)


def extra_draws(challenge: Challenge, salt: int = 0) -> tuple[Draw, ...]:
    """Further ordinary draws, for branches that the others do not visit."""
    dims = resolve_dims(challenge.dims)
    return tuple(Draw(_EXTRA_SEED + n, 1.0, dims, salt=salt) for n in range(MOST_EXTRA))


def described_draw(draw: Draw, challenge: Challenge) -> dict[str, Any]:
    """The draw as the worker reads it. Raises ValueError where a size makes no sense."""
    inputs = [_input(name, given, draw) for name, given in challenge.inputs.items()]
    return {
        "seed": draw.salt + draw.seed,
        "scale": draw.scale,
        "dims": dict(draw.dims),
        "inputs": inputs,
        "gradients": draw.gradients,
    }


def _input(name: str, given: Input, draw: Draw) -> dict[str, Any]:
    kind, values = given.draw, list(given.values)
    if draw.instance and given.instance is not None:
        kind, values = "fixed", [given.instance]
    high = size_of(given.high, draw.dims) if isinstance(given.high, str) else given.high
    return {
        "name": name,
        "shape": list(shape_of(given.shape, draw.dims)),
        "draw": kind,
        "low": given.low,
        "high": high,
        "values": values,
        "differentiable": given.differentiable,
        "whole": kind == "integer" or (bool(values) and all(v.is_integer() for v in values)),
    }


PROPERTY_DRAWS = 3
"""Ordinary draws that properties are tested on."""


def lines_job(
    challenge: Challenge, draws: Sequence[Draw], statements: Sequence[Statement]
) -> bytes:
    """Evaluate these lines on these draws."""
    written = [
        {
            "line": statement.line,
            "defines": statement.defines,
            "parts": [part.node for part in statement.parts],
        }
        for statement in statements
    ]
    return _encoded(challenge, draws, mode="lines", statements=written)


def function_job(
    challenge: Challenge,
    draws: Sequence[Draw],
    function: FunctionSource,
    banned: Collection[str] = (),
) -> bytes:
    """Call this function on these draws. Nothing of the challenge's own code is in the job.

    ``banned`` are names of functions that are refused where they are called.
    """
    functions = [_named(function)]
    return _encoded(challenge, draws, mode="functions", functions=functions, banned=list(banned))


def properties_job(challenge: Challenge, draws: Sequence[Draw]) -> bytes:
    """Test the challenge's properties on a function that another process calls."""
    return _encoded(
        challenge,
        draws,
        mode="properties",
        properties=[_own(each.code) for each in challenge.properties],
        property_draws=property_draws(draws),
    )


def reference_job(challenge: Challenge, draws: Sequence[Draw]) -> bytes:
    """Run the reference, the wrong answers, the steps and the conditions of ``visits``.

    Raises SourceError or ValueError where the challenge itself cannot be read.
    """
    functions = [challenge.reference, *(code for _, code in challenge.wrong_codes)]
    given = challenge.given
    steps = []
    for step in challenge.steps:
        steps.append((step.name, expression(step.value, given=given)))
        given = given | {step.name}
    return _encoded(
        challenge,
        draws,
        mode="functions",
        functions=[_own(code) for code in functions],
        steps=steps,
        wrong_steps=[expression(value, given=given) for _, _, value in challenge.wrong_steps],
        landmarks=[expression(value, given=given) for _, value in challenge.landmark_values],
        visits=[expression(text, given=challenge.given) for text in challenge.visits],
    )


def visits_job(challenge: Challenge, draws: Sequence[Draw]) -> bytes:
    """Evaluate the conditions of ``visits`` alone. Raises ValueError where one cannot be read."""
    visits = [expression(text, given=challenge.given) for text in challenge.visits]
    return _encoded(challenge, draws, mode="functions", functions=[], visits=visits)


def property_draws(draws: Sequence[Draw]) -> list[int]:
    """The numbers of the draws that properties are tested on."""
    ordinary = [number for number, draw in enumerate(draws) if draw.ordinary]
    return (ordinary or list(range(len(draws))))[:PROPERTY_DRAWS]


@lru_cache(maxsize=1024)
def _own(code: str) -> dict[str, str]:
    """A function of the challenge itself; every check needs the same ones."""
    return _named(function_in(code))


def _named(function: FunctionSource) -> dict[str, str]:
    return {"source": function.source, "name": function.name}


def _encoded(challenge: Challenge, draws: Sequence[Draw], **fields: Any) -> bytes:
    job = {
        "draws": [described_draw(draw, challenge) for draw in draws],
        "arguments": challenge.parameters,
        "parts": [part.name for part in challenge.answer],
        **fields,
    }
    return json.dumps(job).encode()
