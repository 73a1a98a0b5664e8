"""When two values count as the same, and how a difference is told."""

from __future__ import annotations

from array import array
from dataclasses import replace
from math import inf, nan

import pytest
from support.benches import CHALLENGE as SOFTMAX

from interviewer.sandbox import comparison
from interviewer.sandbox.comparison import (
    Difference,
    Tolerance,
    constant_factor,
    difference,
    numbers_differ,
)
from interviewer.sandbox.jobs import Numbers, Value, draws_of

EXACT = Tolerance()
DRAW = replace(draws_of(SOFTMAX)[0], dims={})


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


def test_equal_values_with_another_gradient_differ_and_an_absent_one_is_zero() -> None:
    mine = Value(tensor(1), {0: tensor(2)})
    theirs = Value(tensor(1), {0: tensor(2), 1: tensor(3)})
    found = difference(mine, theirs, EXACT)
    assert found is not None
    assert (found.kind, found.wrt) == ("gradient", 1)
    assert difference(mine, theirs, EXACT, gradients=False) is None
    absent = Value(tensor(1))
    assert difference(absent, Value(tensor(1), {0: tensor(0, 0)}), EXACT) is None


def test_one_factor_everywhere_is_found() -> None:
    assert constant_factor(tensor(2, 4, 0), tensor(1, 2, 0)) == 2
    assert constant_factor(tensor(2, 5), tensor(1, 2)) is None
    assert constant_factor(tensor(1, 2), tensor(1, 2)) is None


def told(got: Numbers, wanted: Numbers, limit: Tolerance = EXACT) -> str:
    found = difference(Value(got), Value(wanted), limit)
    assert isinstance(found, Difference)
    return comparison.different(found, "the expected x", 0, DRAW, [], limit)


@pytest.mark.parametrize(
    ("got", "way"),
    [
        (1.05 * 3.85e10, "slightly too high"),
        (0.93 * 3.85e10, "slightly too low"),
        (2.8e10, "too low by less than a factor of 2"),
        (1.1e11, "too high by a factor of 2 to 10"),
        (1.0, "too low by more than a factor of 10"),
        (9e30, "too high by more than a factor of 10"),
        (0.0, "too low"),
        (-3.85e10, "the sign is wrong"),
    ],
)
def test_a_wrong_number_is_told_the_way_and_never_the_answer(got: float, way: str) -> None:
    message = told(tensor(got, shape=()), tensor(3.85e10, shape=()), Tolerance(0.0, 0.03))
    assert message == f"This is not the expected x: {way} (draw 1)."


@pytest.mark.parametrize(
    ("off", "where"),
    [
        ({0: 1}, "1 of 9 entries is too high, in row 1"),
        ({0: -1, 1: -2}, "2 of 9 entries are too low, all in row 1"),
        ({0: -1, 3: 2}, "2 of 9 entries are off, all in column 1"),
        ({0: 1, 4: 2, 8: 1}, "3 of 9 entries are too high, all on the diagonal"),
        ({1: 1, 2: 2, 5: 1}, "3 of 9 entries are too high, all above the diagonal"),
        ({3: 1, 6: -2, 7: 1}, "3 of 9 entries are off, all below the diagonal"),
        ({1: 1, 3: 2}, "2 of 9 entries are too high"),
        (dict.fromkeys(range(9), -3), "every entry is too low by the same amount"),
        ({n: (-1) ** n for n in range(9)}, "every entry is off"),
    ],
)
def test_of_a_tensor_the_entries_that_are_off_are_told(off: dict[int, float], where: str) -> None:
    wanted = tensor(*(7.25 * n + 1 for n in range(9)), shape=(3, 3))
    got = tensor(*(x + off.get(n, 0) for n, x in enumerate(wanted.entries)), shape=(3, 3))
    assert told(got, wanted) == f"This is not the expected x: {where} (draw 1)."


def test_entries_of_other_shapes_are_counted() -> None:
    assert ": 1 of 3 entries is too high, number 2 (" in told(tensor(1, 9, 3), tensor(1, 2, 3))
    cube = tensor(*range(8), shape=(2, 2, 2))
    other = tensor(5, *range(1, 8), shape=(2, 2, 2))
    assert ": 1 of 8 entries is too high (" in told(other, cube)
    assert "opposite sign" in told(tensor(-1, -2), tensor(1, 2))
    assert "the same factor" in told(tensor(3, 6), tensor(1, 2))
