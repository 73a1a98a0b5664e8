"""Numbers in digits and in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.evidence import is_substantial
from interviewer.grading.numerals import quantities, states
from interviewer.grading.transcript import ParsedAnswer
from interviewer.rubric.rubric import NumberFact
from interviewer.rubric.text import normalise


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("sixty-four", [64]),
        ("two million", [2e6]),
        ("three and a half days", [3.5]),
        ("two and a half million", [2.5e6]),
        ("a million and a half", [1.5e6]),
        ("half a second", [0.5]),
        ("half a million", [5e5]),
        ("a quarter of a million", [2.5e5]),
        ("three quarters of a billion", [7.5e8]),
        ("half a dozen", [6]),
        ("seventy-B", [7e10]),
        ("7b", [7e9]),
        ("1.4T", [1.4e12]),
        ("4k", [4000]),
        ("350m", [3.5e8]),
        ("3e-4", [3e-4]),
        ("6 x 10^23", [6e23]),
        ("6 × 10²³", [6e23]),
        ("10^12", [1e12]),
        ("8 x 1024", [8, 1024]),
        ("fourteen gigs", [14]),
        ("eleven point three", [11.3]),
        ("zero point four five", [0.45]),
        ("one point four trillion", [1.4e12]),
        ("twelve hundred", [1200]),
        ("a hundred and twenty-eight", [128]),
        ("three hundred thousand", [3e5]),
        ("sixty-four thousand five hundred", [64500]),
        ("the full trillion", [1e12]),
        ("forty ninety-six", [4096]),
        ("five twelve", [512]),
        ("eight forty gig cards", [8, 40]),
        ("a couple of months", [2]),
        ("two to three weeks", [2, 3]),
        ("8xA100", [8]),
        ("several hundred", []),
        ("a few thousand", []),
        ("millions of them", []),
        ("two thirds", []),
        ("a second thought", []),
        ("version v2.5", []),
    ],
)
def test_a_number_is_read_however_it_is_written(text: str, values: list[float]) -> None:
    assert [n.value for n in ParsedAnswer(text).numerals] == pytest.approx(values)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("about eleven point three", [(11.3, "")]),
        ("fourteen gigs a card", [(14, "gigs")]),
        ("seventy billion parameters", [(70, "billion")]),
        ("two gigs", [(2, "gigs")]),
        ("forty percent", [(40, "percent")]),
        ("one of two things", []),
        ("a step, then another", []),
    ],
)
def test_words_are_quantities_where_they_surely_are_numbers(
    text: str, found: list[tuple[float, str]]
) -> None:
    assert [(q.value, q.tail) for q in quantities(text)] == pytest.approx(found)


@pytest.mark.parametrize(
    ("fact", "text", "holds"),
    [
        (NumberFact(value=11.3, rel=0.1), "roughly eleven point three", True),
        (NumberFact(value=14, unit="GB"), "about fourteen gigs per card", True),
        (NumberFact(value=7e10, unit="parameters"), "seventy billion parameters", True),
        (NumberFact(value=44, unit="%", rel=0.05), "forty-four percent", True),
        (NumberFact(value=14, unit="GB"), "forty gigs per card", False),
    ],
)
def test_a_rubric_number_may_be_spoken(fact: NumberFact, text: str, holds: bool) -> None:
    assert states(fact, text) is holds


@pytest.mark.parametrize(
    ("quote", "counts"),
    [("one thing", False), ("two things", False), ("fourteen gigs", True), ("a step", False)],
)
def test_small_words_give_a_quote_no_substance(quote: str, counts: bool) -> None:
    assert is_substantial(quote) is counts


@given(st.text())
def test_any_text_is_read_and_spans_lie_in_it(text: str) -> None:
    plain = normalise(text).text
    ends = [0]
    for numeral in ParsedAnswer(text).numerals:
        start, end = numeral.span
        assert ends[-1] <= start < end <= len(plain)
        ends.append(end)
