"""Copies of the session database, taken while it is in use and checked before they count."""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

from interviewer.errors import StoreError, StoreWriteError
from interviewer.paths import make_own
from interviewer.store.failures import DAMAGED, explained, obstacle
from interviewer.store.reader import PATIENCE, opened_for_reading, uri_for_reading

WAIT_SECONDS = 10.0
_PAGES = 1_000
"""Copied at a time: a writer waits for no more than these."""


def back_up(database: Path, copy: Path) -> None:
    """Write ``copy``: all that is committed in ``database`` now, by SQLite's online backup.

    The copy appears whole, on disk and readable by its owner alone, or not at all. Raises
    StoreError where the database can't be read or is damaged, StoreWriteError where the copy exists
    already or can't be written.
    """
    if copy.exists():
        raise StoreWriteError(f"{copy} exists already; choose another name for the backup.")
    draft = copy.with_name(f".{copy.name}.{secrets.token_hex(4)}")
    try:
        with explained(copy):
            make_own(copy.parent)
            draft.touch(mode=0o600, exist_ok=False)
        _copy_pages(database, draft)
        with explained(database), closing(sqlite3.connect(draft)) as connection:
            found = _damaged_page(connection)
        if found:
            raise StoreError(
                f"The session database {database} is damaged ({found}); no backup was made. "
                "Go back to an earlier one."
            )
        with explained(copy):
            _to_disk(draft)
            draft.replace(copy)
            _to_disk(copy.parent)
    finally:
        draft.unlink(missing_ok=True)


def _copy_pages(database: Path, draft: Path) -> None:
    writable = f"{database.absolute().as_uri()}?mode=ro"  # sees what is written from now on
    uri = uri_for_reading(database) if obstacle(database) else writable
    with (
        explained(database),
        closing(sqlite3.connect(uri, uri=True)) as source,
        closing(sqlite3.connect(draft, timeout=WAIT_SECONDS)) as target,
    ):
        source.execute(f"PRAGMA busy_timeout = {WAIT_SECONDS * 1000:.0f}")
        source.execute("SELECT 1 FROM sqlite_master").fetchone()  # else a locked file looks empty
        source.backup(target, pages=_PAGES, sleep=0.01)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, to be moved about


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def find_damage(path: Path) -> str:
    """What SQLite's check of the whole file finds first, in a sentence, "" if it is sound."""
    try:
        with explained(path), opened_for_reading(path, wait=PATIENCE) as connection:
            found = _damaged_page(connection)
            return f"The session database {path} {DAMAGED.format(error=found)}" if found else ""
    except StoreError as error:
        return str(error)


def _damaged_page(connection: sqlite3.Connection) -> str:
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if found == "ok" else " ".join(str(found).split())
