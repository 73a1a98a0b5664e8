"""Which numbers a quote holds, in any usual spelling."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.claims.reported import has_number, holds, numbers


@pytest.mark.parametrize(
    ("quote", "value"),
    [
        ("1.095·10⁸ tokens", 1.095e8),
        ("2¹⁸ sequences", 262144),
        ("2.2·10⁹ parameters", 2.2e9),
        ("2^18", 262144),
        ("32 MI300X", 32),
        ("2**18", 262144),
        ("10⁻⁴", 1e-4),
        ("3e-4", 3e-4),
        ("6 x 10^23", 6e23),
        ("three times ten to the minus four", 3e-4),
        ("ten to the eighth", 1e8),
        ("at step 600,000", 600_000),
        ("1 234 567", 1_234_567),
        ("1'234", 1234),
        ("1.234.567,8", 1_234_567.8),
        ("12.345", 12_345),
        ("3,5 Milliarden", 3.5e9),
        ("7B", 7e9),
        ("1.5T", 1.5e12),
        ("80G", 80e9),
        ("2.5k", 2500),
        ("seven billion", 7e9),
        ("sixty-four", 64),
        ("twenty-four hundred", 2400),
        ("five twelve", 512),
        ("point four five", 0.45),
        ("two and a half", 2.5),
        ("an hour and a half", 1.5),
        ("a day and a quarter", 1.25),
        ("half of peak", 0.5),
        ("a fifth", 0.2),
        ("two thirds", 2 / 3),
        ("three quarters", 0.75),
        ("½ epoch", 0.5),
        ("1/8 of it", 0.125),
        ("a couple of hundred GPUs", 200),
        ("a few thousand", 3000),
        ("a dozen", 12),
        ("half a million", 5e5),
        ("four hundredths of a nat", 0.04),
        ("a hundredth", 0.01),
        ("3万", 3e4),
        ("3.5亿", 3.5e8),
        ("1.2千亿", 1.2e11),
        ("三亿", 3e8),
        ("十二亿", 12e8),
        ("两百", 200),
        ("一点五亿", 1.5e8),
        ("三分之一", 1 / 3),
        ("百分之四十五", 0.45),
    ],
)
def test_a_number_is_found_in_any_usual_spelling(quote: str, value: float) -> None:
    found = holds(quote, value)
    assert found == pytest.approx(value, rel=0.006)
    assert has_number(quote)


def test_an_article_is_a_one_but_no_reason_to_ask_a_model() -> None:
    assert holds("about a week", 1) == 1
    assert not has_number("about a week")


@pytest.mark.parametrize(
    ("quote", "value"),
    [
        *(("64 H100s", 65), ("7B", 8e9), ("3e-4", 5.0), ("1e500", 7.0), ("9" * 400, 5.0)),
        *(("we tuned it", 3), ("sixty-four", 46), ("45 %", 54), ("0^-1", 7), ("99999999^60", 3)),
    ],
)
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
