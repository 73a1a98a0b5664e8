"""What the first screen shows of the sessions, at a glance.

It must not wait for SQLAlchemy, but for what is on a server.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

from interviewer.errors import StoreError
from interviewer.settings.database_url import Place, Server
from interviewer.store.peek import (
    PATIENCE,
    explained,
    has_owners,
    opened_for_reading,
    stored_revision,
)

GLANCE_LIMIT = 1000
"""So many sessions are counted and no more: the first screen must not wait for an exact number."""


@dataclass(frozen=True)
class Unfinished:
    """The session to resume."""

    id: str
    plan_title: str
    round: int
    rounds: int
    headline: str
    updated_at: datetime
    finished_rounds: int = 0


@dataclass(frozen=True)
class Glance:
    """What the home screen shows; ``problem`` says why the file could not be read.

    ``sessions`` is one more than GLANCE_LIMIT if there are more than those, and so is
    ``without_owner``: those that belong to no user name, where they are not the owner's.
    """

    sessions: int = 0
    without_owner: int = 0
    unfinished: Unfinished | None = None
    problem: str = ""


class Reader(Protocol):
    """A consistent view of a database, for plain queries with ``?`` for each value."""

    @property
    def revision(self) -> str | None:
        """None before the first tables."""
        ...

    @property
    def of_owner(self) -> str:
        """The condition that a row of ``sessions`` belongs to the owner given as its one value."""
        ...

    def rows(self, statement: str, *values: Any) -> Sequence[Mapping[str, Any]]:
        """The rows by the names of their columns."""
        ...

    def text(self, stored: Any) -> str:
        """Text as :class:`interviewer.store.tables.TypedText` stores it."""
        ...

    def time(self, stored: Any) -> datetime:
        """A time as :class:`interviewer.store.tables.UtcTime` stores it."""
        ...


class FileReader:
    """Reads an SQLite file; see :class:`Reader`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.revision = stored_revision(connection, path)
        self.of_owner = "owner = ?" if has_owners(self.revision) else "'' = ?"
        self._connection = connection
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")

    def rows(self, statement: str, *values: Any) -> Sequence[Mapping[str, Any]]:
        return [dict(row) for row in self._connection.execute(statement, values)]

    def text(self, stored: str | bytes) -> str:
        return stored.decode(errors="surrogatepass") if isinstance(stored, bytes) else stored

    def time(self, stored: str) -> datetime:
        return datetime.fromisoformat(stored).replace(tzinfo=UTC)


@contextmanager
def reading(place: Place, *, wait: float) -> Iterator[Reader | None]:
    """A look at the database, None if there is none yet; of a file, SQLAlchemy is not needed.

    ``wait`` is how many seconds to wait for a lock on a file. Raises StoreError.
    """
    if isinstance(place, Server):
        from interviewer.store.server import reading_server

        with reading_server(place) as reader:
            yield reader
        return
    path = place.expanduser()
    with explained(path):
        if not path.exists():
            yield None
            return
        with opened_for_reading(path, wait=wait) as connection:
            yield FileReader(connection, path)


def glance(place: Place, owner: str = "") -> Glance | None:
    """The owner's sessions in the database there at a glance, None if there is none yet."""
    try:
        with reading(place, wait=PATIENCE) as reader:
            if reader is None:
                return None
            return Glance() if reader.revision is None else _read(reader, owner)
    except StoreError as error:
        return Glance(problem=str(error))


def _read(reader: Reader, owner: str) -> Glance:
    unfinished = [_newest(reader, owner, "open"), _newest(reader, owner, "paused")]
    newest = max((row for row in unfinished if row), key=itemgetter("updated_at"), default=None)
    return Glance(
        sessions=_count(reader, owner),
        without_owner=_count(reader, "") if owner else 0,
        unfinished=None
        if newest is None
        else Unfinished(
            id=newest["id"],
            plan_title=reader.text(newest["plan_title"]),
            round=newest["round"],
            rounds=_rounds(reader, newest),
            headline=reader.text(newest["headline"]),
            updated_at=reader.time(newest["updated_at"]),
            finished_rounds=newest["finished_rounds"],
        ),
    )


def _count(reader: Reader, owner: str) -> int:
    first_ones = f"SELECT 1 FROM sessions WHERE {reader.of_owner} LIMIT ?"
    counted = f"SELECT count(*) AS counted FROM ({first_ones}) AS first_ones"
    return int(reader.rows(counted, owner, GLANCE_LIMIT + 1)[0]["counted"])


def _newest(reader: Reader, owner: str, status: str) -> Mapping[str, Any] | None:
    found = reader.rows(
        f"SELECT * FROM sessions WHERE {reader.of_owner} AND status = ? "
        "ORDER BY updated_at DESC, id DESC LIMIT 1",
        owner,
        status,
    )
    return found[0] if found else None


def _rounds(reader: Reader, session: Mapping[str, Any]) -> int:
    """How many rounds a session has, which had a table of their own up to revision 0003."""
    if "rounds" in session:
        return int(session["rounds"])
    counted = "SELECT count(*) AS counted FROM rounds WHERE session_id = ?"
    return int(reader.rows(counted, session["id"])[0]["counted"])
