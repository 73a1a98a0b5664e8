"""Are two values the same? Shapes, then which entries are finite, then numbers, then gradients."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import inf, isfinite, isnan, prod
from typing import Literal

from interviewer.sandbox.checking.numbers import Numbers, Value

Kind = Literal["shape", "not finite", "value", "gradient"]


@dataclass(frozen=True)
class Tolerance:
    """Allowed difference: ``absolute``, plus ``relative`` times the largest entry of the tensor.

    It is tensor-wide on purpose: where terms cancel, an entry's own size says nothing about its
    rounding (sandbox research, section 2).
    """

    absolute: float = 1e-9
    relative: float = 1e-7

    def of(self, entries: array[float]) -> float:
        """The largest difference that still counts as equal."""
        largest = max((abs(entry) for entry in entries if isfinite(entry)), default=0.0)
        return self.absolute + self.relative * largest


@dataclass(frozen=True)
class Difference:
    """How two values differ. ``wrt`` is the input's index where only a gradient does."""

    kind: Kind
    got: Numbers
    wanted: Numbers
    largest: float = 0.0
    wrt: int | None = None


def difference(
    got: Value, wanted: Value, tolerance: Tolerance, *, gradients: bool = True
) -> Difference | None:
    """How the values differ, None where they agree."""
    if found := numbers_differ(got.itself, wanted.itself, tolerance):
        return found
    if not gradients:
        return None
    for wrt in sorted({*got.gradients, *wanted.gradients}):
        shape = (got.gradients.get(wrt) or wanted.gradients[wrt]).shape
        mine = got.gradients.get(wrt) or _zeros(shape)
        theirs = wanted.gradients.get(wrt) or _zeros(shape)
        if found := numbers_differ(mine, theirs, tolerance):
            return Difference("gradient", mine, theirs, found.largest, wrt)
    return None


def coincide(got: Value, wanted: Value, tolerance: Tolerance) -> bool:
    """The values agree, and where one is not a number the other isn't either."""
    if _undefined(got.itself) != _undefined(wanted.itself):
        return False
    return difference(_defined(got), _defined(wanted), tolerance) is None


def numbers_differ(got: Numbers, wanted: Numbers, tolerance: Tolerance) -> Difference | None:
    """How two tensors differ, None where they agree. What is not a number agrees with nothing."""
    if got.shape != wanted.shape:
        return Difference("shape", got, wanted)
    if _odd(got.entries) != _odd(wanted.entries) or _undefined(got):
        return Difference("not finite", got, wanted, inf)
    largest = max(map(_gap, got.entries, wanted.entries), default=0.0)
    if largest > tolerance.of(wanted.entries):
        return Difference("value", got, wanted, largest)
    return None


def side_by_side(one: Value, other: Value) -> tuple[Value, Value]:
    """The two values with a lone number repeated for every entry of the other."""
    if not one.itself.shape:
        return _repeated(one, other.itself.shape), other
    return one, _repeated(other, one.itself.shape)


def _repeated(number: Value, shape: tuple[int, ...]) -> Value:
    if number.itself.shape or number.gradients:
        return number
    return Value(Numbers(shape, number.itself.entries * prod(shape)))


def constant_factor(got: Numbers, wanted: Numbers) -> float | None:
    """The number that all of ``got`` is a multiple by, None where there is none or it is 1."""
    pairs = [(g, w) for g, w in zip(got.entries, wanted.entries, strict=False) if w]
    if got.shape != wanted.shape or len(pairs) < 2 or not all(isfinite(g) for g, _ in pairs):
        return None
    factors = [g / w for g, w in pairs]
    middle = sorted(factors)[len(factors) // 2]
    same = all(abs(factor - middle) <= 1e-6 * abs(middle) for factor in factors)
    return middle if same and middle and abs(middle - 1) > 1e-6 else None


def is_transposed(got: Numbers, wanted: Numbers, tolerance: Tolerance) -> bool:
    """The same matrix with its axes swapped."""
    if len(got.shape) != 2 or got.shape != wanted.shape[::-1]:
        return False
    rows, columns = got.shape
    turned = array("d", (got.entries[i * columns + j] for j in range(columns) for i in range(rows)))
    return numbers_differ(Numbers(wanted.shape, turned), wanted, tolerance) is None


def same_entries(got: Numbers, wanted: Numbers, tolerance: Tolerance) -> bool:
    """The same numbers in the same order under another shape."""
    if len(got.entries) != len(wanted.entries):
        return False
    return numbers_differ(Numbers(wanted.shape, got.entries), wanted, tolerance) is None


def _gap(a: float, b: float) -> float:
    return 0.0 if a == b else abs(a - b)


def _undefined(numbers: Numbers) -> list[int]:
    return [n for n, entry in enumerate(numbers.entries) if isnan(entry)]


def _defined(value: Value) -> Value:
    """With zeros for what is not a number; such a value's gradients say nothing."""
    if not _undefined(value.itself):
        return value
    entries = array("d", (0.0 if isnan(entry) else entry for entry in value.itself.entries))
    return Value(Numbers(value.itself.shape, entries))


def _odd(entries: array[float]) -> list[tuple[int, float]]:
    """Where entries are infinite, and how."""
    return [(n, x) for n, x in enumerate(entries) if not isfinite(x) and not isnan(x)]


def _zeros(shape: tuple[int, ...]) -> Numbers:
    return Numbers(shape, array("d", bytes(8 * prod(shape))))
