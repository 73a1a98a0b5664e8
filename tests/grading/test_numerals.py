"""Numbers in digits and in words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import table

from interviewer.grading.evidence import states
from interviewer.grading.transcript import ParsedAnswer
from interviewer.rubric.rubric import NumberFact
from interviewer.rubric.text import normalise

CASES = table("cases", __file__)["numerals"]


@pytest.mark.parametrize(("text", "values"), CASES["written"])
def test_a_number_is_read_however_it_is_written(text: str, values: list[float]) -> None:
    assert [n.value for n in ParsedAnswer(text).numerals] == pytest.approx(values)


@pytest.mark.parametrize(("text", "found"), CASES["words"])
def test_words_that_surely_are_numbers_are_read(text: str, found: list[tuple[float, str]]) -> None:
    assert [[q.value, q.tail] for q in ParsedAnswer(text).quantities] == found


@pytest.mark.parametrize(("text", "values"), CASES["digits"])
def test_digits_are_quantities_as_written(text: str, values: list[float]) -> None:
    assert [q.value for q in ParsedAnswer(text).quantities] == pytest.approx(values)


@pytest.mark.parametrize(("fact", "text", "holds"), CASES["facts"])
def test_a_rubrics_number_counts_in_its_unit_and_range(
    fact: dict[str, Any], text: str, holds: bool
) -> None:
    assert states(NumberFact.model_validate(fact), text) is holds


@given(st.text())
def test_any_text_is_read_and_spans_lie_in_it(text: str) -> None:
    plain = normalise(text).text
    ends = [0]
    for numeral in ParsedAnswer(text).numerals:
        start, end = numeral.span
        assert ends[-1] <= start < end <= len(plain)
        ends.append(end)
