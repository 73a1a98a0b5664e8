"""A session database opened: made, or brought up to date from an earlier revision.

To add a revision: change the tables in ``database.py``, add what makes an older database the same
to ``migrations.yaml``, and its number to ``REVISIONS`` in ``reader.py``; the tests compare all
three. There are no downgrades: a database of a later version is refused. Servers came with revision
0006.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select, text
from sqlalchemy.exc import SQLAlchemyError

from interviewer.errors import StoreError, StoreWriteError
from interviewer.paths import make_own
from interviewer.settings.database_url import Place, Server
from interviewer.store import database as db
from interviewer.store.backup import back_up
from interviewer.store.failures import explained, obstacle, primary_code
from interviewer.store.reader import HEAD, file_revision, opened_for_reading, stored_revision


def connect(place: Place) -> db.Database:
    """Open the database there, creating it and its tables or migrating them as needed.

    One of an earlier version is copied before it is migrated, see ``before_migration``. Raises
    StoreError where it cannot be used, or a later version wrote it (it is left untouched),
    StoreWriteError where it cannot be created, written or migrated.
    """
    if isinstance(place, Server):
        from interviewer.store.server import open_server

        return open_server(place)
    return _open_file(place.expanduser().absolute())


def _open_file(path: Path) -> db.FileDatabase:
    with explained(path):
        make_own(path.parent)
        revision = None
        if not path.exists():
            # What people say of themselves is for their own eyes, also beside other files. SQLite
            # gives the files beside it the same permissions.
            path.touch(mode=0o600)
        else:
            with opened_for_reading(path, wait=db.BUSY_SECONDS) as connection:
                revision = file_revision(connection, path)
            if in_the_way := obstacle(path):
                raise StoreWriteError(in_the_way)
        has_log = _write_ahead(path)
    if revision != HEAD:
        _migrate(path)
    return db.FileDatabase(path, has_log=has_log)


def before_migration(path: Path, revision: str = HEAD) -> Path:
    """Where the database stays as it was before it was migrated to that revision."""
    return path.with_name(f"{path.stem}-before-{revision}{path.suffix}")


def _write_ahead(path: Path) -> bool:
    """Switch the file to a write-ahead log, so that readers and a writer don't block each other.

    Some file systems of other machines cannot have one; then the result is False.
    """
    deadline = time.monotonic() + db.BUSY_SECONDS
    with closing(sqlite3.connect(path, timeout=db.BUSY_SECONDS)) as connection:
        while True:
            try:
                [(mode,)] = connection.execute("PRAGMA journal_mode = WAL")
                return str(mode) == "wal"
            except sqlite3.OperationalError as error:
                # The switch itself does not wait for a lock; two first starts would collide.
                if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)


def _migrate(path: Path) -> None:
    # Foreign keys stay off: a revision that rebuilds a table drops the old one, which would
    # otherwise delete the rows that refer to it.
    engine = db.file_engine(path, foreign_keys=False)

    def keep(revision: str) -> None:
        """Copy a database of an earlier revision, so that no migration can cost a word."""
        if not before_migration(path).exists():
            back_up(path, before_migration(path))

    # A second process waits here, then finds nothing left to do.
    with explained(path, SQLAlchemyError), engine.connect() as connection, db.at_once(connection):
        bring_up_to_date(connection, path, keep)


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
    db.metadata.create_all(connection, checkfirst=False)
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
    for id_, said in connection.execute(select(db.turns.c.id, db.turns.c.text)).all():
        db.index_characters(connection, id_, said)


def _server_functions(connection: Connection) -> str:
    schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
    return str(statements()["server_functions"]).replace("SCHEMA", schema)
