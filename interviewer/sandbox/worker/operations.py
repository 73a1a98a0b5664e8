"""The operations of the expression language, with torch, and the limits on all of them.

What torch itself refuses is told in its words by the evaluator; checked here is what it would take
and nobody can have meant, what would become too large, and what is said better with shapes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

MOST_ELEMENTS = 2_000_000
BESIDE = "beside"
"""As in the language's parser: two values side by side."""


class EvaluationError(Exception):
    """An expression has no value; ``code`` is the kind of reason, the text a clause.

    Codes: shape, type, domain, size, name, limit, gradient.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def has_nan(tensor: Tensor) -> bool:
    """Some entry is NaN."""
    return tensor.is_floating_point() and bool(tensor.isnan().any())


def shown(tensor: Tensor) -> str:
    """The shape as written in messages; a single number has none."""
    return str(tuple(tensor.shape)) if tensor.dim() else "a single number"


# -- conversions


def number(value: float) -> Tensor:
    return torch.tensor(float(value), dtype=torch.float64)


def as_number(tensor: Tensor) -> Tensor:
    """As float64: conditions count 0 and 1."""
    return tensor if tensor.dtype == torch.float64 else tensor.to(torch.float64)


def as_condition(tensor: Tensor, who: str) -> Tensor:
    """As true and false; raises if an entry is neither 0 nor 1."""
    if tensor.dtype == torch.bool:
        return tensor
    if bool(((tensor == 0) | (tensor == 1)).all()):
        return tensor != 0
    raise EvaluationError("type", f"{who} takes a condition such as x > 0, not arbitrary numbers")


def as_indices(tensor: Tensor, who: str) -> Tensor:
    """As whole numbers; raises if an entry is not one."""
    if tensor.dtype in (torch.int64, torch.bool):
        return tensor.to(torch.int64)
    if not bool((tensor.isfinite() & (tensor == tensor.floor()) & (tensor.abs() < 2**53)).all()):
        raise EvaluationError("type", f"{who} takes whole numbers")
    return tensor.detach().to(torch.int64)


def whole(tensor: Tensor, who: str) -> int:
    """A single whole number."""
    if tensor.dim():
        raise EvaluationError("type", f"{who} takes a single whole number, not {shown(tensor)}")
    value = tensor.item()
    if not math.isfinite(value) or value != math.floor(value) or abs(value) >= 2**53:
        raise EvaluationError("type", f"{who} takes a whole number, not {value:g}")
    return int(value)


def _sizes(tensors: Sequence[Tensor], who: str) -> list[int]:
    """The shape of a tensor to be made. Raises EvaluationError where it is too large."""
    sizes = [whole(each, who) for each in tensors]
    if min(sizes) < 0:
        raise EvaluationError("domain", f"{who} takes sizes from 0 up, not {min(sizes)}")
    check_size(sizes, who)
    return sizes


# -- limits and shapes


def check_size(shape: Sequence[int], who: str) -> None:
    """Refuse a tensor that is too large before it is made."""
    entries = math.prod(shape)
    if entries > MOST_ELEMENTS:
        raise EvaluationError(
            "size", f"{who} would make {entries:.3g} entries; at most {MOST_ELEMENTS} are held"
        )


def _broadcast(*shapes: Sequence[int]) -> tuple[int, ...] | None:
    """The shape that all of these broadcast to; None if they do not (torch's own is slow)."""
    axes = max(map(len, shapes))
    aligned = [(1,) * (axes - len(shape)) + tuple(shape) for shape in shapes]
    met = [{size for size in sizes if size != 1} for sizes in zip(*aligned, strict=True)]
    if any(len(sizes) > 1 for sizes in met):
        return None
    return tuple(next(iter(sizes), 1) for sizes in met)


def _together(who: str, *tensors: Tensor) -> None:
    """Check the shapes of an elementwise operation. Raises EvaluationError."""
    shape = _broadcast(*(tensor.shape for tensor in tensors))
    if shape is None:
        said = [shown(tensor) for tensor in tensors]
        text = f"{who} of {' and '.join(said)}" if who.isalpha() else f" {who} ".join(said)
        raise EvaluationError("shape", text)
    check_size(shape, who)


# -- operators

_ARITHMETIC: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "+": torch.add,
    "-": torch.sub,
    "*": torch.mul,
    "/": torch.div,
}
_COMPARISONS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "<": torch.lt,
    "<=": torch.le,
    ">": torch.gt,
    ">=": torch.ge,
    "==": torch.eq,
    "!=": torch.ne,
}


def binary(sign: str, left: Tensor, right: Tensor) -> Tensor:
    """``left sign right`` for an arithmetic sign, or for ``&`` and ``|`` between conditions."""
    if sign == "@":
        return _product(left, right)
    if sign == BESIDE:
        return _beside(left, right)
    _together(sign, left, right)
    if sign in ("&", "|"):
        a, b = as_condition(left, sign), as_condition(right, sign)
        return a & b if sign == "&" else a | b
    a, b = as_number(left), as_number(right)
    return _power(a, b) if sign == "**" else _ARITHMETIC[sign](a, b)


def compare(sign: str, left: Tensor, right: Tensor) -> Tensor:
    """``left sign right``, entry by entry: true or false."""
    _together(sign, left, right)
    return _COMPARISONS[sign](as_number(left), as_number(right))


def _power(base: Tensor, exponent: Tensor) -> Tensor:
    """The one power behind ``**``, ``pow`` and ``²``."""
    # A plain number as exponent: its gradient would need the logarithm of a negative base.
    if exponent.dim() == 0 and not exponent.requires_grad:
        return torch.pow(base, float(exponent))
    return torch.pow(base, exponent)


def _beside(left: Tensor, right: Tensor) -> Tensor:
    """The unwritten product: a number scales, matrices multiply, as on paper."""
    if not left.dim() or not right.dim():
        return binary("*", left, right)
    if left.dim() == right.dim() == 1:
        text = f"which product of {shown(left)} and {shown(right)}? Write * for elementwise, or dot"
        raise EvaluationError("type", text)
    return _product(left, right)


def _product(left: Tensor, right: Tensor) -> Tensor:
    a, b = as_number(left), as_number(right)
    said = f"{shown(a)} @ {shown(b)}"
    if not a.dim() or not b.dim():
        raise EvaluationError("shape", f"{said}; write * for a number")
    batch = _broadcast(a.shape[:-2], b.shape[:-2])
    if batch is None or a.shape[-1] != b.shape[-2 if b.dim() > 1 else 0]:
        raise EvaluationError("shape", said)
    ends = [*(a.shape[-2:-1] if a.dim() > 1 else ()), *(b.shape[-1:] if b.dim() > 1 else ())]
    check_size((*batch, *ends), "@")
    return a @ b


# -- functions of numbers: tensors in the order of the call, options by name


def _listed(dim: int | tuple[int, ...]) -> tuple[int, ...]:
    return dim if isinstance(dim, tuple) else (dim,)


def _every(x: Tensor, dim: int | tuple[int, ...] | None) -> tuple[int, ...]:
    """The axes meant; all of them if none is named."""
    return tuple(range(x.dim())) if dim is None else _listed(dim)


def _along(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A function over any axes."""

    def along(x: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        return function(x, dim=_every(x, dim), keepdim=keepdim)

    return along


def _prod(x: Tensor, dim: tuple[int, ...], keepdim: bool) -> Tensor:
    for each in dim:
        x = x.prod(each, keepdim=True)
    return x if keepdim else x.squeeze(dim)


def _spread(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def spread(x: Tensor, *, ddof: int, dim: Any = None, keepdim: bool = False) -> Tensor:
        dims = _every(x, dim)
        entries = math.prod(x.size(each) for each in dims)
        if entries <= ddof:
            text = f"with ddof={ddof} the spread of {entries} entries divides by {entries - ddof}"
            raise EvaluationError("domain", text)
        return function(x, dim=dims, correction=ddof, keepdim=keepdim)

    return spread


def _transposed(x: Tensor) -> Tensor:
    if x.dim() < 2:
        raise EvaluationError("shape", f"T takes a matrix, not {shown(x)}; write x[:, None]")
    return x.transpose(-1, -2)


def _squeeze(x: Tensor, dim: int) -> Tensor:
    if x.shape[dim] != 1:
        raise EvaluationError("shape", f"squeeze of {shown(x)} at dim={dim}, which is not 1")
    return x.squeeze(dim)


def _arange(*bounds: Tensor) -> Tensor:
    if len(bounds) > 3 or any(each.dim() for each in bounds):
        raise EvaluationError("type", "arange takes a start, an end and a step, single numbers")
    numbers = [each.item() for each in bounds]
    start, end, step = (0.0, numbers[0], 1.0) if len(numbers) == 1 else (*numbers, 1.0)[:3]
    if not all(map(math.isfinite, (start, end, step))) or not step:
        raise EvaluationError("domain", f"arange from {start:g} to {end:g} in steps of {step:g}")
    entries = max(0, math.ceil((end - start) / step))
    check_size((entries,), "arange")
    return start + step * torch.arange(entries, dtype=torch.float64)


def _causal(n: Tensor, m: Tensor | None = None) -> Tensor:
    """Row i may see column j: the last row sees all columns, each row above one fewer."""
    rows, columns = _sizes([n, n if m is None else m], "causal")
    return torch.ones(rows, columns, dtype=torch.bool).tril(columns - rows)


def _onehot(y: Tensor, n: Tensor) -> Tensor:
    labels, (size,) = as_indices(y, "onehot"), _sizes([n], "onehot")
    check_size((*labels.shape, size), "onehot")
    return torch.nn.functional.one_hot(labels, size).to(torch.float64)


def _elementwise(name: str) -> Callable[..., Tensor]:
    """A function of two tensors whose shapes are looked at first."""
    function: Callable[[Tensor, Tensor], Tensor] = getattr(torch, name)

    def elementwise(a: Tensor, b: Tensor) -> Tensor:
        _together(name, a, b)
        return function(a, b)

    return elementwise


def _clip(x: Tensor, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
    for bound, cut in ((low, torch.maximum), (high, torch.minimum)):
        if bound is not None:
            _together("clip", x, bound)
            x = cut(x, as_number(bound))
    return x


def _where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    chosen = as_condition(condition, "where")
    _together("where", chosen, x, y)
    return torch.where(chosen, as_number(x), as_number(y))


def _tested(name: str) -> Callable[..., Tensor]:
    def tested(x: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        test = torch.any if name == "any" else torch.all
        return test(as_condition(x, name), dim=_every(x, dim), keepdim=keepdim)

    return tested


def _kl(p: Tensor, q: Tensor, dim: Any = None) -> Tensor:
    """Entries with p = 0 count 0. Without an axis both must be vectors."""
    _together("kl", p, q)
    terms = torch.where(p == 0, torch.zeros_like(p), torch.xlogy(p, p) - torch.xlogy(p, q))
    if dim is None and terms.dim() > 1:
        raise EvaluationError("type", "kl over which axis? Write dim=-1 for the last one")
    return terms.sum(dim)


_AS_IN_TORCH = (
    "exp log log2 log10 log1p expm1 sqrt rsqrt square sin cos tan acos asin atan tanh sigmoid sign "
    "floor ceil round isfinite softmax log_softmax logsumexp cumsum cumprod trace "
    "dot relu abs"
)
NUMERIC: dict[str, Callable[..., Tensor]] = {
    **{name: getattr(torch, name) for name in _AS_IN_TORCH.split()},
    "logsigmoid": torch.nn.functional.logsigmoid,
    "softplus": lambda x: torch.logaddexp(x, torch.zeros_like(x)),
    "silu": torch.nn.functional.silu,
    "gelu": torch.nn.functional.gelu,
    "erf": torch.special.erf,
    "erfinv": torch.special.erfinv,
    "round16": lambda x: x.to(torch.float16).to(torch.float64),
    "float": torch.clone,
    "detach": lambda x: x.detach().clone(),
    "sum": _along(torch.sum),
    "mean": _along(torch.mean),
    "prod": _along(_prod),
    "max": _along(torch.amax),
    "min": _along(torch.amin),
    "norm": _along(torch.linalg.vector_norm),
    "var": _spread(torch.var),
    "std": _spread(torch.std),
    "argmax": torch.argmax,
    "argmin": torch.argmin,
    "sort": lambda x, dim, descending=False: (
        torch.sort(x, dim=dim, descending=descending, stable=True).values
    ),
    "argsort": lambda x, dim, descending=False: (
        torch.sort(x, dim=dim, descending=descending, stable=True).indices
    ),
    "diag": torch.diag,
    "inv": torch.linalg.inv,
    "outer": torch.outer,
    "cat": lambda *tensors, dim=0: torch.cat(tensors, dim),
    "stack": lambda *tensors, dim=0: torch.stack(tensors, dim),
    "eye": lambda n: torch.eye(*_sizes([n, n], "eye"), dtype=torch.float64),
    "ones": lambda *sizes: torch.ones(_sizes(sizes, "ones"), dtype=torch.float64),
    "zeros": lambda *sizes: torch.zeros(_sizes(sizes, "zeros"), dtype=torch.float64),
    "arange": _arange,
    "linspace": lambda low, high, n: torch.linspace(
        low.item(), high.item(), *_sizes([n], "linspace"), dtype=torch.float64
    ),
    "causal": _causal,
    "onehot": _onehot,
    "maximum": _elementwise("maximum"),
    "minimum": _elementwise("minimum"),
    "clip": _clip,
    "kl": _kl,
}
SHAPING: dict[str, Callable[..., Tensor]] = {
    **{name: getattr(torch, name) for name in ("tril", "triu", "unsqueeze")},
    "permute": lambda x, *dims: x.permute([whole(each, "permute") for each in dims]),
    "reshape": lambda x, *sizes: x.reshape([whole(each, "reshape") for each in sizes]),
    "squeeze": _squeeze,
    "flip": lambda x, dim: x.flip(_listed(dim)),
    "transpose": lambda x, first, second: x.transpose(first, second),
    "T": _transposed,
    "size": lambda x, dim: number(x.size(dim)),
    "gather": lambda x, dim, index: x.gather(dim, as_indices(index, "the index of gather")),
    "where": _where,
    "masked_fill": lambda x, mask, value: _where(mask, value, x),
    "any": _tested("any"),
    "all": _tested("all"),
    "logical_not": lambda x: ~as_condition(x, "~"),
}
"""Functions that take conditions and whole numbers as they are."""
