from __future__ import annotations

import pytest

from interviewer.rubric.text import has_negator, is_negated, looks_for_negator


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("the variance does not grow", True),
        ("the variance doesn't really grow", True),
        ("it is never the case that they grow", True),
        ("not only the mean, they grow too", False),
        ("it does not matter, they grow", False),
        ("no mask was set in that old run of ours and the logits grow", False),
    ],
)
def test_a_negator_counts_when_near_and_in_the_same_clause(text: str, negated: bool) -> None:
    start = text.index("grow")
    assert is_negated(text, (start, start + 4)) is negated


def test_a_negator_inside_the_hit_counts() -> None:
    text = "variance doesn't grow"
    assert is_negated(text, (0, len(text)))


def test_a_pattern_may_want_the_negator_itself() -> None:
    assert looks_for_negator(r"\bno\b.{0,20}reward")
    assert not looks_for_negator(r"\bnotation\b")
    assert has_negator("without a value model")
