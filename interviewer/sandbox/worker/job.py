"""One job of a child, from the request's bytes to records. Nothing here says right or wrong."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from . import records
from .calling import CallError, Function, as_tensor, call, described, load
from .draws import Drawn, drawn, projection
from .evaluating import EvaluationError, Evaluator

Write = Callable[[bytes], None]


class _Emitter:
    """Writes what one draw brings."""

    def __init__(self, write: Write, draw: int, given: Drawn) -> None:
        self.write, self.draw = write, draw
        self.leaves = given.leaves if given.gradients else {}

    def tensor(self, item: int, part: int, value: Tensor, *, gradients: bool = True) -> None:
        if value.numel() > records.MOST_ENTRIES:
            self.error(item, part, "size", f"{value.numel()} entries")
            return
        shape = tuple(value.shape)
        numbers = value.detach().to(torch.float64).reshape(-1).tolist()
        self.write(records.value(self.draw, item, part, records.ITSELF, shape, numbers))
        if gradients and value.requires_grad and self.leaves:
            self._gradients(item, part, value)

    def _gradients(self, item: int, part: int, value: Tensor) -> None:
        finite = torch.where(torch.isfinite(value), value, torch.zeros_like(value))
        whole = (finite * projection(value.shape)).sum()
        leaves = list(self.leaves.values())
        try:
            found = torch.autograd.grad(whole, leaves, retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            self.error(item, part, "gradient", str(error).split("\n")[0])
            return
        for place, gradient in enumerate(found):
            if gradient is not None:
                numbers = gradient.detach().reshape(-1).tolist()
                shape = tuple(gradient.shape)
                self.write(records.value(self.draw, item, part, place, shape, numbers))

    def error(self, item: int, part: int, code: str, text: str) -> None:
        self.write(records.error(self.draw, item, part, code, text))

    def branch(self, item: int, part: int) -> Callable[[int, int], None]:
        return lambda first, other: self.write(records.branch(self.draw, item, part, first, other))

    def note(self, item: int, part: int) -> Callable[[str], None]:
        return lambda text: self.write(records.note(self.draw, item, part, "widened", text))


def run(body: bytes, write: Write) -> None:
    """Carry a job out; every outcome is a record, and the last one says that it is the last."""
    job = json.loads(body)
    if job["mode"] == "lines":
        _lines(job, write)
    else:
        _functions(job, write)
    write(records.end())


def _lines(job: dict[str, Any], write: Write) -> None:
    for number, draw in enumerate(job["draws"]):
        given = drawn(draw)
        emitter = _Emitter(write, number, given)
        names = dict(given.values)
        for item, statement in enumerate(job["statements"]):
            if not _statement(item, statement, names, emitter):
                break


def _statement(
    item: int, statement: dict[str, Any], names: dict[str, Any], emitter: _Emitter
) -> bool:
    for part, node in enumerate(statement["parts"]):
        evaluator = Evaluator(names, emitter.branch(item, part), emitter.note(item, part))
        try:
            value = evaluator.evaluate(node)
        except EvaluationError as error:
            emitter.error(item, part, error.code, str(error))
            return False
        emitter.tensor(item, part, value)
        if part == 0 and statement["defines"]:
            names[statement["defines"]] = value
    return True


def _functions(job: dict[str, Any], write: Write) -> None:
    """Values of every function on every draw first, then properties of the first function.

    What it prints is kept of its first call; the same lines for every draw would help nobody.
    """
    draws = [drawn(draw) for draw in job["draws"]]
    loaded = {}
    for item, described_ in enumerate(job["functions"]):
        try:
            loaded[item] = load(described_["source"], described_["name"])
        except CallError as error:
            write(records.error(0, item, 0, error.code, str(error)))
    for number, given in enumerate(draws):
        emitter = _Emitter(write, number, given)
        for item, function in loaded.items():
            with contextlib.nullcontext() if number == 0 else _silence():
                _values(item, function, job, given, emitter)
        names = dict(given.values)
        for place, (name, node) in enumerate(job.get("steps", ())):
            names[name] = _expression(records.STEPS + place, node, names, emitter)
        for place, node in enumerate(job.get("wrong_steps", ())):
            _expression(records.WRONG_STEPS + place, node, names, emitter)
        for place, node in enumerate(job.get("visits", ())):
            _expression(records.VISITS + place, node, names, emitter)
    if 0 in loaded:
        for number in job.get("property_draws", ()):
            given = draws[number]
            emitter = _Emitter(write, number, given)
            for place, held in enumerate(job.get("properties", ())):
                with _silence():
                    _property(records.PROPERTIES + place, held, loaded[0], job, given, emitter)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _values(item: int, function: Any, job: dict[str, Any], given: Drawn, emitter: _Emitter) -> None:
    values = given.fresh()
    try:
        parts = call(function, [values[name] for name in job["arguments"]], job["parts"])
    except CallError as error:
        emitter.error(item, 0, error.code, str(error))
        return
    for part, value in enumerate(parts):
        emitter.tensor(item, part, value)


def _expression(item: int, node: Any, names: dict[str, Any], emitter: _Emitter) -> Any:
    """An expression of the challenge itself; its value, None where there is none."""
    try:
        value = Evaluator(names, lambda first, other: None).evaluate(node)
    except EvaluationError as error:
        emitter.error(item, 0, error.code, str(error))
        return None
    emitter.tensor(item, 0, value)
    return value


def _property(
    item: int, held: dict[str, Any], f: Any, job: dict[str, Any], given: Drawn, emitter: _Emitter
) -> None:
    values = given.fresh()
    arguments = [values[name] for name in job["arguments"]]
    try:
        answered = load(held["source"], held["name"])(_normalised(f, job["parts"]), *arguments)
        for part, (got, wanted) in enumerate(_pairs(answered)):
            emitter.tensor(item, 2 * part, as_tensor(got), gradients=False)
            emitter.tensor(item, 2 * part + 1, as_tensor(wanted), gradients=False)
    except CallError as error:
        emitter.error(item, 0, error.code, str(error))
    except BaseException as error:  # noqa: BLE001 - whatever theirs raises is an answer
        emitter.error(item, 0, "raised", described(error))


def _normalised(function: Function, parts: Sequence[str]) -> Function:
    """The function as properties call it: it returns tensors, and may change its arguments."""

    def called(*arguments: Any) -> Tensor | tuple[Tensor, ...]:
        own = [each.clone() if isinstance(each, Tensor) else each for each in arguments]
        values = call(function, own, parts)
        return values[0] if len(parts) == 1 else tuple(values)

    return called


def _pairs(answered: Any) -> list[tuple[Any, Any]]:
    if isinstance(answered, tuple) and len(answered) == 2:
        return [answered]
    return [(got, wanted) for got, wanted in answered]


_WARMING_LINES = {
    "mode": "lines",
    "draws": [
        {
            "seed": 0,
            "scale": 1.0,
            "dims": {"n": 2},
            "gradients": True,
            "inputs": [
                {
                    "name": "x",
                    "shape": [2, 3],
                    "draw": "normal",
                    "low": 0.0,
                    "high": 1.0,
                    "values": [],
                    "differentiable": True,
                    "whole": False,
                }
            ],
        }
    ],
    "statements": [
        {
            "line": 1,
            "defines": "y",
            "parts": [
                [
                    "call",
                    "softmax",
                    [["bin", "@", ["name", "x"], ["call", "T", [["name", "x"]], {}]]],
                    {"dim": ["num", 1.0]},
                ]
            ],
        }
    ],
}
_WARMING_FUNCTION = """
def warm(x):
    from torch.utils.checkpoint import checkpoint
    y = torch.func.vmap(torch.sin)(x) + checkpoint(torch.cos, x, use_reentrant=False)
    weights = torch.softmax(torch.einsum("ij,kj->ik", y, y), -1).masked_fill(y @ y.T > 9, 0.0)
    heads = torch.nn.functional.scaled_dot_product_attention(y[None], y[None], y[None])
    gathered = torch.sort(weights, -1).values.cumsum(-1).clamp(0, 1).logsumexp(-1)
    return gathered.sum() + heads.sum() + torch.nn.functional.layer_norm(y, (3,)).sum()
"""


_TOUCHING_FUNCTION = """
def touched(x):
    return torch.softmax(torch.einsum("ij,kj->ik", x, x) / 2.0, -1) @ x
"""


def warm() -> None:
    """Do once in the worker what would otherwise be imported or set up anew by every child.

    Numbers without a type are doubles: an honest ``torch.arange(n) / d`` must not fail by rounding.
    """
    from torch.autograd import gradcheck

    torch.set_default_dtype(torch.float64)
    touch()
    run(_thrown_away(_WARMING_FUNCTION, "warm"), lambda _: None)
    gradcheck(torch.sin, (torch.ones(1, dtype=torch.float64, requires_grad=True),))


def touch() -> None:
    """Throw-away checks in a child that waits, so that its pages are there when it is used."""
    run(json.dumps(_WARMING_LINES).encode(), lambda _: None)
    run(_thrown_away(_TOUCHING_FUNCTION, "touched"), lambda _: None)


def _thrown_away(source: str, name: str) -> bytes:
    job = {
        "mode": "functions",
        "draws": _WARMING_LINES["draws"],
        "functions": [{"source": source, "name": name}],
        "arguments": ["x"],
        "parts": ["y"],
    }
    return json.dumps(job).encode()
