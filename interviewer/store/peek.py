"""Reading a database file with the standard library alone: its revision, failures, a glance.

The first screen needs no more, and must not wait for SQLAlchemy, but for what is on a server.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

from interviewer.errors import NewerDatabaseError, StoreError, StoreWriteError
from interviewer.place import Place, Server

OTHER_FILE = "choose another file with INTERVIEWER_DATABASE or --database"

_WRITE_FAILURES = {
    sqlite3.SQLITE_BUSY: "{path} is locked by another program; close it and try again.",
    sqlite3.SQLITE_READONLY: (
        f"{{path}} or its folder is read-only; give yourself write permission, or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_CANTOPEN: (
        f"{{path}} cannot be opened; check that it is a file in a writable folder, or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_FULL: "{path} is on a disk that is full; free some space and try again.",
    sqlite3.SQLITE_IOERR: (
        "{path} could not be read or written ({error}); check the disk, its quota and free space, "
        f"or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_CONSTRAINT: (
        "{path} was changed meanwhile ({error}); if the session is open in a second window, "
        "close one of them and resume it."
    ),
}
_SAME_AS = {
    sqlite3.SQLITE_LOCKED: sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_PROTOCOL: sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_PERM: sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_AUTH: sqlite3.SQLITE_READONLY,
}
_READ_FAILURES = {
    sqlite3.SQLITE_NOTADB: (
        f"{{path}} is not an SQLite file, or is damaged; move it away, or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_CORRUPT: (
        "{path} is damaged ({error}); restore a backup, or move it away to start a new one."
    ),
}


def primary_code(error: BaseException) -> int | None:
    """SQLite's primary result code, None where the error is not SQLite's own."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


_BESIDE = {
    "-wal": "give yourself write permission for it, and keep it: it holds the latest answers",
    "-shm": "give yourself write permission for it, or delete it while the program is not running",
    "-journal": "give yourself write permission for it, and keep it: it is needed to read the rest",
}


def obstacle(path: Path) -> str:
    """Why the file cannot be written, as far as permissions tell, in a sentence; "" if it can."""
    folder = path.absolute().parent
    if not (os.access(path, os.W_OK) and os.access(folder, os.W_OK | os.X_OK)):
        sentence = _WRITE_FAILURES[sqlite3.SQLITE_READONLY].format(path=path)
        return f"The session database {sentence}"
    for suffix, remedy in _BESIDE.items():
        beside = path.with_name(path.name + suffix)
        if beside.exists() and not os.access(beside, os.R_OK | os.W_OK):
            return (
                f"The session database {path} cannot be written because {beside.name}, which an "
                f"earlier run left beside it, is read-only; {remedy}."
            )
    return ""


def _unreadable(path: Path) -> str:
    """Why a file that may be read cannot be, in a sentence; "" if nothing is known of it."""
    log = path.with_name(f"{path.name}-wal")
    if not (log.exists() and obstacle(path)):
        return ""
    return (
        f"The session database {path} cannot be read where it is: its latest entries are in "
        f"{log.name}, and here that cannot be opened. Copy both files into a folder of your own "
        "and read them there with --database."
    )


def explain(error: BaseException, path: Path) -> StoreError:
    """The error to raise instead of ``error``, which occurred while using the file at ``path``."""
    code = primary_code(error)
    code = None if code is None else _SAME_AS.get(code, code)
    if code == sqlite3.SQLITE_READONLY and (sentence := obstacle(path)):
        return StoreWriteError(sentence)
    if code == sqlite3.SQLITE_CANTOPEN and (sentence := _unreadable(path)):
        return StoreError(sentence)
    kind: type[StoreError] = StoreError
    if code in _WRITE_FAILURES:
        kind, sentence = StoreWriteError, _WRITE_FAILURES[code]
    elif code in _READ_FAILURES:
        sentence = _READ_FAILURES[code]
    else:
        sentence = f"{{path}} could not be used ({{error}}); {OTHER_FILE}."
    return kind("The session database " + sentence.format(path=path, error=error))


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the file system about ``path`` into StoreErrors."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(error, path) from error
    except OSError as error:
        raise StoreWriteError(
            f"The session database {path} cannot be accessed ({error.strerror}); check its folder, "
            f"or {OTHER_FILE}."
        ) from error


REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009")
"""Every revision that this version knows, oldest first, as in ``migrations/versions``."""
HEAD = REVISIONS[-1]


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
    uri = uri_for_reading(path)
    with closing(sqlite3.connect(uri, wait, isolation_level=None, uri=True)) as connection:
        yield connection


def uri_for_reading(path: Path) -> str:
    """The URI of the file, in the most cautious mode that still sees all of it."""
    if path.with_name(f"{path.name}-journal").exists() and not obstacle(path):
        access = "mode=rw"  # a half-written change after a crash must be rolled back first
    elif path.with_name(f"{path.name}-wal").exists():
        access = "mode=ro"
    else:
        access = "mode=ro&immutable=1"  # nobody has it open; plain "ro" would create a -shm file
    return f"{path.absolute().as_uri()}?{access}"


def stored_revision(connection: sqlite3.Connection, path: Path) -> str | None:
    """The revision of the database, None if it is empty.

    Raises NewerDatabaseError where a later version wrote it, StoreError where it belongs to
    another program, and sqlite3.Error.
    """
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not tables:
        return None
    ours = {"alembic_version", "sessions"} <= tables
    row = ours and connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if not row:
        raise StoreError(
            f"The file {path} is the database of another program and was not touched; {OTHER_FILE}."
        )
    revision = str(row[0])
    if revision not in REVISIONS:
        raise newer(path, revision)
    return revision


def newer(place: Place, revision: str) -> NewerDatabaseError:
    """The error to raise where a later version wrote the database."""
    return NewerDatabaseError(
        f"The session database {place} was written by a later version of this program "
        f"(revision {revision}; this one knows up to {HEAD}) and was not touched; upgrade, "
        f"or {OTHER_FILE}."
    )


def has_owners(revision: str | None) -> bool:
    """Whether the sessions of that revision say whose they are."""
    return revision is not None and revision >= "0007"


PATIENCE = 0.1
"""Seconds to wait for a lock; the first screen must not be held up for longer."""


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


def find_damage(path: Path) -> str:
    """What is wrong within the file, in a sentence, "" if it is sound; reads all of it."""
    try:
        with explained(path), opened_for_reading(path, wait=PATIENCE) as connection:
            found = damage_in(connection)
    except StoreError as error:
        return str(error)
    if not found:
        return ""
    damaged = _READ_FAILURES[sqlite3.SQLITE_CORRUPT]
    return "The session database " + damaged.format(path=path, error=found)


def damage_in(connection: sqlite3.Connection) -> str:
    """What SQLite's full check finds first, on one line, "" if all is sound."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if found == "ok" else " ".join(str(found).split())


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
