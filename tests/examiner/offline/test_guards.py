"""What holds a hit back: lists, bags, announcements, hedges, swapped directions, denials."""

from __future__ import annotations

import pytest
from support.tables import table

from interviewer.examiner.offline import guards
from interviewer.rubric.text import is_denied

CASES = table("sentences", __file__)["guards"]


@pytest.mark.parametrize(("text", "a_list"), CASES["lists"])
def test_a_string_of_short_terms_is_a_list(text: str, a_list: bool) -> None:
    at = text.index("gradient")
    assert guards.is_in_a_list(text, at, at + 8) is a_list


@pytest.mark.parametrize(("text", "a_bag"), CASES["bags"])
def test_words_in_a_row_without_a_mark_are_a_bag(text: str, a_bag: bool) -> None:
    at = text.index("gradient")
    assert guards.is_in_a_bag(text, at, at + 8) is a_bag


@pytest.mark.parametrize(("text", "asked_for_names", "a_string"), CASES["strings"])
def test_bare_terms_in_a_row_are_a_string_whatever_figures_they_have(
    text: str, asked_for_names: bool, a_string: bool
) -> None:
    at = text.index("gradient")
    assert guards.is_in_a_string(text, at, wanted=bool(asked_for_names)) is bool(a_string)


@pytest.mark.parametrize(("text", "denied"), CASES["denials"])
def test_a_denial_reaches_what_follows_it_in_its_sentence(text: str, denied: bool) -> None:
    assert is_denied(text, text.index("variance")) is denied


def test_the_claim_word_for_word_is_a_repetition() -> None:
    claim = "The variance of the product grows with the width."
    assert guards.repeats("the variance of the product grows with the width", claim)
    assert not guards.repeats("the variance of the product grows as the width does", claim)
    assert not guards.repeats("it grows", "It grows")
