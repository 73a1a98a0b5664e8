"""How the main screens look, one picture each; behaviour is tested elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.contrast import faint
from support.scenes import BY_NAME, SCENES, Scene
from support.scenes import SIZES as SCENE_SIZES
from support.stage import (
    NARROW,
    WIDE,
    Script,
    an_app,
    answer,
    editor,
    in_interview,
    lines_with,
    my_turn,
    still,
    until,
)
from textual.pilot import Pilot

from interviewer.content.kinds import RUBRICS
from interviewer.rubric.library import Library
from tui.engine import Engine
from tui.theme import PALETTES

SnapCompare = Callable[..., bool]
OUR_SCENES = (
    "home-empty",
    "home",
    "setup",
    "settings",
    "keys",
    "doctor",
    "browser",
    "browser-filtered",
    "browser-answers",
    "debrief",
    "debrief-questions",
    "debrief-study",
    "debrief-numbers",
)
OURS = [BY_NAME[name] for name in OUR_SCENES]
SIZES = pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setattr(Engine, "library", lambda engine: Library(RUBRICS, {}))


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", SCENE_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", OURS, ids=lambda scene: scene.name)
def test_scene(snap_compare: SnapCompare, scene: Scene, size: tuple[int, int], theme: str) -> None:
    assert snap_compare(scene.app(theme), terminal_size=size, run_before=scene.play)


OPEN = [scene for scene in SCENES if scene.name not in ("palette", "new-key")]
"""Without those in which a dialogue fades what is behind it."""


@pytest.mark.parametrize("scene", OPEN, ids=lambda scene: scene.name)
async def test_all_words_are_legible_in_every_theme(scene: Scene) -> None:
    async with scene.app().run_test(size=(100, 30)) as pilot:
        await scene.play(pilot)
        for palette in PALETTES:
            pilot.app.theme = palette.name
            await pilot.pause(0.2)
            assert not faint(pilot), palette.name


@SIZES
def test_interview(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    async def settle(pilot: Pilot[None]) -> None:
        await in_interview(pilot)
        await answer(pilot, "Well, alpha decides it.")
        await my_turn(pilot)
        await pilot.press("ctrl+t")
        await until(pilot, lambda: lines_with(pilot, "hint: 75%"))
        await my_turn(pilot)
        editor(pilot).fill("And beta adds to it,\nas far as I know.")
        await until(pilot, lambda: lines_with(pilot, "saved"))
        await still(pilot)

    app = an_app(Script(clock=lambda: 0.0))
    assert snap_compare(app, terminal_size=size, run_before=settle)
