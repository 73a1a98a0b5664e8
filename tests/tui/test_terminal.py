"""What the keyboard sends, byte by byte."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from tui.terminal import PASTE_BEGINS, PASTE_ENDS, CarefulParser


def parsed(chunks: Sequence[str]) -> list[str]:
    """The keys by name and the pastes by text, in order."""
    parser = CarefulParser()
    found = []
    for event in [event for chunk in chunks for event in parser.feed(chunk)]:
        if isinstance(event, events.Key):
            found.append(event.key)
        elif isinstance(event, events.Paste):
            found.append(f"paste {event.text}")
    return found


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        ("\x1b\r", "alt+enter"),
        ("\x1b[13;3u", "alt+enter"),
        ("\r", "enter"),
        ("\n", "ctrl+j"),
        ("\x1b[13;2u", "shift+enter"),
        ("\x13", "ctrl+s"),
        ("\x1bOQ", "f2"),
        ("\x1b[19~", "f8"),
    ],
)
def test_keys_are_what_the_terminal_means(sent: str, key: str) -> None:
    assert parsed([sent]) == [key]


def test_a_paste_is_one_event_whatever_is_in_it() -> None:
    text = "red \x1b[31m line\rnext \x13 \x1b\r end \x1b"
    paste = f"paste {text}".replace("\x1b", "␛")
    assert parsed([f"a{PASTE_BEGINS}{text}{PASTE_ENDS}b"]) == ["a", paste, "b"]


def test_a_paste_may_come_character_by_character() -> None:
    assert parsed(f"a{PASTE_BEGINS}b\r\x1b\x13{PASTE_ENDS}c") == ["a", "paste b\r␛\x13", "c"]


@given(
    text=st.text(alphabet="a\r\x1b[2013;~\x13", min_size=1, max_size=40).filter(
        lambda text: PASTE_ENDS not in text
    ),
    cuts=st.lists(st.integers(0, 60), max_size=5),
)
def test_reads_that_split_a_paste_change_nothing(text: str, cuts: list[int]) -> None:
    whole = f"{PASTE_BEGINS}{text}{PASTE_ENDS}"
    places = [0, *sorted(min(cut, len(whole)) for cut in cuts), len(whole)]
    chunks = [whole[a:b] for a, b in itertools.pairwise(places) if a < b]
    pasted = text.replace("\x1b", "␛")
    assert parsed(chunks) == [f"paste {pasted}"]
