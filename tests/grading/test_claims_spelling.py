"""Which numbers a quote holds, in any usual spelling."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import table

from interviewer.grading.claims.reported import has_number, holds, numbers

CASES = table("cases", __file__)["claims_spelling"]


@pytest.mark.parametrize(("quote", "value"), CASES["found"])
def test_a_number_is_found_in_any_usual_spelling(quote: str, value: float) -> None:
    found = holds(quote, value)
    assert found == pytest.approx(value, rel=0.006)
    assert has_number(quote)


def test_an_article_is_a_one_but_no_reason_to_ask_a_model() -> None:
    assert holds("about a week", 1) == 1
    assert not has_number("about a week")


@pytest.mark.parametrize(("quote", "value"), CASES["not found"])
def test_another_number_is_not(quote: str, value: float) -> None:
    assert holds(quote, value) is None


def test_a_scale_may_stand_with_a_neighbour_only() -> None:
    assert holds("from 6.1 to 4.7 billion", 6.1e9) == 6.1e9


@given(
    st.text()
    | st.from_regex(r"[0-9.,^*/⁻¹²³×x e+%-]{0,40}")
    | st.text("零一二三十百千万亿兆点分之两", max_size=30),
    st.floats(-1e30, 1e30),
)
def test_no_text_stops_it_and_every_number_is_finite(text: str, value: float) -> None:
    assert all(math.isfinite(number * scale) for number, scale in numbers(text))
    holds(text, value)


@given(st.floats(1e-6, 1e15), st.sampled_from(["", "B", " tokens", "x"]))
def test_a_number_in_digits_is_always_held(value: float, after: str) -> None:
    assert holds(f"about {value:.4g}{after}", float(f"{value:.4g}")) is not None
