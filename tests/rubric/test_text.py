from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.tables import table

from interviewer.rubric.text import (
    LONGEST_SENTENCE,
    has_negator,
    is_negated,
    looks_for_negator,
    normalise,
    says,
    sentences,
)

CASES = table("text", __file__)

ANY_TEXT = st.text(max_size=200)
# Marks, jamo, ligatures and invisible characters side by side: what breaks offsets.
AWKWARD = st.text(
    alphabet="aA e\u0301\u0327\u0345\u200d\u200b\u00ad\ufe0f\n\r\t .;:1²½ﬁßİŉ´¨…″“—각가"
    "\u1fb3ΐǰ\u034f\u202e\ud800\u0b47\u0b3e\U0001d15e",
    max_size=60,
)


def said(text: str) -> list[str]:
    normalised = normalise(text)
    return [normalised.text[a:b] for a, b in sentences(normalised)]


@given(ANY_TEXT | AWKWARD)
@example("e\u200d\u0301")
def test_every_character_leads_back_to_the_original_in_order(text: str) -> None:
    normalised = normalise(text)
    places = list(zip(normalised.starts, normalised.ends, strict=True))
    assert len(places) == len(normalised.text)
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert list(normalised.starts) == sorted(normalised.starts)
    assert list(normalised.ends) == sorted(normalised.ends)


@given(ANY_TEXT | AWKWARD)
@example("\u0345\u0301")
@example("¨")
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text).text
    assert normalise(once).text == once
    once.encode()


@given(st.one_of(ANY_TEXT, AWKWARD, st.text(alphabet="ab .", min_size=900, max_size=1500)))
def test_sentences_cover_all_that_is_said(text: str) -> None:
    normalised = normalise(text)
    parts = sentences(normalised)
    assert "".join(normalised.text[a:b] for a, b in parts).replace(" ", "") == (
        normalised.text.replace(" ", "")
    )
    assert all(0 < b - a <= LONGEST_SENTENCE for a, b in parts)
    assert all(before[1] <= after[0] for before, after in pairwise(parts))


@pytest.mark.parametrize(("typed", "plain"), CASES["plain_form"])
def test_plain_form(typed: str, plain: str) -> None:
    assert normalise(typed).text == plain


def test_a_span_points_at_the_words_as_typed() -> None:
    typed = "Well,  the “Vari\u200bance”\n grows"
    normalised = normalise(typed)
    at = normalised.text.index("variance")
    start, end = normalised.original_span(at, at + len("variance"))
    assert typed[start:end] == "Vari\u200bance"
    with pytest.raises(ValueError, match="no characters"):
        normalised.original_span(2, 2)


def test_numbers_and_abbreviations_end_no_sentence() -> None:
    assert said("Loss was 11.3, e.g. at init. Then it fell!") == [
        "loss was 11.3, e.g. at init.",
        "then it fell!",
    ]
    assert said("1. scale it. 2. mask it") == ["1. scale it.", "2. mask it"]


def test_list_lines_end_sentences_and_wrapped_prose_does_not() -> None:
    assert said("three parts\n- data\n- tensor") == ["three parts", "- data", "- tensor"]
    wrapped = "the variance of a dot product of two independent unit vectors grows\nwith the width"
    assert len(said(wrapped)) == 1
    assert len(said(wrapped.replace("\n", "\n\n"))) == 2


@pytest.mark.parametrize(("text", "negated"), CASES["a_negator_counts_when_near_and_in_the_same"])
def test_a_negator_counts_when_near_and_in_the_same_clause(text: str, negated: bool) -> None:
    start = text.index("grow")
    assert is_negated(text, (start, start + 4)) is negated
    assert is_negated("variance doesn't grow", (0, 21))


def test_a_pattern_may_want_the_negator_itself() -> None:
    assert looks_for_negator(r"\bno\b.{0,20}reward")
    assert not looks_for_negator(r"\bnotation\b")
    assert has_negator("without a value model")


@pytest.mark.parametrize(("text", "term", "found"), CASES["a_term_is_found_however_it_is_written"])
def test_a_term_is_found_however_it_is_written_and_no_other(
    text: str, term: str, found: bool
) -> None:
    assert says(text, term) is found
