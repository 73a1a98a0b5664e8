"""How the main screens look, one picture each; behaviour is tested elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.scenes import BY_NAME, Scene
from support.stage import (
    NARROW,
    Script,
    an_app,
    answer,
    editor,
    in_interview,
    my_turn,
    sees,
    still,
)
from textual.pilot import Pilot

from interviewer.content.kinds import RUBRICS
from interviewer.rubric.library import Library
from tui.engine import Engine

SnapCompare = Callable[..., bool]
OUR_SCENES = (
    "home-empty",
    "home",
    "setup",
    "settings",
    "browser",
    "browser-filtered",
    "browser-answers",
    "debrief",
    "debrief-questions",
    "debrief-study",
    "debrief-numbers",
)
OURS = [BY_NAME[name] for name in OUR_SCENES]
SIZE = (120, 36)


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setattr(Engine, "library", lambda engine: Library(RUBRICS, {}))


@pytest.mark.parametrize("scene", OURS, ids=lambda scene: f"{scene.name}-120x36-dark")
def test_scene(snap_compare: SnapCompare, scene: Scene) -> None:
    assert snap_compare(scene.app("dark"), terminal_size=SIZE, run_before=scene.play)


@pytest.mark.parametrize(
    "scene", [BY_NAME["sessions-search"]], ids=lambda s: f"{s.name}-200x50-dark"
)
def test_wide_scene(snap_compare: SnapCompare, scene: Scene) -> None:
    assert snap_compare(scene.app("dark"), terminal_size=(200, 50), run_before=scene.play)


def test_interview(snap_compare: SnapCompare) -> None:
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
