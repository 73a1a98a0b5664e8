"""Many candidates at once on one PostgreSQL and one endpoint, in several processes."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from interviewer.composition import load_library, new_interview, open_store
from interviewer.interview import commands
from interviewer.interview.events import AnswerGiven, TurnFailed, YourTurn
from interviewer.interview.journal import load
from interviewer.practice import drills
from interviewer.rubric.library import Library
from interviewer.settings import Settings, load_settings
from interviewer.settings.database_url import Server
from interviewer.store.store import Store

ASKED = ("effective-batch-size", "strong-versus-weak-scaling")
"""Two short questions, each with the follow-ups that a wrong answer gets."""


@dataclass(frozen=True)
class Held:
    """What one candidate says to have held: the session, and every turn of it in order.

    ``began`` and ``ended`` are on the machine's monotonic clock, which all processes share.
    """

    session: str
    turns: list[str]
    answers: int
    retried: int
    began: float
    ended: float


@dataclass(frozen=True)
class Outcome:
    """What became of all: ``wrong`` has a line for each whose turns are lost, doubled or mixed."""

    people: int
    answers: int
    retried: int
    seconds: float
    connections: int
    wrong: list[str]

    @property
    def rate(self) -> float:
        """Answers that were given, acknowledged and judged, a second."""
        return self.answers / self.seconds


def name_of(person: int) -> str:
    return f"candidate {person}"


def _settings(url: str, base_url: str, folder: str, person: int) -> Settings:
    return load_settings(
        environment={f"INTERVIEWER_{kind}_DIR": folder for kind in ("CONFIG", "DATA", "CACHE")},
        database=url,
        user=name_of(person),
        base_url=base_url,
        model="stub",
        examiner="llm",
    )


async def _hold(settings: Settings, library: Library, person: int) -> Held:
    began = time.monotonic()
    turns: list[str] = []
    answers = retried = 0
    store = await asyncio.to_thread(open_store, settings)
    with closing(store):
        interview = new_interview(settings, store, library, drills.plan("weak", ASKED), seed=person)
        async for event in interview:
            if isinstance(event, YourTurn):
                answers += 1
                turns.append(f"{name_of(person)} says in answer {answers} that it grows.")
                interview.send(commands.Answer(turns[-1]))
            elif isinstance(event, TurnFailed):
                retried += 1
                interview.send(commands.Retry())
            elif hasattr(event, "turn") and not isinstance(event, AnswerGiven):
                turns += [event.text] if hasattr(event, "text") else []
    return Held(interview.session_id, turns, answers, retried, began, time.monotonic())


async def _hold_all(url: str, base_url: str, people: range) -> dict[int, Any]:
    with tempfile.TemporaryDirectory() as folder:
        settings = {each: _settings(url, base_url, folder, each) for each in people}
        library = load_library(settings[people[0]])
        print("ready", flush=True)
        sys.stdin.readline()
        holding = (_hold(settings[each], library, each) for each in people)
        ended = dict(
            zip(people, await asyncio.gather(*holding, return_exceptions=True), strict=True)
        )
    for person, error in ended.items():
        if isinstance(error, BaseException):
            print(f"{name_of(person)}: {error!r}", file=sys.stderr)
    return {each: vars(held) for each, held in ended.items() if isinstance(held, Held)}


def hold(server: Server, base_url: str, people: int, processes: int) -> Outcome:
    """Let so many people hold their interviews at once, then read all of them back."""
    share = -(-people // processes)
    workers = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "support.many_people", server.url, base_url),
                *(str(first), str(min(first + share, people))),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        )
        for first in range(0, people, share)
    ]
    try:
        for worker in workers:
            if worker.stdout is None or worker.stdout.readline() != "ready\n":
                raise RuntimeError("a process of the candidates did not start")
        with Watched(server) as watched:
            for worker in workers:
                assert worker.stdin is not None
                worker.stdin.write("go\n")
                worker.stdin.flush()
            told = [worker.communicate()[0] for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    held = {int(p): Held(**one) for words in told if words for p, one in json.loads(words).items()}
    return Outcome(
        people,
        sum(each.answers for each in held.values()),
        sum(each.retried for each in held.values()),
        max(each.ended for each in held.values()) - min(each.began for each in held.values()),
        watched.most,
        [*_read_back(server, held, people)],
    )


def _read_back(server: Server, held: dict[int, Held], people: int) -> list[str]:
    """A line for everything stored that is not as this person said and heard it."""
    wrong = [f"{name_of(each)} held no interview" for each in range(people) if each not in held]
    for person, theirs in held.items():
        with closing(Store(server, name_of(person))) as store:
            own = [row.id for row in store.history.sessions(people)]
            if own != [theirs.session]:
                wrong.append(f"{name_of(person)} has the sessions {own}")
                continue
            replay = load(store, theirs.session)
            kept = [turn.text for turn in store.turns(theirs.session)]
        if replay.gap or not replay.state.finished:
            wrong.append(f"{name_of(person)}: {replay.gap or 'not finished'}")
        if kept != theirs.turns:
            differing = sum(one != other for one, other in zip(kept, theirs.turns, strict=False))
            missing = len(theirs.turns) - len(kept)
            wrong.append(f"{name_of(person)}: {missing} turns missing, {differing} differ")
    return wrong


class Watched:
    """Counts a server's connections twenty times a second; ``most`` there were at once."""

    def __init__(self, server: Server) -> None:
        self.most = 0
        self._server = server
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watched:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        count = text(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' "
            "AND pid <> pg_backend_pid()"
        )
        engine = create_engine(self._server.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            while not self._over.wait(0.05):
                self.most = max(self.most, connection.execute(count).scalar_one())
        engine.dispose()


def main() -> None:
    """Hold the interviews of a range of people, and print what they said to have held."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("base_url")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    given = parser.parse_args()
    people = range(given.first, given.last)
    print(json.dumps(asyncio.run(_hold_all(given.url, given.base_url, people))))


if __name__ == "__main__":
    main()
