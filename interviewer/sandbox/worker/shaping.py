"""Functions that make, turn and join tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from .reductions import dims_of, one_dim
from .values import (
    EvaluationError,
    Watch,
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
        raise EvaluationError("shape", f"cat of {said}; all need as many axes")
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
