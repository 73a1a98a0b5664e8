"""Many candidates at once on one PostgreSQL and one endpoint: is a turn lost, and who waits?

    python -m tests.evals durability.people [--people 200] [--processes 4]

Starts a PostgreSQL server (see ``support/postgres.py``) that waits for its disk and allows 100
connections, as it does by default, and a stub of an endpoint. Each candidate has a user name and
holds a whole interview of two questions with the llm examiner, spread over processes that begin
together. First one candidate alone, then all of them. Afterwards every session is read back and
compared turn by turn with what that candidate said and heard: no turn may be lost, doubled or in
another's session.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing

from evals.figures import Figure, count
from support.endpoint import StubEndpoint
from support.many_people import Outcome, hold
from support.postgres import Postgres


def told(outcome: Outcome) -> Iterator[Figure]:
    """Answers a second, and turns lost."""
    who = f"{outcome.people} at once"
    beside = f"{outcome.answers} answers, {outcome.retried} steps tried again"
    yield Figure(f"{who}: answers a second", outcome.rate, beside)
    yield Figure(f"{who}: connections", outcome.connections)
    yield count("candidates with a turn lost or mixed", outcome.wrong, outcome.people)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--processes", type=int, default=4)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """One candidate alone, then all."""
    with closing(Postgres(settings=())) as postgres, StubEndpoint() as stub:
        one = hold(postgres.migrated(), stub.base_url, 1, 1)
        yield from told(one)
        many = hold(postgres.migrated(), stub.base_url, asked.people, asked.processes)
        yield from told(many)
    yield Figure("answers of all, times those of one alone", many.rate / one.rate)
