"""Keys of one's own: the table in print, what collides or cannot work, changing them by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import called
from support.stage import (
    WIDE,
    an_app,
    answers_on_disk,
    app_of,
    interviewing,
    opens,
    sees,
    type_in,
    until,
)
from support.tables import table
from textual.pilot import Pilot

import tui
from interviewer.settings import load_settings
from tui.actions import ACTIONS, BY_ID
from tui.interview.widgets import EditorBar
from tui.messages import Go
from tui.remapping import conflicts, problems, swapped, trouble
from tui.screens.keys import Clash, KeysScreen, PressedKeys
from tui.screens.settings import SettingsScreen
from tui.widgets.pages import ViList

CASES = table("remapping", __file__)


def test_the_table_itself_has_no_problem() -> None:
    assert problems({action.id: action.keys for action in ACTIONS}) == []


@pytest.mark.parametrize(("action", "keys", "told"), CASES["keys_that_cannot_work_are_told"])
def test_keys_that_cannot_work_are_told(action: str, keys: str, told: str) -> None:
    why = trouble(BY_ID[action], keys)
    assert told in why
    assert bool(told) == bool(why)


@pytest.mark.parametrize(("keys", "mine", "new"), CASES["after_a_swap_nothing_collides"])
def test_after_a_swap_nothing_collides(keys: dict[str, str], mine: str, new: str) -> None:
    changes = swapped(keys, mine, new)
    assert changes[mine] == new
    assert conflicts({**keys, mine: new})
    left = [clash for clash in conflicts({**keys, **changes}) if clash.key in new.split(",")]
    assert left == [] or all(clash.other.id not in changes for clash in left)


FILE = Path(tui.__file__).parent / "KEYS.md"


def test_the_file_is_the_table() -> None:
    assert called("keys", "--defaults", "--markdown").stdout == FILE.read_text(encoding="utf-8")


def test_every_action_is_listed_as_configured() -> None:
    mine = load_settings().config_folder / "config.toml"
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text('[keys]\n"interview.hint" = "?,ctrl+s"\n"interview.hnit" = "f12"\n')
    result = called("keys", "--json")
    rows = {row["id"]: row for row in json.loads(result.stdout)}
    assert list(rows) == [action.id for action in ACTIONS]
    assert all(row["does"] and row["where"] and row["keys"] for row in rows.values())
    assert rows["interview.hint"]["keys"] == ["question_mark", "ctrl+s"]
    assert [id_ for id_, row in rows.items() if row["changed"]] == ["interview.hint"]
    for words in ("'interview.send' has it too", "is typed as text", "did you mean"):
        assert words in result.stderr
    table = called("keys").stdout.splitlines()
    assert table[0].split() == ["ID", "KEYS", "WHAT", "THEY", "DO"]
    assert [line for line in table if " * " in line] == [
        line for line in table if line.startswith("interview.hint ")
    ]


async def at_keys(pilot: Pilot[None]) -> KeysScreen:
    app_of(pilot).post_message(Go("keys"))
    await opens(pilot, KeysScreen)
    await until(pilot, lambda: isinstance(pilot.app.focused, ViList))
    screen = pilot.app.screen
    assert isinstance(screen, KeysScreen)
    return screen


async def choose(pilot: Pilot[None], action: str) -> None:
    """Put the cursor on an action."""
    listed = pilot.app.screen.query_one("#actions", ViList)
    listed.highlighted = listed.get_option_index(action)
    await sees(pilot, action)


async def press_new(pilot: Pilot[None], action: str, *keys: str) -> None:
    await choose(pilot, action)
    await pilot.press("enter")
    await opens(pilot, PressedKeys)
    await pilot.press(*keys)


def saved() -> dict[str, str]:
    return dict(load_settings().keys)


async def test_a_pressed_key_works_at_once_and_is_saved() -> None:
    async with interviewing() as pilot:
        await pilot.press("f10")
        await opens(pilot, SettingsScreen)
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(pilot.app.focused, ViList))
        await press_new(pilot, "interview.send", "f12", "enter")
        await until(pilot, lambda: saved() == {"interview.send": "f12"})
        await sees(pilot, "* F12")
        await pilot.press("escape")
        await sees(pilot, "1 changed")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.query(EditorBar))
        await sees(pilot, "F12 sends")
        await type_in(pilot, "alpha")
        await pilot.press("f12")
        await until(pilot, lambda: answers_on_disk(pilot) == ["alpha"])


async def test_several_keys_one_more_and_back_to_the_default() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await at_keys(pilot)
        await press_new(pilot, "home.new", "f12", "escape")
        await opens(pilot, KeysScreen)
        assert saved() == {}
        await press_new(pilot, "home.new", "enter", "f12", "enter")
        await opens(pilot, Clash)
        await sees(pilot, "list.select")
        await pilot.press("b")
        await until(pilot, lambda: saved() == {"home.new": "enter,f12"})
        await choose(pilot, "home.bench")
        await pilot.press("a")
        await opens(pilot, PressedKeys)
        await pilot.press("z", "enter")
        await until(pilot, lambda: saved()["home.bench"] == "b,z")
        await pilot.press("backspace")
        await until(pilot, lambda: saved() == {"home.new": "enter,f12"})
        assert "b" not in app_of(pilot).settings.keys.values()


async def test_even_the_keys_of_the_app_can_be_pressed() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await at_keys(pilot)
        await press_new(pilot, "sessions.delete", "ctrl+p", "ctrl+q", "tab")
        await sees(pilot, "ctrl+i is the same key as tab")
        await sees(pilot, "^p is taken: Palette (Everywhere, app.command_palette)")
        assert pilot.app.is_running


@pytest.mark.parametrize(
    ("answer", "keys"),
    [
        ("s", {"home.new": "s", "home.sessions": "n"}),
        ("b", {"home.new": "s"}),
        ("enter", {}),
    ],
)
async def test_a_taken_key_is_told_by_name_with_a_choice(answer: str, keys: dict[str, str]) -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await at_keys(pilot)
        await press_new(pilot, "home.new", "s")
        await sees(pilot, "s is taken: Sessions (Home, home.sessions)")
        await pilot.press("enter")
        await opens(pilot, Clash)
        await pilot.press(answer)
        await opens(pilot, KeysScreen)
        await until(pilot, lambda: saved() == keys)
