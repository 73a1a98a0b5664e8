"""Reading a database file with the standard library alone: its revision, failures and damage."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from interviewer.errors import NewerDatabaseError, StoreError, StoreWriteError
from interviewer.settings.database_url import Place

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
