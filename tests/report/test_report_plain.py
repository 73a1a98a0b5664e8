"""Nothing printed may steer a terminal or hide in it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.report.plain import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, ünïcode 漢字 👍", "plain, ünïcode 漢字 👍"),
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb", "a\nb"),
        ("over\rwritten", "over␍written"),
        ("\x1b[2J", "␛[2J"),
        ("\x00\x07\x7f", "␀␇␡"),
        ("\x9b31m", "<U+009B>31m"),
        ("abc\u202edef", "abc<U+202E>def"),
        ("zero\u200bwidth\ufeff", "zero<U+200B>width<U+FEFF>"),
        ("\u2066x\u2069", "<U+2066>x<U+2069>"),
        ("line\u2028end", "line<U+2028>end"),
        ("half \ud83d", "half <U+D83D>"),
        ("tag \U000e0041", "tag <U+E0041>"),
    ],
)
def test_what_cannot_be_seen_is_made_visible(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.characters(), max_size=60))
def test_only_newline_tab_and_visible_characters_come_out(text: str) -> None:
    for char in printable(text):
        category = unicodedata.category(char)
        assert char in "\n\t" or category not in {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(st.text(st.characters(), max_size=60))
def test_printing_twice_changes_nothing_more(text: str) -> None:
    assert printable(printable(text)) == printable(text)


@given(st.text(st.characters(), max_size=60))
def test_what_comes_out_can_be_encoded(text: str) -> None:
    assert printable(text).encode().decode() == printable(text)
