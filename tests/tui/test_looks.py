"""How the main screens look, one picture each; behaviour is tested elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.stage import FULL, NARROW, SESSION, WIDE, Script, an_app, engine_of, my_turn, until
from textual.pilot import Pilot

from interviewer.interview import commands as do
from interviewer.rubric.library import Library
from tui import messages
from tui.engine import Engine

SnapCompare = Callable[..., bool]
SIZES = pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setattr(Engine, "library", lambda engine: Library({}))


@SIZES
def test_home(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    async def settle(pilot: Pilot[None]) -> None:
        menu: Any = pilot.app.screen.query_one("#menu")
        await until(pilot, lambda: "0 shipped" in str([o.prompt for o in menu.options]))

    assert snap_compare(an_app(), terminal_size=size, run_before=settle)


@SIZES
def test_interview(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    async def settle(pilot: Pilot[None]) -> None:
        await engine_of(pilot).hold(do.Answer("Well, alpha decides it."), do.AskHint())
        pilot.app.post_message(messages.ResumeSession(SESSION))
        screen = await my_turn(pilot)
        screen.query_one("#answer").fill("And beta adds to it,\nas far as I know.")  # type: ignore[attr-defined]
        await until(pilot, lambda: "saved" in str(screen.query_one("#count").render()))

    app = an_app(Script(clock=lambda: 0.0))
    assert snap_compare(app, terminal_size=size, run_before=settle)


@SIZES
def test_debrief(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    async def settle(pilot: Pilot[None]) -> None:
        await engine_of(pilot).hold(
            do.Answer("Well, alpha decides it."), do.AskHint(), do.Answer(FULL), do.EndInterview()
        )
        pilot.app.post_message(messages.ReadDebrief(SESSION))
        await until(pilot, lambda: pilot.app.screen.query("QuestionCard"))
        await until(pilot, lambda: pilot.app.focused)
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.query("Reference"))

    assert snap_compare(an_app(), terminal_size=size, run_before=settle)
