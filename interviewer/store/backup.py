"""Copies of the session database, taken while it is in use and checked before they count."""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

from interviewer.errors import StoreError, StoreWriteError
from interviewer.paths import make_own
from interviewer.store.peek import damage_in, explained, obstacle, uri_for_reading

WAIT_SECONDS = 10.0
_PAGES = 1_000
"""Copied at a time: a writer waits for no more than these."""


def back_up(database: Path, copy: Path) -> None:
    """Write ``copy``: all that is committed in ``database`` now, by SQLite's online backup.

    The copy appears whole, on disk and readable by its owner alone, or not at all. Raises
    StoreError where the database can't be read or isn't sound, StoreWriteError where the copy
    exists already or can't be written.
    """
    if copy.exists():
        raise StoreWriteError(f"{copy} exists already; choose another name for the backup.")
    draft = copy.with_name(f".{copy.name}.{secrets.token_hex(4)}")
    try:
        with explained(copy):
            make_own(copy.parent)
            draft.touch(mode=0o600, exist_ok=False)
        _copy_pages(database, draft)
        _check(draft, of=database)
        with explained(copy):
            _to_disk(draft)
            draft.replace(copy)
            _to_disk(copy.parent)
    finally:
        draft.unlink(missing_ok=True)


def _copy_pages(database: Path, draft: Path) -> None:
    with (
        explained(database),
        closing(sqlite3.connect(_uri(database), uri=True)) as source,
        closing(sqlite3.connect(draft, timeout=WAIT_SECONDS)) as target,
    ):
        source.execute(f"PRAGMA busy_timeout = {WAIT_SECONDS * 1000:.0f}")
        source.execute("SELECT 1 FROM sqlite_master").fetchone()  # else a locked file looks empty
        source.backup(target, pages=_PAGES, sleep=0.01)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, to be moved about


def _uri(database: Path) -> str:
    if obstacle(database):
        return uri_for_reading(database)
    return f"{database.absolute().as_uri()}?mode=ro"  # sees what is written from now on


def _check(draft: Path, *, of: Path) -> None:
    with explained(of), closing(sqlite3.connect(draft)) as connection:
        found = damage_in(connection)
    if found:
        raise StoreError(
            f"The session database {of} is damaged ({found}); no backup was made. "
            "Go back to an earlier one."
        )


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
