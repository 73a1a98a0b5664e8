"""Nodes in, tensors out: the expression language, run with torch.

Only the operations of a table are executed; no node can reach Python. Every error inside becomes an
:class:`EvaluationError`: what torch itself refuses is told in its words, and checked is what it
would take and nobody can have meant. All results are new tensors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import EllipsisType
from typing import Any

import torch
from torch import Tensor

BESIDE = "beside"
"""As in the language's parser: two values side by side."""


class EvaluationError(Exception):
    """No value: the code is shape, type, domain, size, name, limit or gradient."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


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
    return [whole(each, who) for each in tensors]


# -- operators

_NUMERIC_OPERATORS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    **{"+": torch.add, "-": torch.sub, "*": torch.mul, "/": torch.div, "@": torch.matmul},
    **{"<": torch.lt, "<=": torch.le, ">": torch.gt, ">=": torch.ge, "==": torch.eq},
    "!=": torch.ne,
}


def binary(sign: str, left: Tensor, right: Tensor) -> Tensor:
    """``left sign right`` for a sign of arithmetic, comparison or logic."""
    if sign == BESIDE:  # as on paper a number scales, and matrices multiply
        if left.dim() == right.dim() == 1:
            text = f"which product of {shown(left)} and {shown(right)}? Write *, or dot"
            raise EvaluationError("type", text)
        sign = "@" if left.dim() and right.dim() else "*"
    if sign in ("&", "|"):
        a, b = as_condition(left, sign), as_condition(right, sign)
        return a & b if sign == "&" else a | b
    a, b = as_number(left), as_number(right)
    return _power(a, b) if sign == "**" else _NUMERIC_OPERATORS[sign](a, b)


def _power(base: Tensor, exponent: Tensor) -> Tensor:
    # A plain number as exponent: its gradient would need the logarithm of a negative base.
    if exponent.dim() == 0 and not exponent.requires_grad:
        return torch.pow(base, float(exponent))
    return torch.pow(base, exponent)


# -- functions of numbers: tensors in the order of the call, options by name


def _along(function: Callable[..., Tensor]) -> Callable[..., Tensor]:

    def along(x: Tensor, dim: Any = None, **more: Any) -> Tensor:
        axes = tuple(range(x.dim())) if dim is None else _listed(dim)
        return function(x, dim=axes, **more)

    return along


def _listed(dim: int | tuple[int, ...]) -> tuple[int, ...]:
    return dim if isinstance(dim, tuple) else (dim,)


def _prod(x: Tensor, dim: tuple[int, ...], keepdim: bool = False) -> Tensor:
    for each in dim:
        x = x.prod(each, keepdim=True)
    return x if keepdim else x.squeeze(dim)


def _causal(n: Tensor, m: Tensor | None = None) -> Tensor:
    """Row i may see column j: the last row sees all columns, each row above one fewer."""
    rows, columns = _sizes([n, n if m is None else m], "causal")
    return torch.ones(rows, columns, dtype=torch.bool).tril(columns - rows)


def _kl(p: Tensor, q: Tensor, dim: Any = None) -> Tensor:
    """Entries with p = 0 count 0. Without an axis both must be vectors."""
    terms = torch.where(p == 0, torch.zeros_like(p), torch.xlogy(p, p) - torch.xlogy(p, q))
    if dim is None and terms.dim() > 1:
        raise EvaluationError("type", "kl over which axis? Write dim=-1 for the last one")
    return terms.sum(dim)


_AS_IN_TORCH = (
    "exp log log2 log10 log1p expm1 sqrt rsqrt square sin cos tan acos asin atan tanh sigmoid sign "
    "floor ceil round isfinite softmax log_softmax logsumexp cumsum cumprod trace argmax argmin "
    "diag dot outer relu abs maximum minimum"
)
NUMERIC: dict[str, Callable[..., Tensor]] = {
    **{name: getattr(torch, name) for name in _AS_IN_TORCH.split()},
    **{name: _along(getattr(torch, name)) for name in ("sum", "mean")},
    "logsigmoid": torch.nn.functional.logsigmoid,
    "softplus": lambda x: torch.logaddexp(x, torch.zeros_like(x)),
    "silu": torch.nn.functional.silu,
    "gelu": torch.nn.functional.gelu,
    "erf": torch.special.erf,
    "erfinv": torch.special.erfinv,
    "round16": lambda x: x.to(torch.float16).to(torch.float64),
    "float": torch.clone,
    "detach": lambda x: x.detach().clone(),
    "prod": _along(_prod),
    "max": _along(torch.amax),
    "min": _along(torch.amin),
    "norm": _along(torch.linalg.vector_norm),
    "var": _along(lambda x, ddof, **more: torch.var(x, correction=ddof, **more)),
    "std": _along(lambda x, ddof, **more: torch.std(x, correction=ddof, **more)),
    "sort": lambda x, **more: torch.sort(x, stable=True, **more).values,
    "argsort": lambda x, **more: torch.sort(x, stable=True, **more).indices,
    "inv": torch.linalg.inv,
    "clip": lambda x, low=None, high=None: torch.clamp(x, low, high),
    "kl": _kl,
    "cat": lambda *tensors, dim=0: torch.cat(tensors, dim),
    "stack": lambda *tensors, dim=0: torch.stack(tensors, dim),
    "eye": lambda n: torch.eye(whole(n, "eye"), dtype=torch.float64),
    "ones": lambda *sizes: torch.ones(_sizes(sizes, "ones"), dtype=torch.float64),
    "zeros": lambda *sizes: torch.zeros(_sizes(sizes, "zeros"), dtype=torch.float64),
    "arange": lambda *bounds: torch.arange(*(b.item() for b in bounds), dtype=torch.float64),
    "linspace": lambda low, high, n: torch.linspace(
        low.item(), high.item(), whole(n, "linspace"), dtype=torch.float64
    ),
    "causal": _causal,
    "onehot": lambda y, n: torch.nn.functional.one_hot(
        as_indices(y, "onehot"), whole(n, "onehot")
    ).to(torch.float64),
}
SHAPING: dict[str, Callable[..., Tensor]] = {
    **{name: getattr(torch, name) for name in ("tril", "triu", "unsqueeze", "squeeze")},
    **{name: _along(getattr(torch, name)) for name in ("any", "all")},
    "permute": lambda x, *dims: x.permute(_sizes(dims, "permute")),
    "reshape": lambda x, *sizes: x.reshape(_sizes(sizes, "reshape")),
    "flip": lambda x, dim: x.flip(_listed(dim)),
    "transpose": lambda x, first, second: x.transpose(first, second),
    "T": lambda x: x.transpose(-1, -2),
    "size": lambda x, dim: number(x.size(dim)),
    "gather": lambda x, dim, index: x.gather(dim, as_indices(index, "the index of gather")),
    "where": lambda condition, x, y: torch.where(
        as_condition(condition, "where"), as_number(x), as_number(y)
    ),
    "masked_fill": lambda x, mask, value: torch.where(
        as_condition(mask, "masked_fill"), as_number(value), as_number(x)
    ),
    "logical_not": lambda x: ~as_condition(x, "~"),
}
"""Functions that take conditions and whole numbers as they are."""

# -- nodes

MOST_ELEMENTS = 2_000_000
Node = list[Any]
Item = int | Tensor | slice | EllipsisType | None
"""An entry, entries by their numbers or a condition, a slice, dots, or None for a new axis."""
_CONSTANTS = {"pi": torch.pi, "inf": torch.inf, "e": torch.e}
_WHOLE = ("dim", "ddof", "diagonal", "first", "second")
"""Options that are whole numbers; others are tensors, or true and false."""


class Evaluator:
    """Evaluates the nodes of a line.

    ``names`` are the inputs, dims (as int) and defined names. They become tensors in it as they are
    first used, so that all evaluators over the same names can differentiate with respect to each.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names

    def evaluate(self, node: Node) -> Tensor:
        """The value: float64, or true/false and whole numbers. Raises EvaluationError."""
        with _explained():
            value = self._value(node)
        if value.is_floating_point() and bool(value.isnan().any()):
            raise EvaluationError(
                "domain",
                "an entry has no value, as of 0 / 0, inf - inf, 0 * inf, or log and sqrt below 0",
            )
        return value

    def _value(self, node: Node) -> Tensor:
        value = self._computed(node)
        if value.numel() > MOST_ELEMENTS:
            text = f"{shown(value)} has more entries than the {MOST_ELEMENTS} that are held"
            raise EvaluationError("size", text)
        return value

    def _computed(self, node: Node) -> Tensor:
        match node[0]:
            case "num":
                return number(node[1])
            case "name":
                return self._name(node[1])
            case "neg":
                return -as_number(self._value(node[1]))
            case "bin" | "cmp":
                return self._chain(node)
            case "index":
                return _indexed(self._value(node[1]), [self._item(item) for item in node[2]])
            case "call":
                return self._call(node[1], node[2], node[3])
            case _:
                raise EvaluationError("type", "there is a list or text where a value should be")

    def _chain(self, node: Node) -> Tensor:
        """``a + b + c``, however long, without recursion to the left."""
        spine = []
        while node[0] in ("bin", "cmp"):
            spine.append(node)
            node = node[2]
        value = self._value(node)
        for _, sign, _, operand in reversed(spine):
            right = self._value(operand)
            said = f"{shown(value)} {'@' if sign == BESIDE else sign} {shown(right)}"
            with _explained(f"{said}: "):
                value = binary(sign, value, right)
        return value

    def _name(self, name: str) -> Tensor:
        if name in self._names:
            value = self._names[name] = _usable(self._names[name])
            return value
        if name in _CONSTANTS:
            return number(_CONSTANTS[name])
        raise EvaluationError("name", f"{name} has no value yet")

    def _call(self, name: str, arguments: list[Node], options: dict[str, Node]) -> Tensor:
        if name == "grad":
            return self._gradient(*arguments)
        axes = arguments[0][1] if name == "einsum" else ""
        tensors = [self._value(argument) for argument in arguments[bool(axes) :]]
        settings = {each: self._option(name, each, node) for each, node in options.items()}
        shapes = [shown(each) for each in tensors if each.dim()] or ["a single number"]
        with _explained(f"{name} of {' and '.join(shapes)}: "):
            if axes:
                result = torch.einsum(axes, *map(as_number, tensors))
            elif name in SHAPING:
                result = SHAPING[name](*tensors, **settings)
            elif name in NUMERIC:
                result = NUMERIC[name](*map(as_number, tensors), **settings)
            else:
                raise EvaluationError("name", f"there is no function {name}")
        return result

    def _option(self, name: str, option: str, node: Node) -> Any:
        who = f"{option} of {name}"
        if node[0] in ("true", "false"):
            return node[0] == "true"
        if node[0] == "tuple":
            return tuple(whole(self._value(each), who) for each in node[1])
        value = self._value(node)
        return whole(value, who) if option in _WHOLE else value

    def _gradient(self, of: Node, by: Node) -> Tensor:
        y = as_number(self._value(of))
        if by[0] != "name":
            raise EvaluationError(
                "gradient", "grad is taken with respect to an input or a name defined above"
            )
        x = self._name(by[1])
        found = None
        if y.requires_grad:
            (found,) = torch.autograd.grad(y, x, create_graph=True, allow_unused=True)
        if found is not None:
            return found
        if x.is_leaf:
            return torch.zeros_like(x)
        raise EvaluationError(
            "gradient",
            f"it does not contain {by[1]} outside detach; write it in terms of {by[1]} by name",
        )

    def _item(self, item: Node) -> Item:
        match item[0]:
            case "all":
                return Ellipsis
            case "new":
                return None
            case "slice":
                return slice(*(self._bound(each) for each in item[1:]))
            case _:
                at = self._value(item[1])
                if at.dtype == torch.bool:
                    return as_condition(at, "an index")
                return as_indices(at, "an index") if at.dim() else whole(at, "an index")

    def _bound(self, node: Node | None) -> int | None:
        return None if node is None else whole(self._value(node), "a slice")


def _indexed(x: Tensor, items: Sequence[Item]) -> Tensor:
    with _explained(f"an index of {shown(x)}: "):
        return x[tuple(items)]


def _usable(value: Any) -> Tensor:
    """A name's value as a tensor that gradients can be taken by, unless it is made of integers."""
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        return number(value).requires_grad_()
    tensor: Tensor = value
    if tensor.is_floating_point() and not tensor.requires_grad:
        return tensor.detach().to(torch.float64).requires_grad_()
    return tensor


@contextmanager
def _explained(what: str = "") -> Iterator[None]:
    """Whatever torch refuses is the line's fault, not a crash: tell it in torch's words."""
    try:
        yield
    except EvaluationError:
        raise
    except MemoryError:
        raise EvaluationError("size", "there is not enough memory") from None
    except RecursionError:
        raise EvaluationError("limit", "it is nested too deeply") from None
    except Exception as error:
        text = str(error).split("\n")[0][:200] or type(error).__name__
        if "alloc" in text or "memory" in text:
            raise EvaluationError("size", "there is not enough memory") from None
        about_shapes = any(word in text.lower() for word in ("size", "shape", "dim", "1d", "2-d"))
        code = "shape" if about_shapes else "type"
        raise EvaluationError(code, what + text[:1].lower() + text[1:]) from error
