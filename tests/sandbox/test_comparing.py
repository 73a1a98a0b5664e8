"""When two values count as the same, and how a difference is told."""

from __future__ import annotations

from array import array
from dataclasses import replace
from math import inf, nan

import pytest
from support.benches import CHALLENGE as SOFTMAX

from interviewer.sandbox.comparison import (
    Difference,
    Expected,
    Tolerance,
    difference,
    numbers_differ,
)
from interviewer.sandbox.jobs import Readings, ReferenceNumbers, Value, draws_of

EXACT = Tolerance()
DRAW = replace(draws_of(SOFTMAX)[0], dims={})


def tensor(*entries: float, shape: tuple[int, ...] | None = None) -> ReferenceNumbers:
    return ReferenceNumbers((len(entries),) if shape is None else shape, array("d", entries))


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
def test_numbers(got: ReferenceNumbers, wanted: ReferenceNumbers, kind: str | None) -> None:
    found = numbers_differ(got, wanted, EXACT)
    assert (found.kind if found else None) == kind


def test_equal_values_with_another_gradient_differ_and_an_absent_one_is_zero() -> None:
    mine = Value(tensor(1), {0: tensor(2)})
    theirs = Value(tensor(1), {0: tensor(2), 1: tensor(3)})
    found = difference(mine, theirs, EXACT)
    assert found is not None
    assert (found.kind, found.wrt) == ("gradient", 1)
    assert difference(mine, theirs, EXACT, gradients=False) is None
    absent = Value(tensor(1))
    assert difference(absent, Value(tensor(1), {0: tensor(0, 0)}), EXACT) is None


def told(got: ReferenceNumbers, wanted: ReferenceNumbers, limit: Tolerance = EXACT) -> str:
    found = difference(Value(got), Value(wanted), limit)
    assert isinstance(found, Difference)
    return Expected(SOFTMAX, (DRAW,), Readings()).described(found, "the expected x", 0, limit)


@pytest.mark.parametrize(
    ("got", "wanted", "how"),
    [
        (tensor(4e10, shape=()), tensor(3.85e10, shape=()), "too high"),
        (tensor(-4e10, shape=()), tensor(3.85e10, shape=()), "too low"),
        (tensor(1, 9, 4), tensor(1, 2, 3), "2 of 3 entries differ"),
    ],
)
def test_what_differs_is_told_and_never_the_answer(
    got: ReferenceNumbers, wanted: ReferenceNumbers, how: str
) -> None:
    assert told(got, wanted) == f"This is not the expected x: {how} (draw 1)."
