"""What a check asks of the worker: draws, functions, and the job that carries them as bytes.

And what the worker answers: readings by draw, item and part.
"""

from __future__ import annotations

import ast
import json
import re
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from interviewer.sandbox.challenge import Challenge, Input, Size, Stress
from interviewer.sandbox.language import Statement, expression
from interviewer.sandbox.language.parser import Node
from interviewer.sandbox.worker import protocol
from interviewer.sandbox.worker.protocol import (
    GarbledError,
    read_counts,
    read_line,
    read_numbers,
)

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
    """The draws of one run: the instance, ordinary ones, other sizes, stress. Raises ValueError."""
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


def described_draw(draw: Draw, challenge: Challenge, *, recorded: bool = True) -> dict[str, Any]:
    """The draw as the worker reads it. Raises ValueError where a size makes no sense."""
    inputs = [
        _input(name, given, draw, leaf=recorded and given.differentiable)
        for name, given in challenge.inputs.items()
    ]
    return {
        "seed": draw.salt + draw.seed,
        "scale": draw.scale,
        "dims": dict(draw.dims),
        "inputs": inputs,
        "gradients": draw.gradients,
    }


def _input(name: str, given: Input, draw: Draw, *, leaf: bool) -> dict[str, Any]:
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
        "differentiable": leaf,
        "whole": kind == "integer" or (bool(values) and all(v.is_integer() for v in values)),
    }


# -- a candidate's function, looked at before it runs

LONGEST = 20_000
"""Characters."""
_PYTHON = re.compile(r"\s*(?:(?:def|async|import|from|class)\b|@\w)")


class SourceError(ValueError):
    """The source is not a function that can be checked; ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class FunctionSource:
    """A function in its source; ``line`` is where it begins."""

    source: str
    name: str
    line: int


def is_function(source: str) -> bool:
    """Its first line of code begins a Python function, not a line of the expression language."""
    for line in source[: 4 * LONGEST].splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            return _PYTHON.match(line) is not None
    return False


def function_in(source: str, parameters: Sequence[str] | None = None) -> FunctionSource:
    """The last function at the top level, if it takes ``parameters``. Raises SourceError."""
    if len(source) > LONGEST:
        raise SourceError(1, f"The source is longer than {LONGEST} characters; shorten it.")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        words = getattr(error, "msg", None) or str(error) or "it is too deeply nested"
        raise SourceError(line, f"Python cannot read this: {words.rstrip('.')}.") from None
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise SourceError(1, "There is no function here; start one with def and a name.")
    asked = functions[-1]
    if parameters is not None and not _takes(asked, len(parameters)):
        listed = ", ".join(parameters)
        raise SourceError(asked.lineno, f"{asked.name} must take these arguments: {listed}.")
    return FunctionSource(source, asked.name, asked.lineno)


def _takes(function: ast.FunctionDef, count: int) -> bool:
    given = function.args
    positional = len(given.posonlyargs) + len(given.args)
    least = positional - len(given.defaults)
    wanted_by_name = any(default is None for default in given.kw_defaults)
    return least <= count and (count <= positional or bool(given.vararg)) and not wanted_by_name


# -- jobs

PROPERTY_DRAWS = 3
"""Ordinary draws that properties are tested on."""


def lines_job(
    challenge: Challenge, draws: Sequence[Draw], statements: Sequence[Statement]
) -> bytes:
    """Evaluate these lines on these draws."""
    expressions = [
        (item, place, part.node, statement.defines if place == 0 else None)
        for item, statement in enumerate(statements)
        for place, part in enumerate(statement.parts)
    ]
    return _encoded(challenge, draws, mode="lines", functions=[], expressions=expressions)


def function_job(
    challenge: Challenge, draws: Sequence[Draw], function: FunctionSource, *, free: bool = False
) -> bytes:
    """Call this function, ``free`` of the rules or not; nothing of the challenge's code is sent."""
    rules: dict[str, Any] = (
        {} if free else {"banned": challenge.banned, "operators": challenge.allowed}
    )
    rules["recorded"] = challenge.records_functions
    return _encoded(challenge, draws, mode="functions", functions=[_named(function)], **rules)


def properties_job(challenge: Challenge, draws: Sequence[Draw]) -> bytes:
    """Test the challenge's properties on a function that another process calls."""
    ordinary = [number for number, draw in enumerate(draws) if draw.ordinary]
    return _encoded(
        challenge,
        draws,
        mode="properties",
        recorded=challenge.records_functions,
        properties=[_own(each.code) for each in challenge.properties],
        property_draws=(ordinary or list(range(len(draws))))[:PROPERTY_DRAWS],
    )


def reference_job(challenge: Challenge, draws: Sequence[Draw]) -> bytes:
    """Run the reference and all that is compared with it. Raises SourceError or ValueError."""
    codes = [challenge.reference, *(code for _, code in challenge.wrong_codes)]
    expressions: list[tuple[int, int, Node, str | None]] = []
    given = challenge.given
    for item, step in enumerate(challenge.steps, protocol.STEPS):
        expressions.append((item, 0, expression(step.value, given=given), step.name))
        given = given | {step.name}
    wrong = [value for _, _, value in challenge.wrong_steps]
    expressions += _expressions(protocol.WRONG_STEPS, wrong, given)
    landmarks = [value for _, value in challenge.landmark_values]
    expressions += _expressions(protocol.LANDMARKS, landmarks, given)
    expressions += _expressions(protocol.VISITS, challenge.visits, challenge.given)
    functions = [_own(code) for code in codes]
    return _encoded(
        challenge, draws, mode="functions", functions=functions, expressions=expressions
    )


def visits_job(challenge: Challenge, draws: Sequence[Draw]) -> bytes:
    """Evaluate the conditions of ``visits`` alone. Raises ValueError where one cannot be read."""
    conditions = _expressions(protocol.VISITS, challenge.visits, challenge.given)
    return _encoded(challenge, draws, mode="functions", functions=[], expressions=conditions)


def _expressions(
    first: int, texts: Sequence[str], given: Collection[str]
) -> list[tuple[int, int, Node, str | None]]:
    """Item, part and node of each, and the name that it defines."""
    return [(item, 0, expression(text, given), None) for item, text in enumerate(texts, first)]


@lru_cache(maxsize=1024)
def _own(code: str) -> dict[str, str]:
    """A function of the challenge itself; every check needs the same ones."""
    return _named(function_in(code))


def _named(function: FunctionSource) -> dict[str, str]:
    return {"source": function.source, "name": function.name}


def _encoded(
    challenge: Challenge, draws: Sequence[Draw], *, recorded: bool = True, **fields: Any
) -> bytes:
    job = {
        "draws": [described_draw(draw, challenge, recorded=recorded) for draw in draws],
        "arguments": challenge.parameters,
        "parts": [part.name for part in challenge.answer],
        **fields,
    }
    return json.dumps(job).encode()


# -- what the worker answers

Place = tuple[int, int, int]
"""Draw, item, part."""


@dataclass(frozen=True)
class ReferenceNumbers:
    """A tensor as numbers in row-major order."""

    shape: tuple[int, ...]
    entries: array[float]


@dataclass(frozen=True)
class Value:
    """The value of an expression or function; a gradient that is absent, by input, is zero."""

    itself: ReferenceNumbers
    gradients: Mapping[int, ReferenceNumbers] = field(default_factory=dict)


@dataclass(frozen=True)
class Fault:
    """Why there is no value; ``text`` comes from the child and is not trusted."""

    code: str
    text: str


@dataclass
class Readings:
    """Everything a child sent, asked for or not. ``complete``: it finished its job."""

    values: dict[Place, Value] = field(default_factory=dict)
    faults: dict[Place, Fault] = field(default_factory=dict)
    complete: bool = False

    def of(self, item: int, part: int) -> dict[int, Value]:
        """The values of one part of an item, by draw."""
        return {
            draw: value
            for (draw, at, which), value in self.values.items()
            if at == item and which == part
        }

    def take(self, fields: dict[str, Any]) -> None:
        """Take in one record. Raises GarbledError where it is none."""
        draw, item, part = read_counts([fields.get(name) for name in ("draw", "item", "part")])
        place = (draw, item, part)
        match fields.get("kind"):
            case "value":
                self.values[place] = Value(_numbers(fields), _gradients(fields.get("gradients")))
            case "error":
                text = str(fields.get("text", ""))[: protocol.LONGEST_TEXT]
                self.faults.setdefault(place, Fault(str(fields.get("code", ""))[:40], text))
            case "end":
                self.complete = True
            case _:
                raise GarbledError("a record of an unknown kind")


def read_records(data: bytes) -> Readings:
    """The records in order; reading ends at the first line that is no record."""
    found = Readings()
    try:
        for line in data.splitlines():
            found.take(read_line(line))
    except GarbledError:
        found.complete = False
    return found


def _gradients(listed: Any) -> dict[int, ReferenceNumbers]:
    if not isinstance(listed, list | None):
        raise GarbledError("gradients that are no list")
    return {wrt: _numbers(each) for wrt, each in enumerate(listed or ()) if each is not None}


def _numbers(fields: Any) -> ReferenceNumbers:
    if not isinstance(fields, dict):
        raise GarbledError("a tensor without fields")
    return ReferenceNumbers(*read_numbers(fields))
