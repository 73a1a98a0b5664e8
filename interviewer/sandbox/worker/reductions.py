"""Functions along an axis: sums, means, softmax, sorting."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import torch
from torch import Tensor

from .values import EvaluationError, Watch, as_condition, as_number, axis, shown, whole

Options = dict[str, Any]
Operation = Callable[[Watch, list[Tensor], Options], Tensor]


def dims_of(options: Options, tensor: Tensor, who: str) -> tuple[int, ...]:
    """The axes that are meant, from 0; all of them where none is named."""
    given = options.get("dim")
    if given is None:
        return tuple(range(tensor.dim()))
    numbers = given if isinstance(given, tuple) else (given,)
    dims = tuple(axis(whole(each, f"dim of {who}"), tensor, who) for each in numbers)
    if len(set(dims)) < len(dims):
        raise EvaluationError("shape", f"{who} names an axis twice")
    return dims


def one_dim(options: Options, tensor: Tensor, who: str) -> int:
    """The one axis that is meant; of a vector it need not be said."""
    dims = dims_of(options, tensor, who)
    if len(dims) == 1:
        return dims[0]
    if options.get("dim") is None:
        raise EvaluationError("type", f"{who} over which axis? Write dim=-1 for the last one")
    raise EvaluationError("type", f"{who} takes a single axis")


def _reduced(name: str, function: Callable[[Tensor, tuple[int, ...], bool], Tensor]) -> Operation:
    """A function over any axes. Over no axes at all the number stays what it is."""

    def operation(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
        x = as_number(tensors[0])
        dims = dims_of(options, x, name)
        if not x.dim():
            return function(x[None], (0,), False)
        _refuse_nothing(name, x, dims)
        result = function(x, dims, bool(options.get("keepdim")))
        return watch.saw(result, (x,), lambda: _undefined(name))

    return operation


def _undefined(name: str) -> str:
    if name == "mean":
        return "mean of nothing, or inf - inf in it, has no value"
    return f"inf - inf or 0 * inf in {name} has no value"


def _refuse_nothing(name: str, x: Tensor, dims: tuple[int, ...]) -> None:
    if name in ("max", "min", "mean") and not prod(x.shape[dim] for dim in dims):
        raise EvaluationError("domain", f"{name} of no entries has no value")


def _prod(x: Tensor, dims: tuple[int, ...], keep: bool) -> Tensor:
    for dim in sorted(dims, reverse=True):
        x = x.prod(dim, keepdim=keep)
    return x


_ANY_AXES: dict[str, Callable[[Tensor, tuple[int, ...], bool], Tensor]] = {
    "sum": lambda x, dims, keep: x.sum(dims, keepdim=keep),
    "mean": lambda x, dims, keep: x.mean(dims, keepdim=keep),
    "max": lambda x, dims, keep: x.amax(dims, keepdim=keep),
    "min": lambda x, dims, keep: x.amin(dims, keepdim=keep),
    "prod": _prod,
    "logsumexp": lambda x, dims, keep: x.logsumexp(dims, keepdim=keep),
    "norm": lambda x, dims, keep: torch.linalg.vector_norm(x, dim=dims, keepdim=keep),
}


def _spread(name: str) -> Operation:
    """var and std; ``ddof`` is what is taken off the count."""

    def operation(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
        x = as_number(tensors[0])
        dims = dims_of(options, x, name)
        entries = prod(x.shape[dim] for dim in dims)
        ddof = whole(options["ddof"], f"ddof of {name}")
        if entries - ddof <= 0:
            raise EvaluationError(
                "domain",
                f"{name} of {entries} entries with ddof={ddof} divides by {entries - ddof}",
            )
        if not x.dim():
            return torch.zeros_like(x) * x
        spread = x.var if name == "var" else x.std
        return spread(dims, correction=ddof, keepdim=bool(options.get("keepdim")))

    return operation


def _tested(name: str) -> Operation:
    """any and all."""

    def operation(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
        x = as_condition(tensors[0], name)
        dims = dims_of(options, x, name)
        if not dims:
            return x.clone()
        test = torch.any if name == "any" else torch.all
        return test(x, dim=dims, keepdim=bool(options.get("keepdim")))

    return operation


def _along(name: str, function: Callable[[Tensor, int], Tensor]) -> Operation:
    """A function along one axis that keeps the shape."""

    def operation(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
        x = as_number(tensors[0])
        if not x.dim():
            raise EvaluationError("shape", f"{name} takes a vector or more, not {shown(x)}")
        result = function(x, one_dim(options, x, name))
        return watch.saw(result, (x,), lambda: f"inf - inf in {name} has no value")

    return operation


def _ordered(name: str) -> Operation:
    """sort and argsort; equal entries keep their order."""

    def operation(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
        x = as_number(tensors[0])
        down = bool(options.get("descending"))
        found = torch.sort(x, dim=one_dim(options, x, name), descending=down, stable=True)
        return found.values if name == "sort" else found.indices

    return operation


def _placed(name: str, function: Callable[..., Tensor]) -> Operation:
    """argmax and argmin."""

    def operation(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
        x = as_number(tensors[0])
        dim = one_dim(options, x, name)
        if not x.shape[dim]:
            raise EvaluationError("domain", f"{name} of no entries has no value")
        return function(x, dim=dim, keepdim=bool(options.get("keepdim")))

    return operation


REDUCTIONS: dict[str, Operation] = {
    **{name: _reduced(name, function) for name, function in _ANY_AXES.items()},
    **{name: _spread(name) for name in ("var", "std")},
    **{name: _tested(name) for name in ("any", "all")},
    **{name: _ordered(name) for name in ("sort", "argsort")},
    "softmax": _along("softmax", lambda x, dim: torch.softmax(x, dim)),
    "log_softmax": _along("log_softmax", lambda x, dim: torch.log_softmax(x, dim)),
    "cumsum": _along("cumsum", lambda x, dim: x.cumsum(dim)),
    "cumprod": _along("cumprod", lambda x, dim: x.cumprod(dim)),
    "argmax": _placed("argmax", torch.argmax),
    "argmin": _placed("argmin", torch.argmin),
}
