"""Whether the session that a row is to hang on is there."""

from __future__ import annotations

from sqlalchemy import Connection, select

from interviewer.errors import UnknownNameError
from interviewer.store import tables


def require_session(connection: Connection, session_id: str) -> None:
    """Raise UnknownNameError where there is no such session."""
    sessions = tables.Session
    if connection.scalar(select(sessions.id).where(sessions.id == session_id)) is None:
        raise UnknownNameError(gone(session_id))


def gone(session_id: str) -> str:
    """The sentence for a session that is not there."""
    return (
        f"The session {session_id!r} is not in the database (it may have been deleted elsewhere); "
        "`interviewer sessions list` shows those that are."
    )
