"""The tables of a new database, and what brings one of an earlier revision up to date.

To add a revision: change ``tables.py``, add what makes an older database the same to
``migrations.yaml``, and its number to ``REVISIONS`` in ``reader.py``; the tests compare all three.
There are no downgrades: a database of a later version is refused. Servers came with revision 0006.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from sqlalchemy import Connection, select, text

from interviewer.errors import StoreError
from interviewer.settings.database_url import Place
from interviewer.store.reader import HEAD, stored_revision
from interviewer.store.tables import index_characters, metadata, turns

_OF_SESSION = "FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE"


@cache
def statements() -> dict[str, Any]:
    """The SQL in ``migrations.yaml``."""
    from interviewer.rubric.text import table  # a database of today needs none of it

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
            if step == "find_each_character":
                _find_each_character(connection)
            else:
                connection.exec_driver_sql(step.format(**words))
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
    metadata.create_all(connection, checkfirst=False)
    for statement in (*search, *statements()["version"]):
        connection.exec_driver_sql(statement.replace("{head}", HEAD))


def _find_each_character(connection: Connection) -> None:
    """What is written without spaces is found by each of its characters."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_server_functions(connection))
        connection.exec_driver_sql("REINDEX INDEX turn_words_index")
        return
    for statement in statements()["file_characters"]:
        connection.exec_driver_sql(statement)
    for id_, said in connection.execute(select(turns.c.id, turns.c.text)).all():
        index_characters(connection, id_, said)


def _server_functions(connection: Connection) -> str:
    schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
    return str(statements()["server_functions"]).replace("SCHEMA", schema)
