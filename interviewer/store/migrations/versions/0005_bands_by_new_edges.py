"""The mean band in the list of sessions is read off the scores by the edges of today's bands.

The scores of grades stay as they are, and every other place reads their bands off them anyway.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

EDGES = (0.1, 0.35, 0.65, 0.85)
"""Those of this revision, whatever becomes of the bands later."""


def upgrade() -> None:
    connection = op.get_bind()
    finished = "SELECT id FROM sessions WHERE band IS NOT NULL AND status = 'finished'"
    for (session,) in connection.execute(sa.text(finished)).fetchall():
        bands = _bands(_entries(connection, session))
        if bands:
            connection.execute(
                sa.text("UPDATE sessions SET band = :band WHERE id = :session"),
                {"band": sum(bands) / len(bands), "session": session},
            )


def _entries(connection: sa.Connection, session: str) -> list[tuple[str, dict[str, Any]]]:
    """Questions and grades, oldest first; none if one is damaged, which opening it tells."""
    stored = connection.execute(
        sa.text(
            "SELECT kind, CAST(payload AS BLOB) FROM entries WHERE session_id = :session "
            "AND kind IN ('question', 'grade') ORDER BY seq"
        ),
        {"session": session},
    )
    try:
        return [(kind, json.loads(payload)) for kind, payload in stored]
    except ValueError:
        return []


def _bands(entries: Iterable[tuple[str, dict[str, Any]]]) -> list[int]:
    """The band of each question's last grade, but for drills of a single point."""
    scores: dict[tuple[int, int], float | None] = {}
    drills: set[tuple[int, int]] = set()
    for kind, payload in entries:
        place = payload["round"], payload["question"]
        if kind == "grade":
            scores[place] = payload["grade"]["final"]
        elif payload.get("point"):
            drills.add(place)
    return [
        sum(score >= edge - 1e-9 for edge in EDGES)
        for place, score in scores.items()
        if score is not None and place not in drills
    ]
