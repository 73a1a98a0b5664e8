"""Later gradings of a session, beside the one it ended with."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select

from interviewer.store import tables
from interviewer.store.database import Database
from interviewer.store.records import RegradeRecord
from interviewer.store.sessions import require_session


class Regrades:
    """Regrades by session; none is ever replaced, and they go with their session.

    All methods raise StoreError where the database cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, session_id: str, *, at: datetime, examiner: str, version: str, grades: dict[str, Any]
    ) -> int:
        """Keep a regrade and return its number in the session. Raises UnknownNameError."""
        regrade = tables.Regrade
        last = select(func.max(regrade.number)).where(regrade.session_id == session_id)
        with self._database.write() as connection:
            require_session(connection, session_id)
            record = RegradeRecord(
                (connection.scalar(last) or 0) + 1, at, examiner, version, grades
            )
            connection.execute(insert(regrade).values(session_id=session_id, **vars(record)))
        return record.number

    def of(self, session_id: str) -> list[RegradeRecord]:
        """The regrades of a session, oldest first; none where it is not there."""
        regrade = tables.Regrade
        statement = (
            select(*tables.columns(regrade, RegradeRecord))
            .where(regrade.session_id == session_id)
            .order_by(regrade.number)
        )
        with self._database.read() as connection:
            return [RegradeRecord(*row) for row in connection.execute(statement)]
