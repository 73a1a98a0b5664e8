"""One SQLite file: opened, migrated, and read or written through SQLAlchemy."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from interviewer.store.peek import (
    HEAD,
    explain,
    explained,
    opened_for_reading,
    primary_code,
    stored_revision,
)

if TYPE_CHECKING:
    from alembic.config import Config

_SCRIPTS = Path(__file__).with_name("migrations")


def migration_config(connection: Connection) -> Config:
    """Alembic's configuration for this connection, without an ini file."""
    from alembic.config import Config  # slow to import, and needed only for an older database

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run what is missing, inside the write transaction that ``connection`` is in.

    That transaction is the lock: a second process waits for it, then finds nothing left to do.
    """
    from alembic import command

    command.upgrade(migration_config(connection), "head")


BUSY_SECONDS = 10.0
"""How long a write waits for another process before it fails."""


class Database:
    """Connections to one session database; safe to use from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = _engine(path)
        # Writers of this process queue here: SQLite itself would have them poll for the lock.
        self._writing = threading.Lock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view for some queries. Raises StoreError."""
        with _sentences(self.path), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of the block is on disk after it, or nothing is.

        Raises StoreError, StoreWriteError where the disk or a lock is in the way.
        """
        with self._writing, _sentences(self.path), self._engine.connect() as connection:
            connection.execution_options(begin="BEGIN IMMEDIATE")
            with connection.begin():
                yield connection

    def close(self) -> None:
        """Close the connections; SQLite then folds its write-ahead log into the file."""
        self._engine.dispose()


def open_database(path: Path) -> Database:
    """Open the database at ``path``; create it, its folder and its tables as needed.

    Raises NewerDatabaseError where a later version wrote it, before anything is touched;
    StoreError where the file is damaged or another program's; StoreWriteError where it cannot be
    created or migrated.
    """
    path = path.expanduser().absolute()
    with explained(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        revision = None
        if path.exists():
            with opened_for_reading(path, wait=BUSY_SECONDS) as connection:
                revision = stored_revision(connection, path)
        _write_ahead(path)
    if revision != HEAD:
        _migrate(path)
    return Database(path)


def _write_ahead(path: Path) -> None:
    """Switch the file to a write-ahead log: readers and a writer then don't wait for each other."""
    deadline = time.monotonic() + BUSY_SECONDS
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                # The switch does not wait for a lock by itself; two first starts would collide.
                if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)


def _migrate(path: Path) -> None:
    # Foreign keys stay off: a revision that rebuilds a table drops the old one, and with them on
    # that would delete the rows that refer to it.
    engine = _engine(path, foreign_keys=False)
    with _sentences(path), engine.connect() as connection:
        connection.execution_options(begin="BEGIN IMMEDIATE")
        with connection.begin():
            upgrade(connection)


def _engine(path: Path, *, foreign_keys: bool = True) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": BUSY_SECONDS},
        poolclass=None if foreign_keys else NullPool,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so, see below
        connection.execute(f"PRAGMA foreign_keys = {foreign_keys:d}")
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A write takes the lock at once: one that began as a read could be refused halfway.
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))

    return engine


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Raise what SQLAlchemy and SQLite say, or a value that neither can hold, as a StoreError."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, ValueError) as error:
        cause = getattr(error, "orig", None)
        raise explain(cause or error, path) from error
