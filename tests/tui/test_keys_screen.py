"""Keys are changed by pressing them: at once, saved, with conflicts and impossible keys told."""

from __future__ import annotations

import pytest
from support.stage import (
    NARROW,
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
from textual.pilot import Pilot
from textual.widgets import Input

from interviewer.settings import load_settings
from tui.interview.widgets import EditorBar
from tui.messages import Go
from tui.screens.keys import Clash, KeysScreen, PressedKeys
from tui.screens.settings import SettingsScreen
from tui.widgets.pages import ViList


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


async def test_a_letter_cannot_send_an_answer() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await at_keys(pilot)
        await press_new(pilot, "interview.send", "x", "enter")
        await sees(pilot, "X is typed as text")
        assert saved() == {}
        await pilot.press("f12", "enter")
        await until(pilot, lambda: saved() == {"interview.send": "f12"})


async def test_actions_are_found_by_what_they_do_and_by_key() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        screen = await at_keys(pilot)
        listed = screen.query_one("#actions", ViList)
        await pilot.press("slash")
        await type_in(pilot, "next hint")
        await until(
            pilot,
            lambda: {o.id for o in listed.options if o.id} == {"practice.hint", "interview.hint"},
        )
        screen.query_one(Input).value = "f9"
        await until(pilot, lambda: [o.id for o in listed.options if o.id] == ["interview.bench"])
        await pilot.press("enter", "enter")
        await opens(pilot, PressedKeys)
