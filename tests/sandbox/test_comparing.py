"""When two values count as the same, and how a difference is told."""

from __future__ import annotations

from array import array
from math import inf, nan

import pytest

from interviewer.sandbox.checking.numbers import (
    Numbers,
    Tolerance,
    Value,
    constant_factor,
    difference,
    is_transposed,
    numbers_differ,
)

EXACT = Tolerance()


def tensor(*entries: float, shape: tuple[int, ...] | None = None) -> Numbers:
    return Numbers((len(entries),) if shape is None else shape, array("d", entries))


@pytest.mark.parametrize(
    ("got", "wanted", "kind"),
    [
        (tensor(1, 2), tensor(1, 2), None),
        (tensor(1, 2 + 1e-9), tensor(1, 2), None),
        (tensor(1, 2.001), tensor(1, 2), "value"),
        (tensor(1, 2), tensor(1, 2, shape=(2, 1)), "shape"),
        (tensor(-inf, 2), tensor(-inf, 2), None),
        (tensor(inf, 2), tensor(-inf, 2), "not finite"),
        (tensor(nan, 2), tensor(nan, 2), "not finite"),
        (tensor(1e-30, 1e6), tensor(0, 1e6), None),
    ],
)
def test_numbers(got: Numbers, wanted: Numbers, kind: str | None) -> None:
    found = numbers_differ(got, wanted, EXACT)
    assert (found.kind if found else None) == kind


def test_equal_values_with_another_gradient_differ() -> None:
    mine = Value(tensor(1), {0: tensor(2)})
    theirs = Value(tensor(1), {0: tensor(2), 1: tensor(3)})
    found = difference(mine, theirs, EXACT)
    assert found is not None
    assert (found.kind, found.wrt) == ("gradient", 1)
    assert difference(mine, theirs, EXACT, gradients=False) is None


def test_an_absent_gradient_is_zero() -> None:
    assert difference(Value(tensor(1)), Value(tensor(1), {0: tensor(0, 0)}), EXACT) is None


def test_one_factor_everywhere_is_found() -> None:
    assert constant_factor(tensor(2, 4, 0), tensor(1, 2, 0)) == 2
    assert constant_factor(tensor(2, 5), tensor(1, 2)) is None
    assert constant_factor(tensor(1, 2), tensor(1, 2)) is None


def test_swapped_axes_are_found() -> None:
    matrix = tensor(1, 2, 3, 4, 5, 6, shape=(2, 3))
    assert is_transposed(tensor(1, 4, 2, 5, 3, 6, shape=(3, 2)), matrix, EXACT)
    assert not is_transposed(tensor(1, 2, 3, 4, 5, 6, shape=(3, 2)), matrix, EXACT)
