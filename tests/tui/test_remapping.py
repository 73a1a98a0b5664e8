"""Which keys collide, and which could never work."""

from __future__ import annotations

import pytest

from tui.actions import ACTIONS, BY_ID
from tui.remapping import conflicts, problems, swapped, trouble


def test_the_table_itself_has_no_problem() -> None:
    assert problems({action.id: action.keys for action in ACTIONS}) == []


@pytest.mark.parametrize(
    ("action", "keys", "told"),
    [
        ("interview.send", "ctrl+i", "send ctrl+i as tab"),
        ("interview.send", "ctrl+m", "send ctrl+m as enter"),
        ("home.new", "ctrl+h", "send ctrl+h as backspace"),
        ("interview.send", "ctrl+enter", "Kitty keyboard protocol"),
        ("interview.send", "ctrl+enter,f12", ""),
        ("interview.send", "ctrl+shift+s", "Kitty keyboard protocol"),
        ("interview.send", "?", "typed as text"),
        ("answer.newline", "x", "typed as text"),
        ("home.new", "x", ""),
        ("home.new", "slash", ""),
        ("home.new", "no_such_key", "there is no key 'no_such_key'"),
        ("home.new", "alt+n", ""),
        ("home.new", "f12, G", ""),
    ],
)
def test_keys_that_cannot_work_are_told(action: str, keys: str, told: str) -> None:
    why = trouble(BY_ID[action], keys)
    assert told in why
    assert bool(told) == bool(why)


@pytest.mark.parametrize(
    ("keys", "mine", "new"),
    [
        ({}, "home.new", "s"),
        ({}, "interview.hint", "ctrl+s"),
        ({"interview.hint": "f12"}, "interview.send", "f12"),
        ({}, "home.new", "s,b"),
    ],
)
def test_after_a_swap_nothing_collides(keys: dict[str, str], mine: str, new: str) -> None:
    changes = swapped(keys, mine, new)
    assert changes[mine] == new
    assert conflicts({**keys, mine: new})
    left = [clash for clash in conflicts({**keys, **changes}) if clash.key in new.split(",")]
    assert left == [] or all(clash.other.id not in changes for clash in left)
