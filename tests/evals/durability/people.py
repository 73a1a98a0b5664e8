"""Many candidates at once on one PostgreSQL and one endpoint: is a turn lost?

    python -m tests.evals durability.people [--people 200] [--processes 4]

Starts a PostgreSQL server (see ``support/postgres.py``) that waits for its disk and allows 100
connections, as it does by default, and a stub of an endpoint. Each candidate has a user name and
holds a whole interview of two questions with the llm examiner, spread over processes that begin
together. Afterwards every session is read back and compared turn by turn with what that candidate
said and heard: no turn may be lost, doubled or in another's session.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from evals.figures import Figure, count
from support.endpoint import StubEndpoint
from support.postgres import Postgres

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
_SECONDS = 600
"""How long the processes wait for each other before one of them is taken for dead."""


@dataclass(frozen=True)
class Held:
    """What one candidate says to have held: the session, and every turn of it in order."""

    session: str
    turns: list[str]


def name_of(person: int) -> str:
    return f"candidate {person}"


def _settings(server: Server, base_url: str, folder: str, person: int) -> Settings:
    return load_settings(
        environment={f"INTERVIEWER_{kind}_DIR": folder for kind in ("CONFIG", "DATA", "CACHE")},
        database=server.url,
        user=name_of(person),
        base_url=base_url,
        model="stub",
        examiner="llm",
    )


async def _hold(settings: Settings, library: Library, person: int) -> Held:
    turns: list[str] = []
    answers = 0
    with closing(await asyncio.to_thread(open_store, settings)) as store:
        interview = new_interview(settings, store, library, drills.plan("weak", ASKED), seed=person)
        async for event in interview:
            if isinstance(event, YourTurn):
                answers += 1
                turns.append(f"{name_of(person)} says in answer {answers} that it grows.")
                interview.send(commands.Answer(turns[-1]))
            elif isinstance(event, TurnFailed):
                interview.send(commands.Retry())
            elif hasattr(event, "turn") and not isinstance(event, AnswerGiven):
                turns += [event.text] if hasattr(event, "text") else []
    return Held(interview.session_id, turns)


def _hold_all(server: Server, base_url: str, people: range, together: Any, results: Any) -> None:
    """In a process of its own: the interviews of these people, all at once."""

    async def hold() -> dict[int, Held]:
        holding = [_hold(settings[each], library, each) for each in people]
        ended = await asyncio.gather(*holding, return_exceptions=True)
        for person, held in zip(people, ended, strict=True):
            if isinstance(held, BaseException):
                print(f"{name_of(person)}: {held!r}")
        told = zip(people, ended, strict=True)
        return {person: held for person, held in told if isinstance(held, Held)}

    with tempfile.TemporaryDirectory() as folder:
        settings = {each: _settings(server, base_url, folder, each) for each in people}
        library = load_library(settings[people[0]])
        together.wait(_SECONDS)
        results.put(asyncio.run(hold()))


def held_at_once(server: Server, base_url: str, people: int, processes: int) -> dict[int, Held]:
    """Let so many people hold their interviews at once."""
    share = -(-people // processes)
    shares = [range(n, min(n + share, people)) for n in range(0, people, share)]
    spawn = multiprocessing.get_context("spawn")
    together, results = spawn.Barrier(len(shares)), spawn.Queue()
    for each in shares:
        given = (server, base_url, each, together, results)
        spawn.Process(target=_hold_all, args=given, daemon=True).start()
    return {person: held for _ in shares for person, held in results.get().items()}


def wrong(server: Server, held: Mapping[int, Held], people: int) -> Iterator[str]:
    """A line for everything stored that is not as this person said and heard it."""
    yield from (f"{name_of(each)} held no interview" for each in range(people) if each not in held)
    for person, theirs in held.items():
        with closing(Store(server, name_of(person))) as store:
            own = [row.id for row in store.history.sessions(people)]
            if own != [theirs.session]:
                yield f"{name_of(person)} has the sessions {own}"
                continue
            replay = load(store, theirs.session)
            kept = [turn.text for turn in store.turns(theirs.session)]
        if replay.gap or not replay.state.finished:
            yield f"{name_of(person)}: {replay.gap or 'not finished'}"
        if kept != theirs.turns:
            differing = sum(one != other for one, other in zip(kept, theirs.turns, strict=False))
            missing = len(theirs.turns) - len(kept)
            yield f"{name_of(person)}: {missing} turns missing, {differing} differ"


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--processes", type=int, default=4)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    with closing(Postgres(settings=())) as postgres, StubEndpoint() as stub:
        server = postgres.migrated()
        held = held_at_once(server, stub.base_url, asked.people, asked.processes)
        found = wrong(server, held, asked.people)
        yield count("candidates with a turn lost or mixed", found, asked.people)
