"""Numbers in answers."""

from __future__ import annotations

import pytest
from support.tables import table

from interviewer.grading.numerals import quantities, states
from interviewer.rubric.rubric import NumberFact

CASES = table("cases", __file__)["quantities"]


@pytest.mark.parametrize(("text", "values"), CASES["read"])
def test_numbers_are_read_as_written(text: str, values: list[float]) -> None:
    assert [q.value for q in quantities(text)] == pytest.approx(values)


@pytest.mark.parametrize(
    ("fact", "text", "holds"),
    [
        (NumberFact(value=11.3, rel=0.1), "roughly 11", True),
        (NumberFact(value=11.3, rel=0.1), "roughly 128", False),
        (NumberFact(value=1120, unit="GB"), "that is 1.12 TB in total", True),
        (NumberFact(value=1120, unit="GB"), "that is 1120 tokens", False),
        (NumberFact(value=7e10, unit="parameters"), "a 70B model", True),
        (NumberFact(value=44, unit="%", rel=0.05), "an MFU of 0.44", True),
        (NumberFact(value=44, unit="%", rel=0.05), "44% of peak", True),
        (NumberFact(value=44, unit="%", rel=0.05), "44 nodes", False),
        (NumberFact(value=16, unit="", alternatives=(18,)), "18 bytes each", True),
    ],
)
def test_a_number_counts_in_its_unit_and_range(fact: NumberFact, text: str, holds: bool) -> None:
    assert states(fact, text) is holds
