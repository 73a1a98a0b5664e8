"""The table of actions: keys, footer, palette and remapping all follow it."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

from support.stage import (
    NARROW,
    an_app,
    answers_on_disk,
    app_of,
    editor,
    in_interview,
    opens,
    sees,
    type_in,
    until,
)
from textual.binding import Binding
from textual.command import CommandPalette
from textual.dom import DOMNode
from textual.pilot import Pilot

from interviewer.settings import load_settings
from tui import app
from tui.actions import ACTIONS, BY_ID
from tui.screens.sessions import SessionsScreen
from tui.screens.settings import SettingsScreen
from tui.widgets.dialogs import Confirm


def our_widgets() -> list[type[DOMNode]]:
    for module in pkgutil.walk_packages([str(Path(app.__file__).parent)], "tui."):
        importlib.import_module(module.name)
    found: list[type[DOMNode]] = []
    waiting: list[type[DOMNode]] = [DOMNode]
    while waiting:
        below = waiting.pop().__subclasses__()
        found += [each for each in below if each.__module__.startswith("tui.")]
        waiting += below
    return found


def test_every_binding_has_an_id_of_its_own_from_the_table() -> None:
    assert len(BY_ID) == len(ACTIONS)
    bound = {
        binding.id
        for widget in our_widgets()
        for binding in widget.__dict__.get("BINDINGS", ())
        if isinstance(binding, Binding)
    }
    assert bound == set(BY_ID)


def test_what_is_undone_can_be_redone_everywhere() -> None:
    assert not {"ctrl+z", "ctrl+y"} & {key for each in ACTIONS for key in each.keys.split(",")}


async def test_keys_can_be_remapped() -> None:
    app = an_app(keys={"interview.send": "f12, ctrl+r"})
    async with app.run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        await sees(pilot, "F12")
        await type_in(pilot, "alpha")
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert answers_on_disk(pilot) == []
        await pilot.press("f12")
        await until(pilot, lambda: answers_on_disk(pilot) == ["alpha"])


async def test_an_unknown_id_is_told_with_the_nearest_one_and_an_unknown_theme() -> None:
    app = an_app(keys={"interview.sned": "f9"}, theme="no-[b]such")
    async with app.run_test(notifications=True) as pilot:
        await sees(pilot, "interview.send")
        await sees(pilot, "no-[b]such")


async def find(pilot: Pilot[None], words: str, told: str) -> None:
    """Search in the palette, wait for a line, and choose the first hit."""
    await pilot.press("ctrl+p")
    await opens(pilot, CommandPalette)
    await type_in(pilot, words)
    await sees(pilot, told)
    await pilot.press("enter")
    await until(pilot, lambda: not isinstance(pilot.app.screen, CommandPalette))


async def test_the_palette_finds_themes_and_screens() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await pilot.press("ctrl+p")
        await opens(pilot, CommandPalette)
        await type_in(pilot, "theme")
        await sees(pilot, "Change the colours")
        await pilot.press("enter")
        await sees(pilot, "Search for themes")
        await type_in(pilot, "dark-colour")
        await sees(pilot, "dark-colour-blind")
        await pilot.press("enter")
        await until(pilot, lambda: load_settings().theme == "dark-colour-blind")
        await find(pilot, "settings", "Endpoint, theme and clock")
        await opens(pilot, SettingsScreen)
        await find(pilot, "sessions", "Past interviews")
        await opens(pilot, SessionsScreen)


async def test_in_an_interview_the_palette_leads_nowhere_else() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        await type_in(pilot, "half a word")
        await find(pilot, "skip", "Skip this question")
        await opens(pilot, Confirm)
        await pilot.press("escape")
        await until(pilot, lambda: editor(pilot).text == "half a word")
        offered = {each.title for each in app_of(pilot).get_system_commands(pilot.app.screen)}
        assert {"Theme", "Skip"} <= offered
        assert not {"Sessions", "Questions", "New mock"} & offered
