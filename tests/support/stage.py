"""The app over a real database and a scripted examiner, and ways to look at its screens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from textual import events
from textual.pilot import Pilot
from textual.screen import Screen

from interviewer.examiner.protocol import Examiner
from interviewer.interview.commands import Command
from interviewer.interview.events import Mode
from interviewer.interview.interview import Interview
from interviewer.rubric.rubric import Rubric
from interviewer.settings import Settings, load_settings
from support.databases import NOW
from support.examiners import ScriptedExaminer
from support.rubrics import ONE, TWO
from support.sessions import begin, hold, outline, reopen
from tui import messages
from tui.app import InterviewerApp
from tui.engine import Engine
from tui.interview.presenter import TurnOwner
from tui.interview.screen import InterviewScreen
from tui.interview.widgets import AnswerEditor
from tui.messages import Choice

NARROW, WIDE = (80, 24), (200, 60)
SESSION = "5e55107700"


@dataclass
class Script:
    """What the next interview is like."""

    examiner: Examiner = field(default_factory=ScriptedExaminer)
    rubrics: Sequence[Rubric] = (ONE, TWO)
    mode: Mode = "exam"
    seconds: int = 600
    clock: Callable[[], float] | None = None


class ScriptedEngine(Engine):
    """The real engine, except that interviews follow a script."""

    def __init__(self, settings: Settings, script: Script | None = None) -> None:
        super().__init__(settings)
        self.script = script or Script()
        self.interviews: list[Interview] = []
        self.resumed_with: list[str | None] = []

    def begin(self, choice: Choice | None = None) -> Interview:
        script = self.script
        rubrics = {rubric.id: rubric for rubric in script.rubrics}
        rounds = [outline(rubric, seconds=script.seconds) for rubric in script.rubrics]
        return self._keep(
            begin(
                self.store,
                rounds,
                rubrics,
                script.examiner,
                mode=script.mode,
                now=script.clock,
                session=SESSION,
                **self.further(),
            )
        )

    def further(self) -> dict[str, Any]:
        """What interviews begin with besides."""
        return {}

    def resume(
        self, session_id: str, examiner: str | None = None, *, take_over: bool = False
    ) -> Interview:
        self.resumed_with.append(examiner)
        return self._keep(reopen(self.store, session_id, self.script.examiner))

    def _keep(self, interview: Interview) -> Interview:
        self.interviews.append(interview)
        return interview

    async def hold(self, *replies: Command) -> None:
        await hold(self.begin(), replies)


def an_app(script: Script | None = None, **settings: Any) -> InterviewerApp:
    chosen = replace(load_settings(), **settings)
    return InterviewerApp(chosen, engine=ScriptedEngine(chosen, script), now=lambda: NOW)


def app_of(pilot: Pilot[None]) -> InterviewerApp:
    assert isinstance(pilot.app, InterviewerApp)
    return pilot.app


def engine_of(pilot: Pilot[None]) -> ScriptedEngine:
    engine = app_of(pilot).bridge.engine
    assert isinstance(engine, ScriptedEngine)
    return engine


LOOKS, SOON = 1500, 10
"""How often a condition is looked at; counted, since a busy machine may stop all for seconds. After
the first looks there is more time between them: to look at a screen is to draw it."""


async def until(pilot: Pilot[None], holds: Callable[[], object]) -> None:
    """Wait for a condition; fails with what is on the screen."""
    for look in range(LOOKS):
        if holds():
            return
        await pilot.pause(0.01 if look < SOON else 0.04)
    raise AssertionError("it never came about; the screen shows:\n" + shown(pilot))


async def sees(pilot: Pilot[None], words: str) -> None:
    await until(pilot, lambda: words in shown(pilot))


async def opens(pilot: Pilot[None], screen: type[Screen[Any]]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, screen))


def shown(pilot: Pilot[None]) -> str:
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


async def still(pilot: Pilot[None]) -> None:
    await pilot.wait_for_scheduled_animations()
    before = ""
    while before != (before := shown(pilot)):
        await pilot.pause(0.2)


def lines_with(pilot: Pilot[None], words: str) -> list[str]:
    return [line for line in shown(pilot).splitlines() if words in line]


async def in_interview(pilot: Pilot[None]) -> InterviewScreen:
    screen = InterviewScreen(app_of(pilot).bridge, engine_of(pilot).begin)
    pilot.app.push_screen(screen)
    return await my_turn(pilot)


@asynccontextmanager
async def interviewing(script: Script | None = None, **settings: Any) -> AsyncIterator[Pilot[None]]:
    """The app on a small screen, in the scripted interview and at the candidate's turn."""
    async with an_app(script, **settings).run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        yield pilot


async def resumed(pilot: Pilot[None]) -> InterviewScreen:
    pilot.app.post_message(messages.ResumeSession(SESSION))
    return await my_turn(pilot)


async def my_turn(pilot: Pilot[None]) -> InterviewScreen:
    await until(pilot, lambda: turn_owner(pilot) is TurnOwner.CANDIDATE)
    screen = pilot.app.screen
    assert isinstance(screen, InterviewScreen)
    return screen


def turn_owner(pilot: Pilot[None]) -> TurnOwner | None:
    screen = pilot.app.screen
    return screen.turn_owner if isinstance(screen, InterviewScreen) else None


def editor(pilot: Pilot[None]) -> AnswerEditor:
    return pilot.app.screen.query_one(AnswerEditor)


async def type_in(pilot: Pilot[None], text: str) -> None:
    names = {" ": "space", "\n": "enter", ".": "full_stop", ",": "comma"}
    await pilot.press(*(names.get(char, char) for char in text))


def burst(pilot: Pilot[None], *keys: str, at: float | None = None) -> None:
    """Keys in one go, as a terminal hands them over: no time for anything between two of them.

    ``at``: when they were typed, by the clock of events; now without it.
    """
    for key in keys:
        character = " " if key == "space" else key if len(key) == 1 else None
        name = "space" if key == " " else key
        event = events.Key(name, " " if name == "space" else character)
        event.time = event.time if at is None else at
        pilot.app.post_message(event)


def draft_on_disk(pilot: Pilot[None]) -> str:
    draft = engine_of(pilot).store.drafts(SESSION).get("answer")
    return draft.text if draft else ""


def answers_on_disk(pilot: Pilot[None]) -> list[str]:
    turns = engine_of(pilot).store.turns(SESSION)
    return [turn.text for turn in turns if turn.author == "candidate"]


async def answer(pilot: Pilot[None], text: str) -> None:
    """Paste and send; returns at the candidate's next turn."""
    before = len(answers_on_disk(pilot))
    pilot.app.post_message(events.Paste(text))
    await until(pilot, lambda: editor(pilot).text == text)
    await pilot.press("ctrl+s")
    await until(pilot, lambda: len(answers_on_disk(pilot)) > before)
