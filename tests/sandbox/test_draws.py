"""Which draws a check makes, and the sizes in them."""

from __future__ import annotations

from typing import Any

import pytest
from support.shipped import shipped_catalogue, shipped_challenges

from interviewer.sandbox import jobs
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.jobs import described_draw, draws_of


def challenge(**fields: Any) -> Challenge:
    return Challenge.model_validate(
        {
            "id": "twice",
            "version": 1,
            "title": "Twice",
            "kind": "derivation",
            "task": "Double x.",
            "dims": {"n": 5, "D": "2 * n"},
            "inputs": {"x": {"shape": ["n", "D"]}},
            "answer": [{"name": "out", "shape": ["n", "D"]}],
            "reference": "def f(x):\n    return 2 * x",
            "solution": "Twice.",
            **fields,
        }
    )


def test_sizes_are_computed_from_earlier_ones() -> None:
    draw = draws_of(challenge(edges=[{"n": 1}]))[-1]
    assert (draw.about, dict(draw.dims)) == ("with n = 1", {"n": 1, "D": 2})
    assert described_draw(draw, challenge())["inputs"][0]["shape"] == [1, 2]


@pytest.mark.parametrize("size", ["n / 2", "n - 5", "n ** 99", "1 / 0", "m", "exp(n)", "n +"])
def test_a_size_that_makes_no_sense_is_a_sentence(size: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        jobs.resolve_dims({"n": 5, "D": size})


def test_stress_counts_only_where_it_must_hold() -> None:
    stress = [{"scale": 9.0, "about": "big"}, {"scale": 1e4, "about": "huge", "must_hold": True}]
    *_, big, huge = draws_of(challenge(stress=stress))
    assert (big.counts, huge.counts) == (False, True)
    assert not big.gradients


def test_an_estimation_begins_with_its_own_numbers() -> None:
    made = challenge(
        kind="estimation",
        dims={},
        inputs={"x": {"draw": "uniform", "low": 1, "high": 2, "instance": 7e9}},
        answer=[{"name": "out"}],
    )
    first, second, *_ = draws_of(made)
    assert described_draw(first, made)["inputs"][0]["values"] == [7e9]
    assert described_draw(second, made)["inputs"][0]["draw"] == "uniform"


@pytest.mark.parametrize("name", shipped_challenges())
def test_shipped_sizes_tell_axes_apart(name: str) -> None:
    """A mistake about which size is used must show: no two dims of a challenge are equal."""
    first = draws_of(shipped_catalogue().get(name).model)[0]
    assert len(set(first.dims.values())) == len(first.dims), first.dims


def test_a_mask_has_both_sides_on_whatever_draws() -> None:
    pytest.importorskip("torch")
    from interviewer.sandbox.worker.job import drawn

    masks = {"m": {"shape": ["n"], "draw": "mask"}}
    made = challenge(dims={"n": 3}, inputs=masks, answer=[{"name": "o"}])
    for salt in range(100):
        mask = drawn(described_draw(draws_of(made, salt)[0], made)).values["m"]
        assert 0 < int(mask.sum()) < 3
    assert draws_of(made, 1) != draws_of(made, 2)
