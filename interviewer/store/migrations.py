"""The tables of a new database, and what brings one of an earlier revision up to date.

To add a revision: change ``tables.py``, add what makes an older database the same to
``migrations.yaml``, and its number to ``REVISIONS`` in ``reader.py``; the tests compare all three.
There are no downgrades: a database of a later version is refused. Servers came with revision 0006.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from sqlalchemy import Connection, select, text

from interviewer.errors import StoreError
from interviewer.settings.database_url import Place
from interviewer.store.reader import HEAD, decoded, stored_revision
from interviewer.store.tables import Base, StoredTurn, index_characters

EDGES = (0.1, 0.35, 0.65, 0.85)
"""Those of revision 0005, whatever becomes of the bands later."""


@cache
def statements() -> dict[str, Any]:
    """The SQL in ``migrations.yaml``."""
    from interviewer.yaml_tables import table  # a database of today needs none of it

    found: dict[str, Any] = table("migrations", "interviewer.store")
    return found


def bring_up_to_date(
    connection: Connection, place: Place, keep: Callable[[str], None] = lambda _: None
) -> None:
    """Make the tables or migrate them, in the transaction that ``connection`` is in.

    ``keep`` is called with the revision before anything of an earlier one is changed.
    """
    revision = connected_revision(connection, place)
    if revision is None:
        _create(connection, place)
    elif revision != HEAD:
        keep(revision)
        upgrade(connection, HEAD)


def connected_revision(connection: Connection, place: Place) -> str | None:
    """As :func:`stored_revision`, of an open connection."""
    return stored_revision(place, lambda query: connection.scalars(text(query)))


def upgrade(connection: Connection, to: str) -> None:
    """Do what is left up to a revision, in the transaction that ``connection`` is in."""
    words = statements()["types"][connection.dialect.name] | {"of_session": _OF_SESSION}
    current = connection.scalar(text("SELECT version_num FROM alembic_version")) or HEAD
    for revision, steps in statements()["steps"].items():
        if not current < revision <= to:
            continue
        for step in steps:
            if isinstance(step, str):
                connection.exec_driver_sql(step.format(**words))
            else:
                _CALLED[step["call"]](connection)
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))


def _create(connection: Connection, place: Place) -> None:
    if connection.dialect.name == "postgresql":
        encoding = connection.scalar(text("SHOW server_encoding"))
        if encoding != "UTF8":
            raise StoreError(
                f"The database {place} is encoded as {encoding}, which cannot hold every text; "
                "make one with createdb --encoding=UTF8 --template=template0."
            )
        functions = _server_functions(connection)
        search = [statements()["server_search"], functions, *statements()["server_index"]]
    else:
        search = [*statements()["file_search"], *statements()["file_characters"]]
    Base.metadata.create_all(connection, checkfirst=False)
    for statement in (*search, *statements()["version"]):
        connection.exec_driver_sql(statement.replace("{head}", HEAD))


def _take_bands_by_new_edges(connection: Connection) -> None:
    """The mean band in the list of sessions, read off the scores by the edges of this revision.

    The scores stay as they are, and every other place reads its bands off them anyway.
    """
    finished = "SELECT id FROM sessions WHERE band IS NOT NULL AND status = 'finished'"
    for session in connection.scalars(text(finished)).all():
        if bands := _bands(_questions_and_grades(connection, session)):
            connection.execute(
                text("UPDATE sessions SET band = :band WHERE id = :session"),
                {"band": sum(bands) / len(bands), "session": session},
            )


def _questions_and_grades(connection: Connection, session: str) -> list[tuple[str, Any]]:
    """Oldest first; none if one is damaged, which is reported when the session is opened."""
    stored = connection.execute(
        text(
            "SELECT kind, CAST(payload AS BLOB) FROM entries WHERE session_id = :session "
            "AND kind IN ('question', 'grade') ORDER BY seq"
        ),
        {"session": session},
    )
    try:
        return [(kind, json.loads(decoded(payload))) for kind, payload in stored]
    except ValueError:
        return []


def _bands(entries: Iterable[tuple[str, Any]]) -> list[int]:
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


def _take_owners(connection: Connection) -> None:
    """On a server, sessions go to the user who migrates, by whose name a URL has them opened.

    In a file whoever could open it saw all of it. So it stays: they have no owner.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("UPDATE sessions SET owner = session_user"))


def _find_each_character(connection: Connection) -> None:
    """What is written without spaces is found by each of its characters."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_server_functions(connection))
        connection.exec_driver_sql("REINDEX INDEX turn_words_index")
        return
    for statement in statements()["file_characters"]:
        connection.exec_driver_sql(statement)
    for id_, said in connection.execute(select(StoredTurn.id, StoredTurn.text)).all():
        index_characters(connection, id_, said)


def _server_functions(connection: Connection) -> str:
    schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
    return str(statements()["server_functions"]).replace("SCHEMA", schema)


_OF_SESSION = "FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE"
_CALLED = {
    "take_bands_by_new_edges": _take_bands_by_new_edges,
    "take_owners": _take_owners,
    "find_each_character": _find_each_character,
}
