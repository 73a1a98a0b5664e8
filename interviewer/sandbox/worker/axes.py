"""Functions along axes (sums, softmax, sorting), and those that make, turn and join tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import prod
from typing import Any

import torch
from torch import Tensor

from .values import (
    EvaluationError,
    Watch,
    as_condition,
    as_number,
    axis,
    check_size,
    count,
    shape_text,
    shown,
    whole,
)

Options = dict[str, Any]
Operation = Callable[[Watch, list[Tensor], Options], Tensor]


def dims_of(options: Options, tensor: Tensor, who: str) -> tuple[int, ...]:
    """The axes meant, from 0; all of them if none is named."""
    given = options.get("dim")
    if given is None:
        return tuple(range(tensor.dim()))
    numbers = given if isinstance(given, tuple) else (given,)
    dims = tuple(axis(whole(each, f"dim of {who}"), tensor, who) for each in numbers)
    if len(set(dims)) < len(dims):
        raise EvaluationError("shape", f"{who} names an axis twice")
    return dims


def one_dim(options: Options, tensor: Tensor, who: str) -> int:
    """The one axis meant; for a vector it may be left out."""
    dims = dims_of(options, tensor, who)
    if len(dims) == 1:
        return dims[0]
    if options.get("dim") is None:
        raise EvaluationError("type", f"{who} over which axis? Write dim=-1 for the last one")
    raise EvaluationError("type", f"{who} takes a single axis")


def _reduced(name: str, function: Callable[[Tensor, tuple[int, ...], bool], Tensor]) -> Operation:
    """A function over any axes."""

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
    """var and std; ``ddof`` is subtracted from the count."""

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


# Turning and reshaping


def _transposed(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x = tensors[0]
    if x.dim() < 2:
        raise EvaluationError("shape", f"T takes a matrix, not {shown(x)}; write x[:, None]")
    return x.transpose(-1, -2)


def _transpose(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x = tensors[0]
    first, second = (
        axis(whole(options[each], "transpose"), x, "transpose") for each in ("first", "second")
    )
    return x.transpose(first, second)


def _permute(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x, order = tensors[0], tensors[1:]
    dims = [axis(whole(each, "permute"), x, "permute") for each in order]
    if sorted(dims) != list(range(x.dim())):
        raise EvaluationError("shape", f"permute names each axis of {shown(x)} once")
    return x.permute(dims)


def _reshape(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x = tensors[0]
    sizes = [whole(each, "reshape") for each in tensors[1:]]
    known = math.prod(size for size in sizes if size != -1)
    fits = min(sizes) >= -1 and sizes.count(-1) <= 1
    if -1 in sizes:
        fits = fits and known > 0 and x.numel() % known == 0
    if not fits or (-1 not in sizes and known != x.numel()):
        raise EvaluationError("shape", f"{shown(x)} reshaped to {shape_text(sizes)}")
    return x.reshape(sizes)


def _unsqueeze(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x, dim = tensors[0], whole(options["dim"], "dim of unsqueeze")
    if not -x.dim() - 1 <= dim <= x.dim():
        raise EvaluationError("shape", f"unsqueeze of {shown(x)} at dim={dim}")
    return x.unsqueeze(dim)


def _squeeze(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x, dim = tensors[0], one_dim(options, tensors[0], "squeeze")
    if x.shape[dim] != 1:
        raise EvaluationError("shape", f"squeeze of {shown(x)} at dim={dim}, which is not 1")
    return x.squeeze(dim)


def _flip(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    return tensors[0].flip(dims_of(options, tensors[0], "flip"))


def _triangle(name: str) -> Operation:
    def operation(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
        x = tensors[0]
        if x.dim() < 2:
            raise EvaluationError("shape", f"{name} takes a matrix, not {shown(x)}")
        given = options.get("diagonal")
        diagonal = whole(given, f"the diagonal of {name}") if given is not None else 0
        size = x.shape[-2] + x.shape[-1]
        cut = torch.tril if name == "tril" else torch.triu
        return cut(x, max(-size, min(size, diagonal)))

    return operation


def _diag(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x = as_number(tensors[0])
    if x.dim() not in (1, 2):
        raise EvaluationError("shape", f"diag takes a vector or a matrix, not {shown(x)}")
    if x.dim() == 1:
        check_size((len(x), len(x)), "diag")
    return torch.diag(x)


def _size(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x = tensors[0]
    return _number(x.shape[axis(whole(options["dim"], "dim of size"), x, "size")])


# Joining


def _cat(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    first = tensors[0]
    said = " and ".join(map(shown, tensors))
    if not first.dim() or any(each.dim() != first.dim() for each in tensors):
        raise EvaluationError("shape", f"cat of {said}; all need the same number of axes")
    dim = axis(whole(options["dim"], "dim of cat") if "dim" in options else 0, first, "cat")
    for each in tensors:
        others = [n for n in range(first.dim()) if n != dim]
        if any(each.shape[n] != first.shape[n] for n in others):
            raise EvaluationError("shape", f"cat of {said} over dim={dim}")
    check_size((sum(each.numel() for each in tensors),), "cat")
    return torch.cat([as_number(each) for each in tensors], dim)


def _stack(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    first = tensors[0]
    if any(each.shape != first.shape for each in tensors):
        raise EvaluationError("shape", f"stack of {' and '.join(map(shown, tensors))}")
    dim = whole(options["dim"], "dim of stack") if "dim" in options else 0
    if not -first.dim() - 1 <= dim <= first.dim():
        raise EvaluationError("shape", f"stack of {shown(first)} over dim={dim}")
    check_size((len(tensors), first.numel()), "stack")
    return torch.stack([as_number(each) for each in tensors], dim)


# Making


def _number(value: float) -> Tensor:
    return torch.tensor(float(value), dtype=torch.float64)


def _eye(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    n = count(tensors[0], "eye")
    check_size((n, n), "eye")
    return torch.eye(n, dtype=torch.float64)


def _filled(name: str, value: float) -> Operation:
    def operation(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
        sizes = [count(each, name) for each in tensors]
        check_size(sizes, name)
        return torch.full(sizes, value, dtype=torch.float64)

    return operation


def _arange(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    if len(tensors) > 3:
        raise EvaluationError("type", "arange takes a start, an end and a step")
    if any(each.dim() for each in tensors):
        raise EvaluationError("type", "arange takes single numbers")
    numbers = [each.item() for each in tensors]
    start, end, step = (0.0, numbers[0], 1.0) if len(numbers) == 1 else (*numbers, 1.0)[:3]
    if not all(map(math.isfinite, (start, end, step))) or not step:
        raise EvaluationError("domain", f"arange from {start:g} to {end:g} in steps of {step:g}")
    entries = max(0, math.ceil((end - start) / step))
    check_size((entries,), "arange")
    return start + step * torch.arange(entries, dtype=torch.float64)


def _linspace(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    low, high, steps = tensors
    n = count(steps, "linspace")
    check_size((n,), "linspace")
    if low.dim() or high.dim():
        raise EvaluationError("type", "linspace takes single numbers")
    return torch.linspace(low.item(), high.item(), n, dtype=torch.float64)


def _causal(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    """Row i may see column j: the last row sees all columns, each row above one fewer."""
    n = count(tensors[0], "causal")
    m = count(options["m"], "causal") if "m" in options else n
    check_size((n, m), "causal")
    return torch.ones(n, m, dtype=torch.bool).tril(m - n)


SHAPING: dict[str, Operation] = {
    "T": _transposed,
    "transpose": _transpose,
    "permute": _permute,
    "reshape": _reshape,
    "unsqueeze": _unsqueeze,
    "squeeze": _squeeze,
    "flip": _flip,
    "tril": _triangle("tril"),
    "triu": _triangle("triu"),
    "diag": _diag,
    "size": _size,
    "cat": _cat,
    "stack": _stack,
    "eye": _eye,
    "ones": _filled("ones", 1.0),
    "zeros": _filled("zeros", 0.0),
    "arange": _arange,
    "linspace": _linspace,
    "causal": _causal,
}
