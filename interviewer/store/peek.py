"""A glance at the database for the first screen, before anything heavy is imported.

Standard library only. Nothing is created or migrated, and no file is left beside the database.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from interviewer.errors import StoreError
from interviewer.store.failures import explained
from interviewer.store.revision import opened_for_reading, stored_revision

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
