"""What holds on every screen: help, keys that are active together, legible words."""

from __future__ import annotations

import pytest
from support.contrast import faint
from support.helped import at_help, expected, listed
from support.scenes import SCENES, Scene
from support.stage import WIDE, lines_with, shown, until
from textual.pilot import Pilot
from textual.screen import ModalScreen

from tui.actions import ACTIONS
from tui.engine import Engine
from tui.remapping import meet
from tui.theme import PALETTES


async def the_help_is_of_this_screen(pilot: Pilot[None]) -> None:
    below, wanted = pilot.app.screen, expected(pilot)
    await at_help(pilot)
    assert listed(pilot) == wanted
    assert len(wanted) > 3
    assert below.HELP
    await until(pilot, lambda: lines_with(pilot, (below.HELP or "").split(".")[0][:40]))
    assert "focus next" not in shown(pilot).lower()
    await pilot.press("f1")
    await until(pilot, lambda: pilot.app.screen is below)


def actions_active_together_are_known_to_be(pilot: Pilot[None]) -> None:
    screen, focused = pilot.app.screen, pilot.app.focused
    for stop in [*screen.focus_chain, None]:
        screen.set_focus(stop)
        ids = {each.binding.id for each in screen.active_bindings.values()}
        active = [action for action in ACTIONS if action.id in ids]
        apart = [(a.id, b.id) for a in active for b in active if a != b and not meet(a, b)]
        assert not apart
    screen.set_focus(focused)


async def all_words_are_legible(pilot: Pilot[None]) -> None:
    for palette in PALETTES:
        pilot.app.theme = palette.name
        await pilot.pause(0.2)
        assert not faint(pilot), palette.name


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_scene(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "change", lambda *_: None)  # themes are only looked at
    async with scene.app().run_test(size=WIDE) as pilot:
        await scene.play(pilot)
        if not isinstance(pilot.app.screen, ModalScreen):
            await the_help_is_of_this_screen(pilot)
        actions_active_together_are_known_to_be(pilot)
        if scene.name != "palette":  # it fades what is behind it
            await all_words_are_legible(pilot)
