"""What can go wrong with a database, in a sentence each: one table for SQLite and PostgreSQL."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interviewer.errors import StoreError, StoreWriteError
from interviewer.settings.database_url import Place
from interviewer.settings.web_address import without_password

OTHER_FILE = "choose another file with INTERVIEWER_DATABASE or --database"

_CHANGED = (
    "was changed meanwhile ({error}); if the session is open in a second window, close one of them "
    "and resume it."
)
_FULL = "is on a disk that is full; free some space and try again."
_LOCKED = "is locked by another program; close it and try again."
_NOT_ALLOWED = "may not be written by this user ({error}); ask its administrator."
_READ_ONLY = (
    "or its folder is read-only; give yourself write permission, or copy it into a folder of your "
    f"own and {OTHER_FILE}."
)
_UNREACHABLE = (
    "cannot be reached ({error}); check that the server runs, that the address and the user's name "
    "are right, and that ~/.pgpass or PGPASSWORD has the password."
)
DAMAGED = "is damaged ({error}); put a backup in its place, a new one may do, or start a new one."

_WRITE_FAILURES: dict[int | str, str] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_PROTOCOL: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_AUTH: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: (
        f"cannot be opened; check that it is a file in a writable folder, or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: (
        "could not be read or written ({error}); check the disk, its quota and free space, "
        f"or {OTHER_FILE}."
    ),
    sqlite3.SQLITE_CONSTRAINT: _CHANGED,
    "08": _UNREACHABLE,
    "23": _CHANGED,
    "40": _CHANGED,
    "25006": _NOT_ALLOWED,
    "42501": _NOT_ALLOWED,
    "53": "is on a server that has run out of something ({error}); try again later.",
    "53100": _FULL,
    "55P03": _LOCKED,
    "57P": _UNREACHABLE,
}
"""By SQLite's primary result code, or by SQLSTATE or how it begins; the longest that fits."""
_READ_FAILURES: dict[int | str, str] = {
    sqlite3.SQLITE_NOTADB: f"is not an SQLite file, or is damaged; move it away, or {OTHER_FILE}.",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
}

_CROWDED = re.compile("too many (clients|connections)|connection slots are reserved")


def primary_code(error: BaseException) -> int | None:
    """SQLite's primary result code, None where the error is not SQLite's own."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def is_crowded(error: BaseException) -> bool:
    """Whether a server refused a connection for want of one; it gives no code with that."""
    return bool(_CROWDED.search(str(error)))


@contextmanager
def explained(place: Place, *further: type[Exception]) -> Iterator[None]:
    """Turn errors in using the database into StoreErrors: those of SQLite, of the file system,
    of values that cannot be stored or read, and ``further`` kinds.
    """
    try:
        yield
    except (sqlite3.Error, ValueError, OSError, *further) as error:  # type: ignore[misc]
        raise explain(error, place) from error


def explain(error: Exception, place: Place) -> StoreError:
    """The error to raise instead of ``error``, which occurred while using the database there."""
    cause: Exception = getattr(error, "orig", None) or error
    if isinstance(cause, OSError):
        return StoreWriteError(
            f"The session database {place} cannot be accessed ({cause.strerror}); check its "
            f"folder, or {OTHER_FILE}."
        )
    codes = _codes(cause)
    barred = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}.intersection(codes)
    if barred and isinstance(place, Path) and (sentence := obstacle(place)):
        return StoreWriteError(sentence)
    if isinstance(error, ValueError):  # what is written comes as an error of SQLAlchemy
        codes = (sqlite3.SQLITE_CORRUPT,)
    kind: type[StoreError] = StoreError
    sentence = f"could not be used ({{error}}); {OTHER_FILE}."
    for code in codes:
        if code in _WRITE_FAILURES:
            kind, sentence = StoreWriteError, _WRITE_FAILURES[code]
            break
        sentence = _READ_FAILURES.get(code, sentence)
    said = without_password(" ".join(str(cause).split()))
    return kind(f"The session database {place} {sentence.format(error=said)}")


def _codes(cause: Exception) -> tuple[int | str, ...]:
    """What the error may be listed under, the most particular first."""
    if (code := primary_code(cause)) is not None:
        return (code,)
    state: str | None = getattr(cause, "sqlstate", None)
    if state is None and type(cause).__name__ == "OperationalError":  # no connection, so no code
        return ("53",) if is_crowded(cause) else ("08",)
    return tuple(state[:n] for n in (5, 3, 2)) if state else ()


def obstacle(path: Path) -> str:
    """Why the file cannot be written, as far as permissions tell, in a sentence; "" if it can."""
    folder = path.absolute().parent
    if not (os.access(path, os.W_OK) and os.access(folder, os.W_OK | os.X_OK)):
        return f"The session database {path} {_READ_ONLY}"
    for suffix in ("-wal", "-shm", "-journal"):
        beside = path.with_name(path.name + suffix)
        if beside.exists() and not os.access(beside, os.R_OK | os.W_OK):
            return (
                f"The session database {path} cannot be written because {beside.name}, which an "
                "earlier run left beside it, is read-only; give yourself write permission for it, "
                "and keep it: it may hold the latest answers."
            )
    return ""
