"""Our own time for a turn: in the first turns of an interview, after 2,000, and in a bare app.

From the key that sends an answer to the frame with the next question or follow-up, with an examiner
that answers at once; and a key typed until it is drawn. All in this process, in processor time,
which hardly moves with the load of the machine. The bare app does the least that a turn is in
Textual: it empties the editor, mounts what was said, then the reply, and says whose turn it is.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar

from support.rubrics import FULL, a_rubric
from support.stage import Script, an_app, burst, editor, engine_of, in_interview, resumed, until
from textual import events
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import Footer, Static, TextArea

from interviewer.interview.commands import Answer
from tui import keyboard
from tui.interview.presenter import TurnOwner

SIZE = (120, 36)
LONG = 2_000
"""Turns."""
QUESTIONS = 4
"""Asked while it is measured; each takes an answer and, at times, one more."""
READING = 0.3
"""Seconds that a turn is read."""
KEYS = 20


@dataclass
class Times:
    """Milliseconds of processor time."""

    turns: list[float] = field(default_factory=list)
    keys: list[float] = field(default_factory=list)

    def add(self, other: Times) -> None:
        self.turns += other.turns
        self.keys += other.keys


class BareTalk(App[None]):
    """A conversation with an examiner who always says the same."""

    BINDINGS: ClassVar = [("ctrl+s", "send", "Send"), ("ctrl+t", "hint", "Hint")]

    def __init__(self) -> None:
        super().__init__()
        self.turned = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield Static("A question, and what it is about")
        with VerticalScroll():
            yield Static("Interviewer: Ada")
        yield Static("Your turn", id="state")
        yield TextArea()
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).anchor()
        area = self.query_one(TextArea)
        area.cursor_blink = False
        area.focus()

    async def action_send(self) -> None:
        area, state, talk = (self.query_one(each) for each in (TextArea, "#state", VerticalScroll))
        assert isinstance(area, TextArea)
        assert isinstance(state, Static)
        said = area.text
        area.load_text("")
        state.update("Reading your answer…", layout=False)
        await talk.mount(Static(f"You: {said}"))
        await asyncio.sleep(0)
        await talk.mount(Static("Ada: What follows from that, and how do you know?"))
        state.update("Your turn", layout=False)
        self.turned.set()


@contextmanager
def folder_of_its_own() -> Iterator[None]:
    """An empty one for the data; no grace for keys, since nobody types them."""
    keyboard.GRACE = 0.0
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(INTERVIEWER_DATA_DIR=folder, INTERVIEWER_CONFIG_DIR=folder)
        yield


async def _painted(app: App[None]) -> None:
    done = asyncio.Event()
    app.screen.call_after_refresh(done.set)
    await done.wait()


async def _key_times(pilot: Pilot[None], area: TextArea) -> list[float]:
    times = []
    for _ in range(KEYS):
        await pilot.pause(0.02)
        wanted, spent = f"{area.text}z", time.process_time()
        burst(pilot, "z")
        await until(pilot, lambda text=wanted: area.text == text)
        await _painted(pilot.app)
        times.append(1000 * (time.process_time() - spent))
    return times


async def _turn(pilot: Pilot[None], area: TextArea, turned: asyncio.Event) -> float:
    area.load_text("")
    pilot.app.post_message(events.Paste(FULL))
    await until(pilot, lambda: area.text == FULL)
    await pilot.pause(READING)
    turned.clear()
    spent = time.process_time()
    burst(pilot, "ctrl+s")
    await turned.wait()
    await _painted(pilot.app)
    return 1000 * (time.process_time() - spent)


async def bare() -> Times:
    """The bare app's turns, as many as one of our interviews has."""
    app, times = BareTalk(), Times()
    async with app.run_test(size=SIZE) as pilot:
        area = app.query_one(TextArea)
        await until(pilot, lambda: area.has_focus)
        times.keys = await _key_times(pilot, area)
        times.turns = [await _turn(pilot, area, app.turned) for _ in range(2 * QUESTIONS)]
    return times


async def ours(turns_before: int = 0) -> Times:
    """An interview's, begun anew or resumed after so many turns."""
    rubrics = [a_rubric(id=f"letters-{number}") for number in range(turns_before // 4 + QUESTIONS)]
    app, times = an_app(Script(rubrics=rubrics)), Times()
    async with app.run_test(size=SIZE) as pilot:
        if turns_before:
            await engine_of(pilot).hold(*[Answer(FULL)] * (turns_before // 2))
        screen = await (resumed if turns_before else in_interview)(pilot)
        gc.freeze()  # as the program does once everything is loaded
        turned, waiting = asyncio.Event(), {TurnOwner.OPENING, TurnOwner.EXAMINER}
        screen.watch(
            screen,
            "turn_owner",
            lambda owner: None if owner in waiting else turned.set(),
            init=False,
        )
        times.keys = await _key_times(pilot, editor(pilot))
        while screen.turn_owner is TurnOwner.CANDIDATE and len(times.turns) < 2 * QUESTIONS:
            times.turns.append(await _turn(pilot, editor(pilot), turned))
        if screen.turn_owner is not TurnOwner.CANDIDATE:
            times.turns.pop()  # after the last answer comes the debrief
    return times


def measured(rounds: int) -> tuple[Times, Times]:
    mine, floor = Times(), Times()
    for _ in range(rounds):
        with folder_of_its_own():
            mine.add(asyncio.run(ours()))
        floor.add(asyncio.run(bare()))
    return mine, floor


def late() -> Times:
    """Of an interview that is very long already."""
    with folder_of_its_own():
        return asyncio.run(ours(LONG))
