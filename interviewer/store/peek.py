"""A glance at the database for the first screen. Standard library only."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from interviewer.errors import NewerDatabaseError, StoreError, StoreWriteError

OTHER_FILE = "name another file with INTERVIEWER_DATABASE or --database"

_WRITE_FAILURES = {
    sqlite3.SQLITE_BUSY: "{path} is kept locked by another program; close it and try again.",
    sqlite3.SQLITE_READONLY: (
        "{path} is read-only, or the folder it lies in is; give yourself the right to write "
        f"there, or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "{path} cannot be opened; check that it is a file in a folder you may write to, "
        f"or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_FULL: "{path} lies on a disk that is full; free some space and try again.",
    sqlite3.SQLITE_IOERR: (
        "{path} could not be read or written by the system ({error}); check the disk, its quota "
        f"and its free space, or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_CONSTRAINT: (
        "{path} already holds something else in that place ({error}); if the session is open in "
        "a second window, close one of the two and resume it."
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
        f"{{path}} is not an SQLite file, or its start is damaged; move it away, or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_CORRUPT: (
        "{path} is damaged ({error}); put a copy of it back, or move it away and start a new one."
    ),
}


def primary_code(error: BaseException) -> int | None:
    """SQLite's primary result code, None where the error did not come from SQLite itself."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def explain(error: BaseException, path: Path) -> StoreError:
    """The error to raise in place of ``error``, which came up while using the file at ``path``."""
    code = primary_code(error)
    code = None if code is None else _SAME_AS.get(code, code)
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
    """Raise what SQLite or the file system says about ``path`` as a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(error, path) from error
    except OSError as error:
        raise StoreWriteError(
            f"The session database {path} cannot be reached ({error.strerror}); check its folder, "
            f"or {OTHER_FILE}."
        ) from error


REVISIONS = ("0001", "0002", "0003")
"""Every revision this version of the program knows, oldest first, as in ``migrations/versions``."""

HEAD = REVISIONS[-1]


@contextmanager
def opened_for_reading(path: Path, *, wait: float) -> Iterator[sqlite3.Connection]:
    """The file as it is, without leaving a trace beside it.

    ``wait`` is how many seconds to hold out for a lock. Raises sqlite3.Error and OSError.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    uri = _uri(path)
    with closing(sqlite3.connect(uri, wait, isolation_level=None, uri=True)) as connection:
        yield connection


def _uri(path: Path) -> str:
    """SQLite's address of the file, in the most cautious mode that still sees all of it."""
    if path.with_name(f"{path.name}-journal").exists():
        access = "mode=rw"  # what a crash left half-written has to be rolled back before a look
    elif path.with_name(f"{path.name}-wal").exists():
        access = "mode=ro"
    else:
        access = "mode=ro&immutable=1"  # nobody has it open; plain "ro" would leave a -shm file
    return f"{path.absolute().as_uri()}?{access}"


def stored_revision(connection: sqlite3.Connection, path: Path) -> str | None:
    """The revision of the database, None where it is empty.

    Raises NewerDatabaseError where a later version of the program wrote it, StoreError where it
    belongs to another program, and sqlite3.Error.
    """
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not tables:
        return None
    ours = {"alembic_version", "sessions"} <= tables
    row = ours and connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if not row:
        raise StoreError(
            f"The file {path} is the database of another program; nothing in it was touched; "
            f"{OTHER_FILE}."
        )
    revision = str(row[0])
    if revision not in REVISIONS:
        raise NewerDatabaseError(
            f"The session database {path} was written by a later version of this program "
            f"(revision {revision}, this one knows up to {HEAD}), and nothing in it was touched; "
            f"upgrade, or {OTHER_FILE}."
        )
    return revision


PATIENCE = 0.1
"""Seconds to wait for a lock: the first screen is not held up for longer."""


@dataclass(frozen=True)
class Unfinished:
    """The session to go on with."""

    id: str
    plan_title: str
    round: int
    rounds: int
    headline: str
    updated_at: datetime


@dataclass(frozen=True)
class Finished:
    """The session finished last; ``band`` is None where nothing could be graded."""

    plan_title: str
    band: float | None


@dataclass(frozen=True)
class Glance:
    """What the home screen shows. ``problem`` is a sentence where the file could not be read."""

    sessions: int = 0
    unfinished: Unfinished | None = None
    finished: Finished | None = None
    problem: str = ""


def glance(path: Path) -> Glance | None:
    """What the database at ``path`` holds at a glance, None where there is no file yet."""
    path = path.expanduser()
    try:
        with explained(path):
            if not path.exists():
                return None
            with opened_for_reading(path, wait=PATIENCE) as connection:
                if stored_revision(connection, path) is None:
                    return Glance()
                connection.row_factory = sqlite3.Row
                return _read(connection)
    except StoreError as error:
        return Glance(problem=str(error))


def _read(connection: sqlite3.Connection) -> Glance:
    unfinished = [_newest(connection, "open"), _newest(connection, "paused")]
    newest = max((row for row in unfinished if row), key=_updated_at, default=None)
    finished = _newest(connection, "finished")
    return Glance(
        sessions=connection.execute("SELECT count(*) FROM sessions").fetchone()[0],
        unfinished=newest
        and Unfinished(
            id=newest["id"],
            plan_title=_text(newest["plan_title"]),
            round=newest["round"],
            rounds=newest["rounds"],
            headline=_text(newest["headline"]),
            updated_at=_updated_at(newest),
        ),
        finished=finished and Finished(_text(finished["plan_title"]), finished["band"]),
    )


def _newest(connection: sqlite3.Connection, status: str) -> Any:
    return connection.execute(
        "SELECT *, (SELECT count(*) FROM rounds WHERE session_id = sessions.id) AS rounds "
        "FROM sessions WHERE status = ? ORDER BY updated_at DESC, id DESC LIMIT 1",
        (status,),
    ).fetchone()


def _updated_at(row: sqlite3.Row) -> datetime:
    return datetime.fromisoformat(row["updated_at"]).replace(tzinfo=UTC)


def _text(stored: str | bytes) -> str:
    """Text as :class:`interviewer.store.tables.TypedText` keeps it."""
    return stored.decode(errors="surrogatepass") if isinstance(stored, bytes) else stored
