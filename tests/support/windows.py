"""One session in several windows: each an Interview of its own, in this process or in its own."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from contextlib import aclosing, closing
from dataclasses import dataclass, field
from typing import Any

from interviewer.errors import OvertakenError
from interviewer.grading.transcript import TurnKind
from interviewer.interview import commands
from interviewer.interview.events import AnswerGiven, Event, SessionEnded, YourTurn
from interviewer.interview.interview import Interview
from interviewer.settings.database_url import Place
from interviewer.store.store import Store
from support.examiners import ScriptedExaminer
from support.sessions import reopen

_SECONDS = 60
"""How long windows wait for each other before one of them is taken for dead."""


@dataclass
class Window:
    """One of several windows on the session."""

    interview: Interview
    acknowledged: list[str] = field(default_factory=list)
    told: bool = False
    over: bool = False

    async def act(self, command: commands.Command) -> None:
        """Do this and wait until it is the candidate's turn again."""
        self.interview.send(command)
        try:
            async with aclosing(self._events()) as events:
                async for event in events:
                    if isinstance(event, AnswerGiven) and event.kind is TurnKind.ANSWER:
                        self.acknowledged.append(event.text)
                    if isinstance(event, YourTurn | SessionEnded):
                        break
                    self.over |= event.event in ("paused", "debrief")
        except OvertakenError:
            self.told = True

    async def open(self) -> None:
        self._iterator = aiter(self.interview)
        try:
            async with aclosing(self._events()) as events:
                async for event in events:
                    if isinstance(event, YourTurn):
                        break
        except OvertakenError:
            self.told = True

    async def _events(self) -> AsyncIterator[Event]:
        while True:
            try:
                yield await anext(self._iterator)
            except StopAsyncIteration:
                self.over = True
                return


@dataclass
class Seen:
    """What one process saw: the words it was told were kept, whether another took over."""

    acknowledged: list[str]
    told: bool


def opened_at_once(place: Place, session: str, windows: int) -> list[Seen]:
    """Let so many processes, each with its own store, open the session and answer at once."""
    spawn = multiprocessing.get_context("spawn")
    together, results = spawn.Barrier(windows), spawn.Queue()
    for number in range(windows):
        given = (place, session, number, together, results)
        spawn.Process(target=_look, args=given, daemon=True).start()
    return [results.get(timeout=_SECONDS) for _ in range(windows)]


def _look(place: Place, session: str, number: int, together: Any, results: Any) -> None:
    async def look() -> Seen:
        with closing(Store(place)) as store:
            window = Window(reopen(store, session, ScriptedExaminer()))
            together.wait(_SECONDS)
            await window.open()
            together.wait(_SECONDS)
            if not window.told:
                await window.act(commands.Answer(f"Alpha, take 1 of window {number}."))
            return Seen(window.acknowledged, window.told)

    results.put(asyncio.run(look()))
