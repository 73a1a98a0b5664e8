"""A database as it is, read with the standard library: the first screen must not wait for more.

Only what is on a server needs SQLAlchemy here, too.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from interviewer.errors import StoreError
from interviewer.settings.database_url import Place, Server
from interviewer.store.failures import OTHER_FILE, explained, obstacle

REVISIONS = tuple(f"{number:04}" for number in range(1, 12))
"""Every revision that this version knows, oldest first; see ``migrations.yaml``."""
HEAD = REVISIONS[-1]

PATIENCE = 0.1
"""Seconds to wait for a lock; the first screen must not be held up for longer."""
COUNTED = 1000
"""So many sessions are counted and no more: the first screen must not wait for an exact number."""

_TABLES = {
    Path: "SELECT name FROM sqlite_master",
    # No to_regclass: it does not see what another transaction has just made.
    Server: (
        "SELECT relname FROM pg_class WHERE relname IN ('alembic_version', 'sessions') "
        "AND relkind = 'r' AND pg_table_is_visible(oid)"
    ),
}
READABLE = partial(str, encoding="utf-8", errors="replace")
"""How SQLite's text is decoded: a damaged byte is replaced and hides nothing else."""
_ESCAPE = re.compile("\x1a([0-9a-f]{4})")


def stored_revision(place: Place, column: Callable[[str], Iterable[Any]]) -> str | None:
    """The revision of the database, None if it has no tables yet.

    ``column`` runs a query and returns its only column. Raises StoreError where a later
    version wrote it, or it belongs to another program.
    """
    on_server = isinstance(place, Server)
    tables = set(column(_TABLES[Server if on_server else Path]))
    if not tables:
        return None
    ours = {"alembic_version", "sessions"} <= tables
    versions = list(column("SELECT version_num FROM alembic_version")) if ours else []
    if not versions:
        other = "make one for the sessions alone with createdb" if on_server else OTHER_FILE
        raise StoreError(
            f"The database {place} is that of another program and was not touched; {other}."
        )
    revision = str(versions[0])
    if revision not in REVISIONS:
        raise StoreError(
            f"The session database {place} was written by a later version of this program "
            f"(revision {revision}; this one knows up to {HEAD}) and was not touched; upgrade, "
            f"or {OTHER_FILE}."
        )
    return revision


@contextmanager
def opened_for_reading(path: Path, *, wait: float) -> Iterator[sqlite3.Connection]:
    """The file as it is, without leaving other files beside it.

    ``wait`` is how many seconds to wait for a lock. Raises sqlite3.Error and OSError.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        # To open a pipe would be to wait for its other end.
        raise OSError(errno.EINVAL, "a pipe or device, no file", str(path))
    # In the most cautious mode that still sees all of it.
    if path.with_name(f"{path.name}-journal").exists() and not obstacle(path):
        access = "mode=rw"  # a half-written change after a crash must be rolled back first
    elif path.with_name(f"{path.name}-wal").exists():
        access = "mode=ro"
    else:
        access = "mode=ro&immutable=1"  # nobody has it open; plain "ro" would create a -shm file
    uri = f"{path.absolute().as_uri()}?{access}"
    with closing(sqlite3.connect(uri, wait, isolation_level=None, uri=True)) as connection:
        connection.text_factory = READABLE
        yield connection


def file_revision(connection: sqlite3.Connection, path: Path) -> str | None:
    """As :func:`stored_revision`, of an open file."""
    return stored_revision(path, lambda query: [row[0] for row in connection.execute(query)])


def decoded(stored: bytes) -> str:
    """Text with lone surrogates, as typed unless it is damaged."""
    try:
        return stored.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return READABLE(stored)


def unescaped(stored: str) -> str:
    """Text as typed, from a server; see :class:`interviewer.store.database.TypedText`."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), stored)


OF_OWNER = "owner = ? AND deleted_at IS NULL"
"""That a row of ``sessions`` is not deleted and is the owner's, given as its one value."""


@dataclass(frozen=True)
class Snapshot:
    """A consistent view of a database, for plain queries with ``?`` for each value."""

    execute: Callable[[str, Sequence[Any]], Iterable[Any]]
    on_server: bool = False

    def rows(self, statement: str, *values: Any) -> Sequence[Mapping[str, Any]]:
        """The rows by the names of their columns."""
        return [dict(row) for row in self.execute(statement, values)]

    def text(self, stored: str | bytes) -> str:
        """Text as :class:`interviewer.store.database.TypedText` stores it."""
        if isinstance(stored, bytes):
            return decoded(stored)
        return unescaped(stored) if self.on_server else stored

    def time(self, stored: str | datetime) -> datetime:
        """A time as :class:`interviewer.store.database.UtcTime` stores it."""
        at = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
        return at.replace(tzinfo=UTC)


@contextmanager
def snapshot(place: Place, *, wait: float) -> Iterator[Snapshot | None]:
    """The database as it is now, None if it has no tables yet.

    One of an earlier version is brought up to date first. ``wait`` is how many seconds to wait for
    a lock on a file. Raises StoreError.
    """
    if isinstance(place, Server):
        from interviewer.store.server import server_snapshot

        with server_snapshot(place) as found:
            yield found
        return
    path = place.expanduser()
    with explained(path):
        if not path.exists():
            yield None
            return
        with opened_for_reading(path, wait=wait) as connection:
            revision = file_revision(connection, path)
        if revision not in (None, HEAD):
            from interviewer.store.opening import connect

            connect(path).close()
        with opened_for_reading(path, wait=wait) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("BEGIN")
            yield Snapshot(connection.execute) if revision else None


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
class HomeView:
    """What the home screen shows; ``problem`` says why the database could not be read.

    ``sessions`` is one more than COUNTED if there are more than those.
    """

    sessions: int = 0
    unfinished: Unfinished | None = None
    problem: str = ""


def home_view(place: Place, owner: str = "") -> HomeView | None:
    """What the home screen shows of the owner's sessions there, None if there can be none yet."""
    try:
        with snapshot(place, wait=PATIENCE) as found:
            return _home_view(found, owner) if found else None
    except StoreError as error:
        return HomeView(problem=str(error))


def _home_view(found: Snapshot, owner: str) -> HomeView:
    unfinished = [*_newest(found, owner, "open"), *_newest(found, owner, "paused")]
    first_ones = f"SELECT 1 FROM sessions WHERE {OF_OWNER} LIMIT ?"
    counted = f"SELECT count(*) AS counted FROM ({first_ones}) AS first_ones"
    sessions = int(found.rows(counted, owner, COUNTED + 1)[0]["counted"])
    if not unfinished:
        return HomeView(sessions)
    newest = max(unfinished, key=itemgetter("updated_at"))
    resumed = Unfinished(
        id=newest["id"],
        plan_title=found.text(newest["name"] or newest["plan_title"]),
        round=newest["round"],
        rounds=newest["rounds"],
        headline=found.text(newest["headline"]),
        updated_at=found.time(newest["updated_at"]),
        finished_rounds=newest["finished_rounds"],
    )
    return HomeView(sessions, resumed)


def _newest(found: Snapshot, owner: str, status: str) -> Sequence[Mapping[str, Any]]:
    newest = (
        f"SELECT * FROM sessions WHERE {OF_OWNER} AND status = ? "
        "ORDER BY updated_at DESC, id DESC LIMIT 1"
    )
    return found.rows(newest, owner, status)
