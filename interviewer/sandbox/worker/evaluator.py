"""Nodes in, tensors out: the expression language, run with torch.

Only the operations of a table are executed; no node can reach Python. Every
error inside becomes an :class:`EvaluationError`. All results are new tensors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import EllipsisType
from typing import Any

import torch
from torch import Tensor

from .operations import (
    BESIDE,
    NUMERIC,
    SHAPING,
    EvaluationError,
    as_condition,
    as_indices,
    as_number,
    binary,
    number,
    shown,
    whole,
)

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
