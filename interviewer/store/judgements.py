"""Judgements kept so that the same answer is judged once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects import sqlite

from interviewer.store import tables
from interviewer.store.database import Database


class Judgements:
    """JSON values by a key that stands for all that decided them.

    What the key and the value hold is the caller's affair. All methods raise StoreError where the
    database cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> dict[str, Any] | None:
        """What was kept under the key, None where nothing was."""
        judgement = tables.Judgement
        with self._database.read() as connection:
            statement = select(judgement.body).where(judgement.key == key)
            return connection.execute(statement).scalar_one_or_none()

    def put(self, key: str, body: dict[str, Any]) -> None:
        """Keep a value, in place of one that was kept under the same key."""
        values: dict[str, Any] = {"body": body, "created_at": datetime.now(UTC)}
        with self._database.write() as connection:
            statement = sqlite.insert(tables.Judgement).values(key=key, **values)
            connection.execute(statement.on_conflict_do_update(set_=values))
