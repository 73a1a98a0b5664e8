"""Nodes in, tensors out: the expression language, run with torch.

Only the operations of a table are executed; no node can reach Python. Every
error inside becomes an :class:`EvaluationError`. All results are new tensors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from .axes import REDUCTIONS, SHAPING, Operation, Options
from .values import (
    LARGEST_EXPONENT,
    EvaluationError,
    Item,
    Slice,
    Watch,
    as_condition,
    as_indices,
    as_number,
    axis,
    broadcast,
    check_size,
    check_work,
    count,
    has_nan,
    indexed,
    shown,
    together,
    whole,
)

__all__ = ["OPERATIONS", "EvaluationError", "Evaluator"]

BESIDE = "beside"
"""As in the language's syntax: two values side by side."""


def binary(watch: Watch, sign: str, left: Tensor, right: Tensor) -> Tensor:
    """``left sign right`` for an arithmetic sign, or for ``&`` and ``|`` between conditions."""
    if sign == "@":
        return _product(left, right)
    if sign == BESIDE:
        return _beside(watch, left, right)
    if sign == "*" and _only_matrices(left, right):
        said = f"{shown(left)} * {shown(right)}"
        raise EvaluationError("shape", f"{said}; the product of matrices is @")
    together(watch, sign, left, right)
    if sign in ("&", "|"):
        a, b = as_condition(left, sign), as_condition(right, sign)
        return a & b if sign == "&" else a | b
    a, b = as_number(left), as_number(right)
    result = power(a, b) if sign == "**" else _ARITHMETIC[sign](a, b)
    return watch.saw(result, (a, b), lambda: _no_number(sign, a, b))


_ARITHMETIC: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "+": torch.add,
    "-": torch.sub,
    "*": torch.mul,
    "/": torch.div,
}


def _no_number(sign: str, a: Tensor, b: Tensor) -> str:
    match sign:
        case "/":
            return "0 / 0 and inf / inf have no value"
        case "*":
            return "0 * inf has no value"
        case "**":
            return "a negative number to a power that is not whole has no value"
        case _:
            return "inf - inf has no value"


def power(base: Tensor, exponent: Tensor) -> Tensor:
    """The one power behind ``**``, ``pow`` and ``²``."""
    sizes = exponent.detach().abs()
    largest = float(sizes[sizes.isfinite()].amax(0)) if bool(sizes.isfinite().any()) else 0.0
    if largest > LARGEST_EXPONENT:
        raise EvaluationError(
            "limit", f"the exponent {largest:g} is too large; at most {LARGEST_EXPONENT:g}"
        )
    # A plain number as exponent: its gradient would need the logarithm of a negative base.
    if exponent.dim() == 0 and not exponent.requires_grad:
        return torch.pow(base, float(exponent))
    return torch.pow(base, exponent)


def _beside(watch: Watch, left: Tensor, right: Tensor) -> Tensor:
    """The unwritten product: a number scales, matrices multiply, as on paper."""
    if not left.dim() or not right.dim():
        return binary(watch, "*", left, right)
    if left.dim() == right.dim() == 1:
        text = f"which product of {shown(left)} and {shown(right)}? Write * for elementwise, or dot"
        raise EvaluationError("type", text)
    if broadcast(left.shape, right.shape) is not None and not _fit(left, right):
        said = f"{shown(left)} @ {shown(right)}"
        raise EvaluationError("shape", f"{said}; for an elementwise product, write *")
    return _product(left, right)


def _fit(left: Tensor, right: Tensor) -> bool:
    """The matrix product of the two exists."""
    return left.shape[-1] == right.shape[-2 if right.dim() > 1 else 0]


def _only_matrices(left: Tensor, right: Tensor) -> bool:
    """The matrix product exists, and the one entry by entry does not."""
    tensors = bool(left.dim() and right.dim() > 1)
    return tensors and broadcast(left.shape, right.shape) is None and _fit(left, right)


def _product(left: Tensor, right: Tensor) -> Tensor:
    a, b = as_number(left), as_number(right)
    said = f"{shown(a)} @ {shown(b)}"
    if not a.dim() or not b.dim():
        raise EvaluationError("shape", f"{said}; write * for a number")
    inner = b.shape[-2] if b.dim() > 1 else b.shape[0]
    if a.shape[-1] != inner:
        raise EvaluationError("shape", said)
    batch = broadcast(a.shape[:-2], b.shape[:-2])
    if batch is None:
        raise EvaluationError("shape", said)
    ends = [*(a.shape[-2:-1] if a.dim() > 1 else ()), *(b.shape[-1:] if b.dim() > 1 else ())]
    check_size((*batch, *ends), "@")
    check_work(math.prod((*batch, *ends, inner)), "@")
    return a @ b


def compare(watch: Watch, sign: str, left: Tensor, right: Tensor) -> Tensor:
    """``left sign right``, entry by entry: true or false."""
    together(watch, sign, left, right)
    return _COMPARISONS[sign](as_number(left), as_number(right))


_COMPARISONS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "<": torch.lt,
    "<=": torch.le,
    ">": torch.gt,
    ">=": torch.ge,
    "==": torch.eq,
    "!=": torch.ne,
}


# Elementwise

_AS_IN_TORCH = (
    "exp log log2 log10 log1p expm1 sqrt rsqrt square sin cos tan acos asin atan "
    "tanh sigmoid sign floor ceil round isfinite"
)
_PLAIN: dict[str, Callable[[Tensor], Tensor]] = {
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
}


def _plain(name: str, function: Callable[[Tensor], Tensor]) -> Operation:
    def operation(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
        x = as_number(tensors[0])
        return watch.saw(function(x), (x,), lambda: _outside(name, x))

    return operation


def _outside(name: str, x: Tensor) -> str:
    """Names a number for which a function has no value."""
    values = x.detach().reshape(-1)
    bad = values[_NOT_TAKEN.get(name, torch.isinf)(values)]
    return f"{name} of {float(bad[0]):.4g} has no value" if bad.numel() else f"{name} has no value"


_NOT_TAKEN: dict[str, Callable[[Tensor], Tensor]] = {
    **dict.fromkeys(("log", "log2", "log10", "sqrt", "rsqrt"), lambda x: x < 0),
    "log1p": lambda x: x < -1,
    **dict.fromkeys(("acos", "asin", "erfinv"), lambda x: x.abs() > 1),
}


def _relu(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x = as_number(tensors[0])
    watch.sides(x > 0)
    return torch.relu(x)


def _abs(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x = as_number(tensors[0])
    watch.sides(x >= 0)
    return torch.abs(x)


def _maximum(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    together(watch, "maximum", *tensors)
    a, b = map(as_number, tensors)
    watch.sides(a >= b)
    return torch.maximum(a, b)


def _minimum(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    together(watch, "minimum", *tensors)
    a, b = map(as_number, tensors)
    watch.sides(a <= b)
    return torch.minimum(a, b)


def _clip(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    """Reports for each bound how many entries it leaves alone and how many it cuts."""
    x = as_number(tensors[0])
    low, high = options.get("low"), options.get("high")
    result = x
    if low is not None:
        together(watch, "clip", x, low)
        watch.sides(x >= low)
        result = torch.maximum(result, as_number(low))
    if high is not None:
        together(watch, "clip", x, high)
        watch.sides(x <= high)
        result = torch.minimum(result, as_number(high))
    return result


def _where(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    condition = as_condition(tensors[0], "where")
    together(watch, "where", *tensors)
    watch.sides(condition)
    return torch.where(condition, as_number(tensors[1]), as_number(tensors[2]))


def _masked_fill(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x, mask, value = tensors
    return _where(watch, [as_condition(mask, "masked_fill"), value, x], options)


def _logical_not(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    return ~as_condition(tensors[0], "~")


# Products and distances


def _vectors(who: str, *tensors: Tensor) -> tuple[Tensor, ...]:
    if any(tensor.dim() != 1 for tensor in tensors):
        said = " and ".join(map(shown, tensors))
        raise EvaluationError("shape", f"{who} takes vectors, not {said}")
    return tuple(map(as_number, tensors))


def _dot(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    a, b = _vectors("dot", *tensors)
    if a.shape != b.shape:
        raise EvaluationError("shape", f"dot of {shown(a)} and {shown(b)}")
    return torch.dot(a, b)


def _outer(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    a, b = _vectors("outer", *tensors)
    check_size((len(a), len(b)), "outer")
    return torch.outer(a, b)


def _kl(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    """Entries with p = 0 count 0. Without an axis both must be vectors."""
    p, q = map(as_number, tensors)
    if "dim" not in options and (p.dim() > 1 or q.dim() > 1):
        raise EvaluationError("type", "kl over which axis? Write dim=-1 for the last one")
    together(watch, "kl", p, q)
    zero = torch.zeros_like(p)
    terms = torch.where(p == 0, zero, torch.xlogy(p, p) - torch.xlogy(p, q))
    return REDUCTIONS["sum"](watch, [terms], options)


def einsum(watch: Watch, axes: str, tensors: list[Tensor]) -> Tensor:
    """``einsum("ij,jk->ik", a, b)``; sizes are checked first, for a message in words."""
    before, _, behind = axes.partition("->")
    sizes: dict[str, int] = {}
    for letters, tensor in zip(before.split(","), tensors, strict=True):
        if len(letters) != tensor.dim():
            raise EvaluationError(
                "shape",
                f"einsum gives {shown(tensor)} the letters {letters or 'none'}",
            )
        for letter, size in zip(letters, tensor.shape, strict=True):
            if sizes.setdefault(letter, size) != size:
                raise EvaluationError(
                    "shape", f"the letter {letter} of einsum stands for {sizes[letter]} and {size}"
                )
    check_size([sizes[letter] for letter in behind], "einsum")
    check_work(math.prod(sizes.values()), "einsum")
    product: Tensor = torch.einsum(axes, *map(as_number, tensors))
    return product


def _inv(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x = as_number(tensors[0])
    if x.dim() < 2 or x.shape[-1] != x.shape[-2]:
        raise EvaluationError("shape", f"inv takes a square matrix, not {shown(x)}")
    check_work(math.prod(x.shape) * x.shape[-1], "inv")
    inverse: Tensor
    inverse, info = torch.linalg.inv_ex(x)
    if bool((info != 0).any()):
        raise EvaluationError("domain", "inv of a matrix that has no inverse")
    return inverse


def _trace(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x = as_number(tensors[0])
    if x.dim() != 2:
        raise EvaluationError("shape", f"trace takes a matrix, not {shown(x)}")
    return torch.trace(x)


def _onehot(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    y, n = as_indices(tensors[0], "onehot"), count(tensors[1], "onehot")
    check_size((*y.shape, n), "onehot")
    if y.numel() and not 0 <= int(y.min()) <= int(y.max()) < n:
        raise EvaluationError("domain", f"onehot takes numbers from 0 to {n - 1}")
    return (y[..., None] == torch.arange(n)).to(torch.float64)


def _gather(watch: Watch, tensors: list[Tensor], options: Options) -> Tensor:
    x, index = tensors[0], as_indices(options["index"], "the index of gather")
    dim = axis(whole(options["dim"], "dim of gather"), x, "gather")
    if index.dim() != x.dim():
        raise EvaluationError(
            "shape",
            f"gather from {shown(x)} by {shown(index)}; "
            "both need the same number of axes, as in y[:, None]",
        )
    others = [each for each in range(x.dim()) if each != dim]
    if any(index.shape[each] > x.shape[each] for each in others):
        raise EvaluationError("shape", f"gather from {shown(x)} by {shown(index)}")
    if index.numel() and not 0 <= int(index.min()) <= int(index.max()) < x.shape[dim]:
        raise EvaluationError("domain", f"gather takes numbers from 0 to {x.shape[dim] - 1}")
    return torch.gather(x, dim, index)


OPERATIONS: dict[str, Operation] = {
    **{name: _plain(name, function) for name, function in _PLAIN.items()},
    **REDUCTIONS,
    **SHAPING,
    "relu": _relu,
    "abs": _abs,
    "maximum": _maximum,
    "minimum": _minimum,
    "clip": _clip,
    "where": _where,
    "masked_fill": _masked_fill,
    "logical_not": _logical_not,
    "dot": _dot,
    "outer": _outer,
    "kl": _kl,
    "inv": _inv,
    "trace": _trace,
    "onehot": _onehot,
    "gather": _gather,
}
"""All functions except einsum, which starts with text, and grad, which takes a name."""


# The evaluator

Node = list[Any]
_CONSTANTS = {"pi": torch.pi, "inf": torch.inf, "e": torch.e}


class Evaluator:
    """Evaluates the nodes of a line.

    ``names`` are the inputs, dims (as int) and defined names. They become tensors in it as they are
    first used, so that all evaluators over the same names can differentiate with respect to each.
    ``count`` is called for every piecewise function with how many entries took which side (for
    each bound of a clip: left alone, cut); ``widened`` with a clause where a broadcast made more
    entries out of axes that were hardly meant to meet.
    """

    def __init__(
        self,
        names: dict[str, Any],
        count: Callable[[int, int], None],
        widened: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._names = names
        self._watch = Watch(count, widened)

    def evaluate(self, node: Node) -> Tensor:
        """The value: float64, or true/false and whole numbers. Raises EvaluationError."""
        self._watch.no_number = ""
        try:
            value = self._value(node)
        except EvaluationError:
            raise
        except MemoryError:
            raise EvaluationError("size", "there is not enough memory") from None
        except RecursionError:
            raise EvaluationError("limit", "it is nested too deeply") from None
        except Exception as error:  # whatever torch refuses is the line's fault, not a crash
            raise _explained(error) from error
        if self._watch.no_number and has_nan(value):
            raise EvaluationError("domain", self._watch.no_number)
        return value

    def _value(self, node: Node) -> Tensor:
        match node[0]:
            case "num":
                return torch.tensor(float(node[1]), dtype=torch.float64)
            case "name":
                return self._name(node[1])
            case "neg":
                return -as_number(self._value(node[1]))
            case "bin":
                return self._chain(node)
            case "cmp":
                left, right = self._value(node[2]), self._value(node[3])
                return compare(self._watch, node[1], left, right)
            case "index":
                return indexed(self._value(node[1]), [self._item(item) for item in node[2]])
            case "call":
                return self._call(node[1], node[2], node[3])
            case _:
                raise EvaluationError("type", "there is a list or text where a value should be")

    def _chain(self, node: Node) -> Tensor:
        """``a + b + c``, however long, without recursion to the left."""
        spine = []
        while node[0] == "bin":
            spine.append(node)
            node = node[2]
        value = self._value(node)
        for each in reversed(spine):
            value = binary(self._watch, each[1], value, self._value(each[3]))
        return value

    def _name(self, name: str) -> Tensor:
        if name in self._names:
            value = _usable(self._names[name])
            self._names[name] = value
            return value
        if name in _CONSTANTS:
            return torch.tensor(_CONSTANTS[name], dtype=torch.float64)
        raise EvaluationError("name", f"{name} has no value yet")

    def _call(self, name: str, arguments: list[Node], options: dict[str, Node]) -> Tensor:
        if name == "grad":
            return self._gradient(*arguments)
        if name == "einsum":
            tensors = [self._value(argument) for argument in arguments[1:]]
            return einsum(self._watch, arguments[0][1], tensors)
        if name not in OPERATIONS:
            raise EvaluationError("name", f"there is no function {name}")
        tensors = [self._value(argument) for argument in arguments]
        settings = {option: self._option(node) for option, node in options.items()}
        result = OPERATIONS[name](self._watch, tensors, settings)
        check_size(result.shape, name)
        return result

    def _option(self, node: Node) -> Tensor | bool | tuple[Tensor, ...]:
        match node[0]:
            case "true" | "false":
                return bool(node[0] == "true")
            case "tuple":
                return tuple(self._value(each) for each in node[1])
            case _:
                return self._value(node)

    def _gradient(self, of: Node, by: Node) -> Tensor:
        y = as_number(self._value(of))
        if y.dim():
            raise EvaluationError(
                "gradient",
                f"grad takes a single number, not {shown(y)}; write sum or mean around it",
            )
        if by[0] != "name":
            raise EvaluationError(
                "gradient", "grad is taken with respect to an input or a name defined above"
            )
        x = self._name(by[1])
        if not x.requires_grad:
            raise EvaluationError("gradient", f"{by[1]} is a whole number or a condition")
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
                return Slice(*(self._bound(each) for each in item[1:]))
            case _:
                at = self._value(item[1])
                if at.dtype == torch.bool:
                    return as_condition(at, "an index")
                return as_indices(at, "an index") if at.dim() else whole(at, "an index")

    def _bound(self, node: Node | None) -> int | None:
        return None if node is None else whole(self._value(node), "a slice")


def _usable(value: Any) -> Tensor:
    """A name's value as a tensor that gradients can be taken by, unless it is made of integers."""
    if isinstance(value, int):
        return torch.tensor(float(value), dtype=torch.float64)
    if isinstance(value, float):
        return torch.tensor(value, dtype=torch.float64, requires_grad=True)
    tensor: Tensor = value
    if tensor.is_floating_point() and not tensor.requires_grad:
        return tensor.detach().to(torch.float64).requires_grad_()
    return tensor


def _explained(error: Exception) -> EvaluationError:
    """The message of torch in one line; running out of memory is recognised by its words."""
    text = str(error).split("\n")[0][:200]
    if "alloc" in text or "memory" in text:
        return EvaluationError("size", "there is not enough memory")
    code = "shape" if "size" in text or "shape" in text or "dim" in text else "type"
    return EvaluationError(code, text or type(error).__name__)
