"""Nodes in, tensors out: the expression language, run with torch.

Nothing is executed but the operations of a table; there is no way from a node to Python. Every
error inside becomes an :class:`EvaluationError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from .indexing import Item, Slice, indexed
from .operations import OPERATIONS, binary, compare, einsum
from .values import (
    EvaluationError,
    Watch,
    as_condition,
    as_indices,
    as_number,
    check_size,
    has_nan,
    shown,
    whole,
)

__all__ = ["EvaluationError", "Evaluator"]

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
            raise EvaluationError("size", "there is not enough memory for it") from None
        except RecursionError:
            raise EvaluationError("limit", "it is nested too deep") from None
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
                raise EvaluationError("type", "a list or a text stands where a value should")

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
            raise EvaluationError("gradient", "grad goes by an input or a name defined above")
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
            f"{by[1]} does not stand in it, outside detach; write it in terms of {by[1]} by name",
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
    """What torch said, in one line; running out of memory is known by its words."""
    text = str(error).split("\n")[0][:200]
    if "alloc" in text or "memory" in text:
        return EvaluationError("size", "there is not enough memory for it")
    code = "shape" if "size" in text or "shape" in text or "dim" in text else "type"
    return EvaluationError(code, text or type(error).__name__)
