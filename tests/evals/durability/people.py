"""Many candidates at once on one PostgreSQL and one endpoint: is a turn lost, and who waits?

    python tests/benchmarks/many_people.py [--people 200] [--processes 4]

Starts a PostgreSQL server (see ``support/postgres.py``) that waits for its disk and allows 100
connections, as it does by default, and a stub of an endpoint. Each candidate has a user name and
holds a whole interview of two questions with the llm examiner, spread over processes that begin
together. First one candidate alone, then all of them. Afterwards every session is read back and
compared turn by turn with what that candidate said and heard. Printed: answers a second from the
first start to the last end, their ratio, the most connections at once, and every turn that is
lost, doubled or in another's session (there must be none; exits 1 then).
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.endpoint import StubEndpoint
from support.many_people import Outcome, hold
from support.postgres import Postgres


def told(outcome: Outcome) -> Outcome:
    print(
        f"{outcome.people} at once: {outcome.answers} answers in {outcome.seconds:.1f} s "
        f"({outcome.rate:.2f} a second), {outcome.retried} steps tried again, "
        f"at most {outcome.connections} connections, "
        f"{len(outcome.wrong)} candidates with a turn lost or mixed"
    )
    for line in outcome.wrong:
        print(f"  {line}")
    return outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--processes", type=int, default=4)
    given = parser.parse_args()
    with closing(Postgres(settings=())) as postgres, StubEndpoint() as stub:
        one = told(hold(postgres.migrated(), stub.base_url, 1, 1))
        many = told(hold(postgres.migrated(), stub.base_url, given.people, given.processes))
    print(f"{given.people} at once give {many.rate / one.rate:.1f} times the answers of one alone")
    sys.exit(bool(one.wrong or many.wrong))


if __name__ == "__main__":
    main()
