"""Help: exactly what keys do here, as configured, and nothing else."""

from __future__ import annotations

import re

import pytest
from support.scenes import SCENES, Scene
from support.stage import (
    NARROW,
    WIDE,
    an_app,
    editor,
    in_interview,
    lines_with,
    shown,
    type_in,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Static

from tui.actions import BY_ID
from tui.remapping import character_of
from tui.screens.help import HelpScreen

DIALOGUES = ("palette", "new-key", "jump")
SCREENS = [each for each in SCENES if each.name not in DIALOGUES and "help" not in each.name]


async def at_help(pilot: Pilot[None], key: str = "f1") -> HelpScreen:
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
    screen = pilot.app.screen
    assert isinstance(screen, HelpScreen)
    return screen


def listed(pilot: Pilot[None]) -> list[str]:
    """The sentences of the open help, in order; "(not now)" left out."""
    found = []
    for static in pilot.app.screen.query(Static):
        table = static.content
        if columns := getattr(table, "columns", None):
            found += [str(cell).removesuffix(" (not now)") for cell in columns[1].cells]
    return found


def expected(pilot: Pilot[None]) -> list[str]:
    """What the keys of the screen do now, sorted."""
    screen, app = pilot.app.screen, pilot.app
    active = screen.active_bindings.items()
    takes = screen.focused.check_consume_key if screen.focused else lambda *_: False
    ids = {each.binding.id for key, each in active if not takes(key, character_of(key))}
    assert app.is_running
    return sorted(BY_ID[each].does for each in ids if each in BY_ID)


@pytest.mark.parametrize("scene", SCREENS, ids=lambda scene: scene.name)
async def test_every_screen_lists_exactly_its_actions_and_its_purpose(scene: Scene) -> None:
    async with scene.app().run_test(size=WIDE) as pilot:
        await scene.play(pilot)
        below, wanted = pilot.app.screen, expected(pilot)
        await at_help(pilot)
        assert sorted(listed(pilot)) == wanted
        assert len(wanted) > 3
        assert below.HELP
        assert lines_with(pilot, below.HELP.split(".")[0][:40])
        assert "focus next" not in shown(pilot).lower()


@pytest.mark.parametrize("size", [NARROW, WIDE])
@pytest.mark.parametrize("closing", ["f1", "question_mark", "escape", "q"])
async def test_it_opens_and_closes_and_scrolls(size: tuple[int, int], closing: str) -> None:
    async with an_app().run_test(size=size) as pilot:
        focused = pilot.app.focused
        await at_help(pilot, "question_mark")
        await until(pilot, lambda: lines_with(pilot, "Choose a plan and start"))
        await pilot.press("G")
        await until(pilot, lambda: lines_with(pilot, "Save what you typed and quit"))
        await pilot.press(closing)
        await until(pilot, lambda: not isinstance(pilot.app.screen, HelpScreen))
        assert pilot.app.focused is focused


async def test_it_shows_keys_as_configured_and_closes_with_them() -> None:
    keys = {"app.toggle_help": "f12", "home.new": "z"}
    async with an_app(keys=keys).run_test(size=WIDE) as pilot:
        await at_help(pilot, "f12")
        await until(pilot, lambda: re.search(r"▌ +z +Choose a plan", shown(pilot)))
        await pilot.press("f12")
        await until(pilot, lambda: not isinstance(pilot.app.screen, HelpScreen))


async def test_the_editor_keeps_its_question_mark_its_text_and_the_focus() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        await type_in(pilot, "why")
        await pilot.press("question_mark")
        await until(pilot, lambda: editor(pilot).text == "why?")
        await at_help(pilot)
        await until(pilot, lambda: lines_with(pilot, "Send your answer"))
        assert not lines_with(pilot, "F1 ?")
        await type_in(pilot, "xyz")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused is editor(pilot))
        await type_in(pilot, " now")
        await until(pilot, lambda: editor(pilot).text == "why? now")
