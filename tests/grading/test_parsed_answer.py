"""One parse of an answer: its views agree, point into the text as typed, and are computed once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import table

from interviewer.grading.evidence import suspicions
from interviewer.grading.transcript import READ_CHARACTERS, ParsedAnswer, Turn, TurnKind
from interviewer.grading.verdicts import Flag
from interviewer.rubric.text import normalise

CASES = table("cases", __file__)["parsed_answer"]

ORDERS = CASES["orders"]
CLEAN = CASES["clean"]
ANSWERS = st.lists(st.sampled_from((*ORDERS, *CLEAN)) | st.text(), max_size=6).map(" ".join)


@given(ANSWERS)
def test_spans_point_into_the_text_as_typed(text: str) -> None:
    parsed = ParsedAnswer(text)
    for spans in (parsed.sentences, parsed.judged_sentences):
        for start, end in spans:
            first, last = parsed.plain.original_span(start, end)
            assert 0 <= first < last <= len(text)
            assert normalise(text[first:last]).text
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
    for span in (*parsed.order_spans, *(q.span for q in parsed.quantities)):
        assert 0 <= span[0] < span[1] <= len(text)


@pytest.mark.parametrize(("text", "typed"), CASES["sentences"])
def test_a_sentence_is_found_again_as_typed(text: str, typed: list[str]) -> None:
    parsed = ParsedAnswer(text)
    places = (parsed.plain.original_span(*span) for span in parsed.sentences)
    assert [text[start:end] for start, end in places] == typed


@given(ANSWERS)
def test_no_judged_sentence_and_no_window_touches_an_order(text: str) -> None:
    parsed = ParsedAnswer(text)
    for span in (*parsed.judged_sentences, *parsed.windows):
        assert not parsed.gives_orders(parsed.plain.original_span(*span))
    assert set(parsed.judged_sentences) <= set(parsed.sentences)


def test_an_order_parts_the_windows() -> None:
    before, order, after = "It grows with width.", ORDERS[0], "We divide by the root."
    parsed = ParsedAnswer(f"{before} {before} {order} {after}")
    windows = [parsed.plain.text[slice(*span)] for span in parsed.windows]
    assert windows == [f"{before} {before}".lower(), after.lower()]
    assert parsed.gives_orders()


def test_of_a_pasted_file_the_beginning_is_read_and_all_is_kept() -> None:
    text = "The variance grows with the head width. " * 100_000
    parsed = ParsedAnswer(text)
    assert parsed.text == text
    assert not parsed.is_read_whole
    assert text.startswith(parsed.read)
    assert text[len(parsed.read)].isspace()
    views = (parsed.plain.text, *(parsed.plain.text[a:b] for a, b in parsed.sentences))
    assert all(len(view) <= READ_CHARACTERS for view in views)
    assert len(parsed.words) < READ_CHARACTERS
    assert max(end for _, end in parsed.sentences) <= READ_CHARACTERS
    turns = (Turn(1, "candidate", TurnKind.ANSWER, text),)
    assert suspicions(turns) == {Flag.READ_IN_PART}
