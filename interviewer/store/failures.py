"""SQLite's complaints as sentences for the person at the screen. Standard library only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interviewer.errors import StoreError, StoreWriteError

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
