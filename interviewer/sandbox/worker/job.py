"""One job of a child, from the request's bytes to records. Nothing here judges right or wrong."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import math
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor

from . import protocol
from .calls import CallError, Peer, Remote, answer, gradients, pack_tensor
from .evaluator import EvaluationError, Evaluator
from .guard import BannedError, CallGuard, prepare

# Draws: the same in every child, whoever's code it runs

Given = Tensor | float | int
_PROJECTION_PLACE = 977
"""Beyond the places of all inputs."""


@dataclass(frozen=True)
class Drawn:
    """One draw: inputs and dims by name, and the inputs that ``gradients`` go to if asked for."""

    values: dict[str, Given]
    leaves: dict[str, Tensor]
    gradients: bool
    seed: int

    def fresh(self) -> dict[str, Given]:
        """The values, as copies that may be changed in place; gradients still reach the leaves."""
        return {
            name: given.clone() if isinstance(given, Tensor) else given
            for name, given in self.values.items()
        }

    def changed(self, passed: Mapping[str, Given]) -> list[str]:
        """Which of the copies that a function was called with it has changed in place."""
        return [
            name
            for name, given in self.values.items()
            if isinstance(given, Tensor) and not _equal(given, passed[name])
        ]


_equal: Callable[[Any, Any], bool] = torch.equal
"""Bound before any candidate's code runs."""


def drawn(draw: dict[str, Any]) -> Drawn:
    """The inputs that a draw describes."""
    values: dict[str, Given] = dict(draw["dims"])
    leaves: dict[str, Tensor] = {}
    for place, described in enumerate(draw["inputs"]):
        generator = torch.Generator().manual_seed(draw["seed"] * 1009 + place)
        given = _given(described, draw["scale"], generator)
        if described["differentiable"] and isinstance(given, Tensor):
            given.requires_grad_()
            leaves[described["name"]] = given
        values[described["name"]] = given
    return Drawn(values, leaves, draw["gradients"], draw["seed"])


def _given(described: dict[str, Any], scale: float, generator: torch.Generator) -> Given:
    tensor = _tensor(described, scale, generator)
    if described["shape"]:
        return tensor
    return int(tensor) if described["whole"] else float(tensor)


def _tensor(described: dict[str, Any], scale: float, generator: torch.Generator) -> Tensor:
    shape, low, high = described["shape"], described["low"], described["high"]
    normal = torch.randn(shape, generator=generator, dtype=torch.float64)
    uniform = torch.rand(shape, generator=generator, dtype=torch.float64)
    match described["draw"]:
        case "normal":
            return normal.mul(scale)
        case "uniform":
            return uniform.mul(high - low).add(low)
        case "positive":
            return torch.exp(normal).mul(scale)
        case "simplex":
            return torch.softmax(normal * scale, -1)
        case "logprob":
            return torch.log_softmax(normal * scale, -1)
        case "mask":
            return _mask(uniform)
        case "integer":
            return uniform.mul(high - low).floor().add(low).to(torch.int64)
        case "choice":
            listed = torch.tensor(described["values"], dtype=torch.float64)
            return listed.take((uniform * len(listed)).to(torch.int64))
        case _:  # fixed
            return torch.full(shape, described["values"][0], dtype=torch.float64)


def _mask(uniform: Tensor) -> Tensor:
    mask = uniform.lt(0.5)
    if mask.numel() > 1:
        mask.view(-1)[uniform.argmin()] = True
        mask.view(-1)[uniform.argmax()] = False
    return mask


def projection(shape: torch.Size, seed: int) -> Tensor:
    """A draw's random weights: they make one number of a tensor, of its Jacobian one gradient."""
    generator = torch.Generator().manual_seed(seed * 1009 + _PROJECTION_PLACE)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


# A function that came as source text

FILE = "<yours>"
Function = Callable[..., Any]


def load(source: str, name: str) -> Function:
    """The function of this name, after running the top level of the source."""
    namespace: dict[str, Any] = {
        "__name__": "yours",
        "torch": torch,
        "F": torch.nn.functional,
        "nn": torch.nn,
        "Tensor": Tensor,
        "math": math,
    }
    with _answering():
        exec(compile(source, FILE, "exec"), namespace)  # the very purpose; this process is confined
    function = namespace.get(name)
    if not callable(function):
        raise CallError("raised", f"{name} is not a function once the source has run")
    return function  # type: ignore[no-any-return]


def call(function: Function, arguments: Sequence[Any], parts: Sequence[str]) -> list[Tensor]:
    """The parts of the answer as tensors, in the order of their names. Raises CallError."""
    with _answering():
        returned = function(*arguments)
    return [as_tensor(part) for part in _split(returned, parts)]


@contextlib.contextmanager
def _answering() -> Iterator[None]:
    """Whatever the code raises is an answer."""
    try:
        yield
    except BannedError as error:
        raise CallError("banned", str(error)) from None
    except BaseException as error:  # noqa: BLE001 - as said
        raise CallError("raised", described(error)) from None


def _split(returned: Any, parts: Sequence[str]) -> list[Any]:
    if isinstance(returned, Mapping):
        missing = [name for name in parts if name not in returned]
        if missing:
            raise CallError("type", f"returns a dict without {', '.join(missing)}")
        return [returned[name] for name in parts]
    if len(parts) == 1:
        alone = isinstance(returned, tuple) and len(returned) == 1
        return [returned[0] if alone else returned]
    several = isinstance(returned, tuple | list)
    if isinstance(returned, Tensor) and returned.ndim:
        several = len(returned) == len(parts)
    if not several or len(returned) != len(parts):
        got = f"{len(returned)} values" if several else "one value"
        raise CallError(
            "type", f"returns {got}, where {len(parts)} are expected: {', '.join(parts)}"
        )
    return list(returned)


def as_tensor(value: Any) -> Tensor:
    """A tensor of doubles, still joined to its inputs. Raises CallError for anything else."""
    try:
        if isinstance(value, list | tuple):
            value = torch.stack([as_tensor(each) for each in value])
        if isinstance(value, bool | int | float):
            value = torch.tensor(value, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError, OverflowError, RecursionError) as error:
        raise CallError("type", f"returns a list that is not a tensor: {error}") from None
    if not isinstance(value, Tensor):
        what = "nothing (is a return missing?)" if value is None else f"a {type(value).__name__}"
        raise CallError("type", f"returns {what}, where numbers are expected")
    if value.is_complex():
        raise CallError("type", "returns complex numbers, where real ones are expected")
    return value.to(torch.float64)


def described(error: BaseException) -> str:
    """The error, with the line of the candidate's source that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame.lineno for frame in frames if frame.filename == FILE]
    line = own[-1] if own else getattr(error, "lineno", None)
    words = str(error).strip().split("\n")[0]
    place = f"line {line}: " if line else ""
    return f"{place}{type(error).__name__}{': ' if words else ''}{words}"


# The job

Write = Callable[[bytes], None]


class Emitter:
    """Writes what one draw brings."""

    def __init__(self, write: Write, draw: int, given: Drawn) -> None:
        self._write, self._draw = write, draw
        self._leaves = list(given.leaves.values()) if given.gradients else []
        self._seed = given.seed

    def tensor(self, item: int, part: int, value: Tensor, *, gradients: bool = True) -> None:
        """A value, with the gradients of its projection."""
        if value.numel() > protocol.MOST_ENTRIES:
            self.error(item, part, "size", f"{value.numel()} entries")
            return
        found: Sequence[Tensor | None] = ()
        if gradients and value.requires_grad and self._leaves:
            try:
                found = self._gradients(value)
            except RuntimeError as error:
                self.error(item, part, "gradient", str(error).split("\n")[0])
                return
        packed = [None if each is None else pack_tensor(each) for each in found]
        place = (self._draw, item, part)
        record = protocol.pack_record("value", *place, gradients=packed, **pack_tensor(value))
        self._write(record)

    def _gradients(self, value: Tensor) -> Sequence[Tensor | None]:
        finite = torch.where(torch.isfinite(value), value, torch.zeros_like(value))
        whole = (finite * projection(value.shape, self._seed)).sum()
        return gradients([whole], [torch.ones_like(whole)], self._leaves)

    def error(self, item: int, part: int, code: str, text: str) -> None:
        """Why there is no value."""
        self._write(protocol.pack_record("error", self._draw, item, part, code=code, text=text))


def run_job(job: dict[str, Any], write: Write, peer: Peer) -> Callable[[], None] | None:
    """Run a job; every outcome is a record, and the last one says that it is the last.

    What is returned answers calls of its first function.
    """
    if job["mode"] == "properties":
        _properties(job, write, peer)
        function = None
    else:
        function = _evaluate(job, write)
    write(protocol.pack_record("end"))

    def called(arguments: Sequence[Any]) -> list[Tensor]:
        if function is None:
            raise CallError("raised", "there is no function")
        with silence():
            return call(function, arguments, job["parts"])

    return partial(answer, peer, called) if job["mode"] == "functions" else None


def _expression(
    item: int, part: int, node: Any, names: dict[str, Any], emitter: Emitter
) -> Tensor | None:
    try:
        value = Evaluator(names).evaluate(node)
    except EvaluationError as error:
        emitter.error(item, part, error.code, str(error))
        return None
    emitter.tensor(item, part, value)
    return value


def _evaluate(job: dict[str, Any], write: Write) -> Function | None:
    """All values on every draw, and the first function; what its first call prints is kept."""
    draws = [drawn(draw) for draw in job["draws"]]
    guard = CallGuard(job.get("banned", ()), job.get("operators", ()))
    loaded: dict[int, Function] = {}
    for item, source in enumerate(job["functions"]):
        try:
            loaded[item] = load(source["source"], source["name"])
        except CallError as error:
            write(protocol.pack_record("error", item=item, code=error.code, text=str(error)))
    for number, given in enumerate(draws):
        emitter = Emitter(write, number, given)
        for item, function in loaded.items():
            with contextlib.nullcontext() if number == 0 else silence():
                _values(item, function, job, given, emitter, guard)
        names: dict[str, Any] = dict(given.values)
        for item, part, node, defines in job.get("expressions", ()):
            value = _expression(item, part, node, names, emitter)
            if value is None and job["mode"] == "lines":  # what comes below may rest on it
                break
            if defines:
                names[defines] = value
    return loaded.get(0)


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Drop what is printed."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _values(
    item: int,
    function: Function,
    job: dict[str, Any],
    given: Drawn,
    emitter: Emitter,
    guard: CallGuard,
) -> None:
    values = given.fresh()
    error, parts = None, []
    try:
        parts = call(function, [values[name] for name in job["arguments"]], job["parts"])
    except CallError as raised:
        error = raised
    if guard.called:
        error = CallError("banned", guard.called[0])
    elif error is None and (changed := given.changed(values)):
        error = CallError("changed", ", ".join(changed))
    if error is not None:
        emitter.error(item, 0, error.code, str(error))
        return
    for part, value in enumerate(parts):
        emitter.tensor(item, part, value)


# Properties of a function that another child has; this one never runs a candidate's code


def _properties(job: dict[str, Any], write: Write, peer: Peer) -> None:
    """Test every property on every draw; the pairs that it compares are records."""
    remote = Remote(peer, len(job["parts"]))
    for number in job["property_draws"]:
        given = drawn(job["draws"][number])
        emitter = Emitter(write, number, given)
        for item, held in enumerate(job["properties"], start=protocol.PROPERTIES):
            values = given.fresh()
            arguments = [values[name] for name in job["arguments"]]
            try:
                _property(item, held, remote, arguments, emitter)
            except protocol.GarbledError:
                raise
            except CallError as error:
                emitter.error(item, 0, error.code, str(error))
            except Exception as error:  # noqa: BLE001 - whatever it raises is an answer
                emitter.error(item, 0, "raised", described(error))


def _property(
    item: int, held: dict[str, Any], f: Remote, arguments: list[Given], emitter: Emitter
) -> None:
    answered = load(held["source"], held["name"])(f, *arguments)
    alone = isinstance(answered, tuple) and len(answered) == 2
    for part, (got, wanted) in enumerate([answered] if alone else answered):
        emitter.tensor(item, 2 * part, as_tensor(got), gradients=False)
        emitter.tensor(item, 2 * part + 1, as_tensor(wanted), gradients=False)


# Warming: done once in the zygote on behalf of its children

_OFTEN_IMPORTED = (
    "array bisect cmath collections.abc copy dataclasses decimal fractions functools heapq "
    "itertools math operator random statistics string struct time typing unicodedata zlib"
)
"""A child cannot load an extension module of the library that the zygote has not loaded."""
_DRAW = {
    **{"seed": 0, "scale": 1.0, "dims": {"n": 2}, "gradients": True},
    "inputs": [
        {"name": "x", "shape": [2, 3], "draw": "normal", "low": 0.0, "high": 1.0, "values": []}
        | {"differentiable": True, "whole": False}
    ],
}
_LINE = ["bin", "@", ["name", "x"], ["call", "T", [["name", "x"]], {}]]
_WARMING = """
def warm(x):
    from torch.utils.checkpoint import checkpoint
    y = torch.func.vmap(torch.sin)(x) + checkpoint(torch.cos, x, use_reentrant=False)
    weights = torch.softmax(torch.einsum("ij,kj->ik", y, y), -1).masked_fill(y @ y.T > 9, 0.0)
    heads = torch.nn.functional.scaled_dot_product_attention(y[None], y[None], y[None])
    str(y), torch.testing.assert_close(y, y)
    gathered = torch.sort(weights, -1).values.cumsum(-1).clamp(0, 1).logsumexp(-1)
    return gathered.sum() + heads.sum() + torch.nn.functional.layer_norm(y, (3,)).sum()
"""
_TOUCHING = """
def touch(x):
    return torch.softmax(torch.einsum("ij,kj->ik", x, x) / 2.0, -1) @ x
"""


def warm() -> None:
    """One thread, no code generated at run time, everything imported that a check may need.

    Numbers default to float64: an honest ``torch.arange(n) / d`` must not fail by rounding.
    """
    torch.set_num_threads(1)
    with contextlib.suppress(RuntimeError):  # set before: by a package that torch brought along
        torch.set_num_interop_threads(1)
    backends: Any = torch.backends
    for backend in (backends.mkldnn, backends.nnpack):
        backend.set_flags(False)
    for name in _OFTEN_IMPORTED.split():
        importlib.import_module(name)
    torch.set_default_dtype(torch.float64)
    touch()
    _try("warm", _WARMING)
    torch.autograd.gradcheck(torch.sin, (torch.ones(1, requires_grad=True),))
    prepare()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    gc.collect()
    gc.freeze()


def touch() -> None:
    """A throw-away check in a waiting child, so that its pages are loaded when it is used."""
    _try("touch", _TOUCHING)


def _try(name: str, source: str) -> None:
    node = ["call", "softmax", [_LINE], {"dim": ["num", 1.0]}]
    job = {
        **{"mode": "functions", "draws": [_DRAW], "arguments": ["x"], "parts": ["y"]},
        **{"functions": [{"source": source, "name": name}], "expressions": [[0, 0, node, "y"]]},
    }
    run_job(job, lambda _: None, Peer(io.BytesIO(), io.BytesIO()))
