"""One session in several windows: each an Interview of its own, in this process or in its own.

As a program it opens so many windows, each in a process with its own store, on a session that waits
for an answer, and prints what became of each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from interviewer.errors import OvertakenError
from interviewer.grading.transcript import TurnKind
from interviewer.interview import commands
from interviewer.interview.events import AnswerGiven, Event, SessionEnded, YourTurn
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.settings.database_url import Place, Server, is_address
from interviewer.store.store import Store
from support.examiners import ScriptedExaminer
from support.sessions import reopen

_SECONDS = 60
"""How long windows wait for each other before one of them is taken for dead."""
_OPENINGS = 3
_OTHERS: Sequence[commands.Command] = (
    commands.DontKnow(),
    commands.AskHint(),
    commands.Skip(),
    commands.EndRound(),
    commands.Pause(),
)


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
    """What one process saw: the words it was told were kept, how often another took over.

    ``first`` is whether its words were kept where all windows sent some at once; ``wrong`` says
    what went wrong.
    """

    acknowledged: list[str] = field(default_factory=list)
    told: int = 0
    first: bool = False
    wrong: str = ""


def opened_at_once(place: Place, session: str, windows: int, seed: int) -> list[Seen]:
    """Let so many processes open the session at once, answer at once, and then as they like."""
    where = place.url if isinstance(place, Server) else str(place)
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", __name__, where, session, str(windows), str(seed)],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        timeout=2 * _SECONDS,
        check=True,
    )
    return [Seen(**each) for each in json.loads(done.stdout)]


class _Process:
    """The windows that one process opens, one after the other."""

    def __init__(self, store: Store, session: str, number: int, seed: int) -> None:
        self.seen = Seen()
        self._store = store
        self._session = session
        self._number = number
        self._draw = random.Random(seed * 100 + number)
        self._said = 0

    async def open(self) -> Window:
        window = Window(reopen(self._store, self._session, ScriptedExaminer()))
        await window.open()
        return window

    async def answer(self, window: Window) -> None:
        self._said += 1
        await window.act(commands.Answer(f"Alpha, take {self._said} of window {self._number}."))

    async def all_at_once(self, together: Any) -> None:
        together.wait(_SECONDS)
        window = await self.open()
        together.wait(_SECONDS)
        if not window.told:
            await self.answer(window)
        self.seen.first = bool(window.acknowledged)
        self._left(window)
        together.wait(_SECONDS)

    async def as_they_like(self) -> None:
        for _ in range(_OPENINGS):
            replay = load(self._store, self._session)
            self.seen.wrong = self.seen.wrong or replay.gap
            if replay.state.finished:
                return
            window = await self.open()
            for act in range(self._draw.randrange(1, 5)):
                if window.told or window.over:
                    break
                if act == 0 or self._draw.random() < 0.6:
                    await self.answer(window)
                else:
                    await window.act(self._draw.choice(_OTHERS))
            self._left(window)

    def _left(self, window: Window) -> None:
        self.seen.acknowledged += window.acknowledged
        self.seen.told += window.told


async def _look(place: Place, session: str, number: int, seed: int, together: Any) -> Seen:
    with closing(Store(place)) as store:
        process = _Process(store, session, number, seed)
        try:
            await process.all_at_once(together)
            await process.as_they_like()
        except Exception as error:  # noqa: BLE001 - whatever it is, the test tells it
            together.abort()
            process.seen.wrong = repr(error)
        return process.seen


def _work(place: Place, session: str, number: int, seed: int, together: Any, results: Any) -> None:
    results.put(asdict(asyncio.run(_look(place, session, number, seed, together))))


def main() -> None:
    """Open the windows and print what each saw. Forked: to import everything takes a second."""
    parser = argparse.ArgumentParser()
    parser.add_argument("place")
    parser.add_argument("session")
    parser.add_argument("windows", type=int)
    parser.add_argument("seed", type=int)
    given = parser.parse_args()
    place = Server(given.place) if is_address(given.place) else Path(given.place)
    forks = multiprocessing.get_context("fork")
    together, results = forks.Barrier(given.windows), forks.Queue()
    processes = [
        forks.Process(
            target=_work,
            args=(place, given.session, number, given.seed, together, results),
            daemon=True,
        )
        for number in range(given.windows)
    ]
    for process in processes:
        process.start()
    print(json.dumps([results.get(timeout=_SECONDS) for _ in processes]))
    for process in processes:
        process.join(_SECONDS)


if __name__ == "__main__":
    main()
