"""Copies of the session database, taken while it is in use and checked before they count."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from itertools import islice
from pathlib import Path

from interviewer.errors import StoreError, StoreWriteError
from interviewer.paths import make_own
from interviewer.store.failures import damaged, explained, obstacle
from interviewer.store.reader import (
    PATIENCE,
    decoded,
    opened_for_reading,
    uri_for_reading,
)

WAIT_SECONDS = 10.0
_PAGES = 1_000
"""Copied at a time: a writer waits for no more than these."""
_NAMED = 3
"""So many damaged parts are named."""


def back_up(database: Path, copy: Path) -> None:
    """Write ``copy``: all that is committed in ``database`` now, by SQLite's online backup.

    The copy appears whole, on disk and readable by its owner alone, or not at all. Raises
    StoreError where the database can't be read or its pages are damaged, StoreWriteError where the
    copy exists already or can't be written.
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
    """What is wrong within the file, in a sentence, "" if it is sound; reads all of it."""
    try:
        with explained(path), opened_for_reading(path, wait=PATIENCE) as connection:
            if found := _damaged_page(connection):
                return damaged(path, found)
            connection.text_factory = bytes
            parts = list(islice(_damaged_parts(connection), _NAMED + 1))
    except StoreError as error:
        return str(error)
    if not parts:
        return ""
    more = " and more" if len(parts) > _NAMED else ""
    return (
        f"The session database {path} is damaged in {', '.join(parts[:_NAMED])}{more}; all else "
        "can be read. An earlier backup may still have it."
    )


def _damaged_page(connection: sqlite3.Connection) -> str:
    """What SQLite's full check finds first, on one line, "" if all is sound."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if found == "ok" else " ".join(str(found).split())


def _damaged_parts(connection: sqlite3.Connection) -> Iterator[str]:
    """What can no longer be read as it was stored, with the session that it belongs to."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'entries'").fetchone():
        return
    entries = "SELECT seq, session_id, payload FROM entries ORDER BY session_id, seq"
    for seq, session, payload in connection.execute(entries):
        if not _can_be_read(payload, json.loads):
            yield f"entry {seq} of session {decoded(session)}"
    turns = "SELECT number, session_id, text FROM turns ORDER BY session_id, number"
    for number, session, said in connection.execute(turns):
        if not _can_be_read(said, str):
            yield f"turn {number} of session {decoded(session)}"
    copies = connection.execute("SELECT sha256, body FROM rubric_snapshots")
    broken = {key for key, body in copies if sha256(body).hexdigest().encode() != key}
    users = "SELECT sha256, rubric, min(session_id), count(*) FROM session_rubrics GROUP BY 1"
    for key, rubric, session, count in connection.execute(users):
        if key in broken:
            others = f" and {count - 1} others" if count > 1 else ""
            yield f"the copy of rubric {decoded(rubric)} of session {decoded(session)}{others}"


def _can_be_read(stored: bytes, value: Callable[[str], object]) -> bool:
    try:
        value(stored.decode(errors="surrogatepass"))
    except ValueError:
        return False
    return True
