"""Copies of the session database, taken while it is in use and checked before they count."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from interviewer.errors import StoreError, StoreWriteError
from interviewer.paths import make_own
from interviewer.store.failures import damaged, explained
from interviewer.store.reader import (
    HEAD,
    PATIENCE,
    decoded,
    file_revision,
    opened_for_reading,
)

WAIT_SECONDS = 10.0
_PAGES = 1_000
"""Copied at a time: a writer waits for no more than these."""
_NAMED = 3
"""So many damaged parts are named."""
_READ = {
    "times": "SELECT updated_at, (SELECT max(at) FROM entries WHERE session_id = ?1) "
    "FROM sessions WHERE id = ?1",
    "entries": "SELECT seq, CAST(payload AS BLOB) FROM entries WHERE session_id = ? ORDER BY seq",
    "turns": "SELECT number, CAST(text AS BLOB) FROM turns WHERE session_id = ?",
    "rubrics": "SELECT rubric, sha256 FROM session_rubrics WHERE session_id = ?",
    "beside": "SELECT CAST(each AS BLOB) FROM (SELECT session_id, body AS each FROM "
    "session_challenges UNION ALL SELECT session_id, grades FROM regrades UNION ALL SELECT "
    "session_id, appeal FROM own_verdicts UNION ALL SELECT id, json_quote(CAST(plan_title || "
    "headline AS TEXT)) FROM sessions UNION ALL SELECT session_id, json_quote(CAST(text AS TEXT)) "
    "FROM drafts) WHERE session_id = ? AND each IS NOT NULL",
}
"""What is read of each session, to compare its parts with each other."""


def back_up(database: Path, copy: Path) -> None:
    """Write ``copy``: all that is committed in ``database`` now, by SQLite's online backup.

    The copy appears whole, on disk and readable by its owner alone, or not at all. Damaged indexes
    are made anew in it. Raises StoreError where the database can't be read or other pages are
    damaged, StoreWriteError where the copy exists already or can't be written.
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
            with suppress(sqlite3.DatabaseError):
                found = _renew_indexes(draft)
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
    uri = f"{database.absolute().as_uri()}?mode=ro"
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
            current = file_revision(connection, path) == HEAD  # else it is migrated first
            parts = [*islice(_damaged_parts(connection), _NAMED + 1)] if current else []
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


def _renew_indexes(draft: Path) -> str:
    """Make the indexes anew from the tables; what is damaged still, "" if nothing is."""
    with closing(sqlite3.connect(draft)) as connection:
        [(size,)] = connection.execute("PRAGMA page_size")
        roots = [*connection.execute("SELECT rootpage FROM sqlite_master WHERE type = 'index'")]
    with draft.open("r+b") as file:  # SQLite would read a damaged index to clear it: empty leaves
        for (page,) in roots:
            file.seek((page - 1) * size)
            file.write(b"\x0a\0\0\0\0" + (size & 0xFFFF).to_bytes(2, "big") + b"\0")
    with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
        for step in ("REINDEX", "INSERT INTO turn_words (turn_words) VALUES ('rebuild')", "VACUUM"):
            connection.execute(step)
        return _damaged_page(connection)


def _damaged_parts(connection: sqlite3.Connection) -> Iterator[str]:
    """What is no longer as it was stored, with the session that it belongs to."""
    copies = connection.execute("SELECT sha256, CAST(body AS BLOB) FROM rubric_snapshots")
    whole = {key for key, body in copies if sha256(body).hexdigest() == key}
    sessions = "SELECT id FROM sessions UNION SELECT session_id FROM entries"
    for (session,) in connection.execute(sessions).fetchall():
        rows = {name: connection.execute(sql, [session]).fetchall() for name, sql in _READ.items()}
        yield from (f"{part} of session {session}" for part in _damaged_in(rows, whole))


def _damaged_in(rows: Mapping[str, Sequence[Any]], whole: Collection[str]) -> Iterator[str]:
    if not rows["times"] or len(set(rows["times"][0])) > 1:
        yield "the latest entry or the line in the list"
    said = dict[int, str]()
    for place, (seq, payload) in enumerate(rows["entries"], 1):
        event = _parsed(payload)
        if not isinstance(event, dict) or seq != place:
            yield f"entry {place}"
            break
        words = event.get("text", event.get("source"))  # what was run is a turn as well
        if "turn" in event and words is not None:
            said[event["turn"]] = words
    turns = {number: decoded(text) for number, text in rows["turns"]}
    yield from (f"turn {each}" for each, text in said.items() if turns.get(each) != text)
    yield from (f"the copy of rubric {each}" for each, key in rows["rubrics"] if key not in whole)
    if any(_parsed(each) is None for (each,) in rows["beside"]):
        yield "what is stored beside the journal"


def _parsed(stored: bytes) -> Any:
    """The JSON value, None where it is damaged."""
    try:
        return json.loads(stored.decode(errors="surrogatepass"))
    except ValueError:
        return None
