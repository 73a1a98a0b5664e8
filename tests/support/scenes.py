"""Every screen in a state worth looking at, for pictures, snapshots and checks of legibility."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Static

from interviewer.content.kinds import RUBRICS as KIND
from interviewer.rubric.library import Library
from interviewer.settings import load_settings
from support.databases import practised
from support.lived_in import FINISHED, RUBRICS, practise
from support.rubrics import library_of
from support.stage import (
    NOW,
    Script,
    an_app,
    answer,
    app_of,
    in_interview,
    lines_with,
    my_turn,
    still,
    until,
)
from tui import messages
from tui.app import InterviewerApp
from tui.engine import Engine
from tui.widgets.pages import ViList

CONFIG = Path("/home/you/.config/mock-interviewer")
SIZES = ((80, 24), (120, 36), (200, 60))


@dataclass(frozen=True)
class Scene:
    """A screen: how to reach it from home, and whether there are past sessions."""

    name: str
    reach: Callable[[Pilot[None]], Awaitable[None]]
    lived_in: bool = True
    script: Script = field(default_factory=lambda: Script(clock=lambda: 0.0))

    def app(self, theme: str | None = None) -> InterviewerApp:
        database = load_settings().database
        if self.lived_in:
            database.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(practised(practise), database)
        app = an_app(self.script, theme=theme, config_folder=CONFIG)
        engine = app.bridge.engine
        further = engine.further_plans
        engine.further_plans = lambda now: further(NOW)  # type: ignore[method-assign]
        library = library_of(*RUBRICS) if self.lived_in else Library(KIND, {})
        engine.library = lambda: library  # type: ignore[method-assign]
        return app

    def real_app(self) -> InterviewerApp:
        """The same with interviews as they are chosen, by the offline examiner."""
        app = self.app()
        engine = app.bridge.engine
        engine.begin = partial(Engine.begin, engine)  # type: ignore[method-assign]
        return app

    async def play(self, pilot: Pilot[None]) -> None:
        await self.reach(pilot)
        await still(pilot)


async def home(pilot: Pilot[None]) -> None:
    """Home with its figures, which decide what keys do there."""

    def has_figures() -> bool:
        screen = app_of(pilot).screen
        return bool(lines_with(pilot, "0 yours") and screen.check_action("weak", ()))

    await until(pilot, lambda: has_figures() or lines_with(pilot, "Look at a finished one"))


def opened(key: str, words: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def reach(pilot: Pilot[None]) -> None:
        await home(pilot)
        await pilot.press(key)
        await until(pilot, lambda: lines_with(pilot, words))

    return reach


async def new_mock(pilot: Pilot[None]) -> None:
    """With all that is offered; the last of it is out of sight on a small screen."""
    await opened("n", "New mock")(pilot)
    await until(pilot, lambda: _offers(pilot, "topic:"))
    await still(pilot)


async def settings(pilot: Pilot[None]) -> None:
    """With what mocks cost, which follows from the plans and may be out of sight."""
    await opened("comma", "Looks and keys")(pilot)
    cost = pilot.app.screen.query_one("#cost", Static)
    await until(pilot, lambda: "tokens" in str(cost.content))
    await still(pilot)


def _offers(pilot: Pilot[None], choice: str) -> bool:
    listed = pilot.app.screen.query_one("#plans", ViList)
    return any((option.id or "").startswith(choice) for option in listed.options)


def browser(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def reach(pilot: Pilot[None]) -> None:
        await opened("u", "last 3, best 3")(pilot)
        await pilot.press(*keys)
        await still(pilot)

    return reach


async def interview(pilot: Pilot[None]) -> None:
    await in_interview(pilot)
    await answer(pilot, "Well, alpha decides it.")
    await my_turn(pilot)


async def help_in_interview(pilot: Pilot[None]) -> None:
    await interview(pilot)
    await pilot.press("f1")
    await until(pilot, lambda: lines_with(pilot, "Send your answer"))


async def transcript(pilot: Pilot[None]) -> None:
    app_of(pilot).post_message(messages.Go("transcript", (FINISHED,)))
    await until(pilot, lambda: lines_with(pilot, "● met"))


def debrief(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def reach(pilot: Pilot[None]) -> None:
        app_of(pilot).post_message(messages.Go("debrief", (FINISHED,)))
        await until(pilot, lambda: lines_with(pilot, "Frontier loop") and pilot.app.focused)
        await still(pilot)
        await pilot.press(*keys)

    return reach


async def palette(pilot: Pilot[None]) -> None:
    await home(pilot)
    await pilot.press("ctrl+p")
    await until(pilot, lambda: lines_with(pilot, "Choose a plan and start"))


async def searched(pilot: Pilot[None]) -> None:
    """With what was said and what is to be done beside the list."""
    await opened("s", "Frontier loop")(pilot)
    await pilot.press("slash", *"states")
    await until(pilot, lambda: lines_with(pilot, "Do next"))
    await pilot.press("down")  # a cursor in the search would blink


SCENES = (
    Scene("home-empty", home, lived_in=False),
    Scene("home", home),
    Scene("help", opened("question_mark", "Choose a plan and start")),
    Scene("palette", palette),
    Scene("setup", new_mock),
    Scene("settings", settings),
    Scene("sessions", opened("s", "Frontier loop")),
    Scene("sessions-search", searched),
    Scene("browser", browser()),
    Scene("browser-filtered", browser("4", "slash", *"loss", "down", "m")),
    Scene("browser-answers", browser("j", "a")),
    Scene("bench", opened("b", "Bench · derivations")),
    Scene("interview", interview),
    Scene("help-interview", help_in_interview),
    Scene("transcript", transcript),
    Scene("debrief", debrief()),
    Scene("debrief-questions", debrief("c")),
    Scene("debrief-study", debrief("3")),
    Scene("debrief-numbers", debrief("4")),
)
BY_NAME = {scene.name: scene for scene in SCENES}
