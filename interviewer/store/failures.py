"""What can go wrong with a database, in a sentence each: ``failures.yaml``, for both servers."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from interviewer.errors import StoreError, StoreWriteError
from interviewer.settings.database_url import Place
from interviewer.settings.web_address import without_password

OTHER_FILE = "choose another file with INTERVIEWER_DATABASE or --database"
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
    said = without_password(" ".join(str(cause).split()))
    for code in codes:
        if code in _sentences("write"):
            return StoreWriteError(_told(place, "write", code, said))
    code = next((each for each in codes if each in _sentences("read")), "")
    return StoreError(_told(place, "read", code, said))


def damaged(path: Path, found: str) -> str:
    """A sentence on damage that was found in the file."""
    return _told(path, "read", sqlite3.SQLITE_CORRUPT, found)


def obstacle(path: Path) -> str:
    """Why the file cannot be written, as far as permissions tell, in a sentence; "" if it can."""
    folder = path.absolute().parent
    if not (os.access(path, os.W_OK) and os.access(folder, os.W_OK | os.X_OK)):
        return _told(path, "write", sqlite3.SQLITE_READONLY)
    for suffix in ("-wal", "-shm", "-journal"):
        beside = path.with_name(path.name + suffix)
        if beside.exists() and not os.access(beside, os.R_OK | os.W_OK):
            return (
                f"The session database {path} cannot be written because {beside.name}, which an "
                "earlier run left beside it, is read-only; give yourself write permission for it, "
                "and keep it: it may hold the latest answers."
            )
    return ""


def _told(place: Place, kind: str, code: int | str, error: str = "") -> str:
    sentence = _sentences(kind)[code].format(error=error, other_file=OTHER_FILE)
    return f"The session database {place} {sentence}"


@cache
def _sentences(kind: str) -> dict[int | str, str]:
    from interviewer.rubric.text import table  # the first screen needs none of it

    listed = table("failures", "interviewer.store")[kind].items()
    return {getattr(sqlite3, code, code): sentence for code, sentence in listed}


def _codes(cause: Exception) -> tuple[int | str, ...]:
    """What the error may be listed under, the most particular first."""
    if (code := primary_code(cause)) is not None:
        return (code,)
    state: str | None = getattr(cause, "sqlstate", None)
    if state is None and type(cause).__name__ == "OperationalError":  # no connection, so no code
        return ("53",) if is_crowded(cause) else ("08",)
    return tuple(state[:n] for n in (5, 3, 2)) if state else ()
