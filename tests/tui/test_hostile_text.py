"""Text from people, models and files reaches the screen as it reads, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import table

from tui.widgets.plain_text import one_line, plain, spoken, typable

CASES = table("hostile_text", __file__)


def dangerous(text: str) -> list[str]:
    return [char for char in text if char != "\n" and (ord(char) < 32 or 0x7F <= ord(char) < 0xA0)]


@pytest.mark.parametrize("text", ["[bold]x", "[/]", "[@click=app.bell]y[/]", "\\[z]"])
def test_brackets_are_literal(text: str) -> None:
    assert plain(text).plain == text
    assert not plain(text).spans


@given(st.text(alphabet=st.characters(), max_size=60))
def test_no_text_steers_the_terminal(text: str) -> None:
    for content in (plain(text), one_line(text)):
        assert not dangerous(content.plain.replace("\t", " "))
        content.plain.encode()
    assert "\n" not in one_line(text).plain


@given(st.text(alphabet=st.characters(), max_size=60))
def test_the_editor_takes_text_that_is_safe_and_printable(text: str) -> None:
    taken = typable(text)
    assert not dangerous(taken.replace("\t", " "))
    taken.encode()
    assert typable(taken) == taken


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=60))
def test_the_editor_leaves_ordinary_text_alone(text: str) -> None:
    assert typable(text) == text


@pytest.mark.parametrize("text", ["👩🏽‍🚀", "🏳️‍🌈", "می‌خواهم", "क्‍ष"])
def test_joiners_that_join_are_shown_as_the_terminal_does(text: str) -> None:
    assert plain(text).plain == text


@pytest.mark.parametrize("text", ["Hid‍den", "‍🚀", "🚀‍", "🚀‍‍🚀", "क‌1"])
def test_a_joiner_that_joins_nothing_is_seen(text: str) -> None:
    assert "<U+200" in plain(text).plain


def test_the_editor_keeps_emoji_joiners_and_knows_all_line_ends() -> None:
    assert typable("👩‍💻\ttab") == "👩‍💻\ttab"
    assert typable("a\r\nb\rc\u2028d") == "a\nb\nc\nd"


# -- code and formulas ------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "shown_as", "set_off"), CASES["code_and_formulas_are_set_off"])
def test_code_and_formulas_are_set_off(text: str, shown_as: str, set_off: list[str]) -> None:
    found = spoken(text)
    assert found.plain == shown_as
    styled = [found.plain[span.start : span.end] for span in found.spans if span.style]
    assert styled == set_off


@given(st.text(st.sampled_from("a $_=`\n[]\\"), max_size=60))
def test_nothing_else_of_what_is_said_is_lost(text: str) -> None:
    def letters(words: str) -> str:
        return "".join(words.replace("`", "").split())

    found = spoken(text)
    if "```" not in text:
        assert letters(found.plain) == letters(text)
    assert not dangerous(found.plain)
