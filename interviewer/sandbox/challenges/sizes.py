"""Sizes of axes: numbers, or small expressions over other dims, as challenge files write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from interviewer.sandbox.challenges.challenge import Size
from interviewer.sandbox.language import expression
from interviewer.sandbox.language.expressions import Node

LARGEST = 4096
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: float(a**b) if abs(b) <= 8 else float("inf"),
}


def resolve(dims: Mapping[str, Size]) -> dict[str, int]:
    """All dims as numbers, each over those before it. Raises ValueError with a sentence."""
    known: dict[str, int] = {}
    for name, written in dims.items():
        known[name] = size(written, known)
    return known


def size(written: Size, dims: Mapping[str, int]) -> int:
    """A size as a number from 1 up. Raises ValueError with a sentence."""
    if isinstance(written, str):
        value = _value(expression(written, given=dims), dims)
    else:
        value = float(written)
    if not (value == value // 1 and 1 <= value <= LARGEST):
        raise ValueError(f"{written} is no whole number from 1 to {LARGEST}; change a dim")
    return int(value)


def shape(written: Iterable[Size], dims: Mapping[str, int]) -> tuple[int, ...]:
    """A shape in numbers. Raises ValueError with a sentence."""
    return tuple(size(each, dims) for each in written)


def _value(node: Node, dims: Mapping[str, int]) -> float:
    match node:
        case ["num", float() | int() as number]:
            return float(number)
        case ["name", str() as name] if name in dims:
            return float(dims[name])
        case ["bin", str() as sign, left, right] if sign in _ARITHMETIC:
            try:
                return _ARITHMETIC[sign](_value(left, dims), _value(right, dims))
            except ZeroDivisionError:
                raise ValueError("a size divides by zero; change a dim") from None
        case _:
            raise ValueError("a size is written with numbers, earlier dims and + - * / only")
