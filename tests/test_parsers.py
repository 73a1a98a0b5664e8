"""No text from outside breaks a reader: some draws here, a minute of fuzzing in .ci/run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.parsers import READERS, SEEDS, read

ANY = st.text(st.characters(exclude_categories=()), max_size=200)


@st.composite
def mutated(draw: st.DrawFn, name: str) -> str:
    """Something that the reader knows, with a piece of it taken out, doubled or replaced."""
    text = draw(st.sampled_from(SEEDS[name]))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, len(text)))
        piece = draw(st.one_of(st.just(""), st.just(text[start:end] * 2), ANY))
        text = text[:start] + piece + text[end:]
    return text


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=25)
@given(st.data())
def test_any_text_is_read_or_refused_in_a_sentence(name: str, data: st.DataObject) -> None:
    read(name, data.draw(st.one_of(mutated(name), ANY)))
