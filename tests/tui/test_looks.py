"""What holds on every screen: its picture, help, keys that are active together, legible words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_textual_snapshot import SVGImageExtension
from support.contrast import faint
from support.helped import at_help, expected, listed
from support.scenes import BY_NAME, SCENES, Scene
from support.stage import (
    NARROW,
    Script,
    an_app,
    answer,
    editor,
    in_interview,
    lines_with,
    my_turn,
    sees,
    shown,
    still,
    until,
)
from syrupy import SnapshotAssertion
from textual.pilot import Pilot
from textual.screen import ModalScreen

from interviewer.content.kinds import RUBRICS
from interviewer.rubric.library import Library
from tui.actions import ACTIONS, meet
from tui.engine import Engine
from tui.theme import PALETTES

SIZE = (120, 36)
WITHOUT_A_PICTURE = ("help", "palette", "sessions", "sessions-search", "bench", "interview")
WITHOUT_A_PICTURE += ("help-interview", "transcript")


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setattr(Engine, "library", lambda engine: Library(RUBRICS, {}))


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
    """In two themes; ``test_theme.py`` compares the colours of them all."""
    for palette in PALETTES[:2]:
        pilot.app.theme = palette.name
        await pilot.pause(0.2)
        assert not faint(pilot), palette.name


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: f"{scene.name}-120x36-dark")
async def test_scene(
    scene: Scene, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "change", lambda *_: None)  # themes are only looked at
    async with scene.app("dark").run_test(size=SIZE) as pilot:
        await scene.play(pilot)
        if scene.name not in WITHOUT_A_PICTURE:
            await still(pilot)
            picture = pilot.app.export_screenshot(simplify=True)
            assert picture == snapshot.use_extension(SVGImageExtension)
        if not isinstance(pilot.app.screen, ModalScreen):
            await the_help_is_of_this_screen(pilot)
        actions_active_together_are_known_to_be(pilot)
        if scene.name != "palette":  # it fades what is behind it
            await all_words_are_legible(pilot)


@pytest.mark.parametrize(
    "scene", [BY_NAME["sessions-search"]], ids=lambda s: f"{s.name}-200x50-dark"
)
def test_wide_scene(snap_compare: Callable[..., bool], scene: Scene) -> None:
    assert snap_compare(scene.app("dark"), terminal_size=(200, 50), run_before=scene.play)


def test_interview(snap_compare: Callable[..., bool]) -> None:
    async def settle(pilot: Pilot[None]) -> None:
        await in_interview(pilot)
        await answer(pilot, "Well, alpha decides it.")
        await my_turn(pilot)
        await pilot.press("ctrl+t")
        await sees(pilot, "hint: 75%")
        await my_turn(pilot)
        editor(pilot).fill("And beta adds to it,\nas far as I know.")
        await sees(pilot, "saved")
        await still(pilot)

    app = an_app(Script(clock=lambda: 0.0))
    assert snap_compare(app, terminal_size=NARROW, run_before=settle)
