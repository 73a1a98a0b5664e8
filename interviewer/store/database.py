"""The session database through SQLAlchemy, and the one in an SQLite file: opened and migrated."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Executable, create_engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool

from interviewer.errors import StoreWriteError
from interviewer.paths import make_own
from interviewer.settings.database_url import Place, Server
from interviewer.store.backup import back_up
from interviewer.store.failures import explain, explained, obstacle, primary_code
from interviewer.store.migrations import bring_up_to_date
from interviewer.store.reader import HEAD, READABLE, file_revision, opened_for_reading

_log = logging.getLogger(__name__)

BUSY_SECONDS = 10.0
"""How long a write waits for another process before it fails."""


class Database:
    """Connections to one session database; safe to use from any thread.

    ``reading`` are the options of a connection that only reads.
    """

    def __init__(self, place: Place, engine: Engine, **reading: object) -> None:
        self.place = place
        self._engine = engine
        self._reading = reading

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, sqlite3.Error, ValueError, OSError) as error:
            raise explain(error, self.place) from error

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view for several queries. Raises StoreError."""
        with self._connected() as connection:
            yield connection.execution_options(**self._reading)

    def rows(self, statement: Executable) -> Sequence[Any]:
        """What one query finds. Raises StoreError."""
        with self.read() as connection:
            return connection.execute(statement).all()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: after the block, everything is on disk or nothing is.

        Where the connection to a server breaks while that acknowledges, it may be there although
        StoreWriteError is raised. Raises StoreError, or StoreWriteError where something prevents
        the write.
        """
        with self._connected() as connection, connection.begin():
            yield connection

    def merge(self) -> None:
        """Let what was written not hang on a log beside the data alone, where there is one."""

    def close(self) -> None:
        """Close the connections; SQLite then merges its write-ahead log into the file."""
        self._engine.dispose()


class FileDatabase(Database):
    """An SQLite file. ``has_log`` says whether it has a write-ahead log."""

    def __init__(self, path: Path, *, has_log: bool) -> None:
        super().__init__(path, _engine(path))
        self._path = path
        self._file = path.stat()
        self._has_log = has_log
        # Writers in this process queue here; SQLite would make them poll for its lock.
        self._writing = threading.Lock()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self._writing, self._connected() as connection, _at_once(connection):
            self._require_files()
            yield connection

    def merge(self) -> None:
        """Who copies or keeps only the file then has all of it.

        The commits themselves are on disk before: what could not be merged now will be after the
        next.
        """
        try:
            with self._writing, self._engine.connect() as connection:
                raw = connection.connection.driver_connection
                if raw is not None:  # outside a transaction, which SQLAlchemy would begin
                    raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except (SQLAlchemyError, sqlite3.Error) as error:
            _log.warning("log not merged", extra={"facts": {"error": str(error)}})

    def _require_files(self) -> None:
        """Raises StoreWriteError where the file was taken away: it would take writes unseen."""
        log = self._path.with_name(f"{self._path.name}-wal")
        try:
            same = os.path.samestat(self._path.stat(), self._file)
            kept = same and (log.exists() or not self._has_log)
        except OSError:
            kept = False
        if kept:
            return
        raise StoreWriteError(
            f"The session database {self._path} or its log was deleted or replaced while it was "
            "in use, so nothing more is saved: put it back, or start the program again."
        )


def connect(place: Place) -> Database:
    """Open the database there, creating it and its tables or migrating them as needed.

    One of an earlier version is copied before it is migrated, see ``before_migration``. Raises
    StoreError where it cannot be used, or a later version wrote it (it is left untouched),
    StoreWriteError where it cannot be created, written or migrated.
    """
    if isinstance(place, Server):
        from interviewer.store.server import open_server

        return open_server(place)
    return _open_file(place.expanduser().absolute())


def _open_file(path: Path) -> FileDatabase:
    with explained(path):
        make_own(path.parent)
        revision = None
        if not path.exists():
            # What people say of themselves is for their own eyes, also beside other files. SQLite
            # gives the files beside it the same permissions.
            path.touch(mode=0o600)
        else:
            with opened_for_reading(path, wait=BUSY_SECONDS) as connection:
                revision = file_revision(connection, path)
            if in_the_way := obstacle(path):
                raise StoreWriteError(in_the_way)
        has_log = _write_ahead(path)
    if revision != HEAD:
        _migrate(path)
    return FileDatabase(path, has_log=has_log)


def before_migration(path: Path, revision: str = HEAD) -> Path:
    """Where the database stays as it was before it was migrated to that revision."""
    return path.with_name(f"{path.stem}-before-{revision}{path.suffix}")


def _write_ahead(path: Path) -> bool:
    """Switch the file to a write-ahead log, so that readers and a writer don't block each other.

    Some file systems of other machines cannot have one; then the result is False.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
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
    engine = _engine(path, foreign_keys=False)

    def keep(revision: str) -> None:
        """Copy a database of an earlier revision, so that no migration can cost a word."""
        if not before_migration(path).exists():
            back_up(path, before_migration(path))

    # A second process waits here, then finds nothing left to do.
    with explained(path, SQLAlchemyError), engine.connect() as connection, _at_once(connection):
        bring_up_to_date(connection, path, keep)


@contextmanager
def _at_once(connection: Connection) -> Iterator[None]:
    """A transaction that takes the lock now; one that began as a read could be refused halfway."""
    connection.execution_options(begin="BEGIN IMMEDIATE")
    with connection.begin():
        yield


def _engine(path: Path, *, foreign_keys: bool = True) -> Engine:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(path, BUSY_SECONDS, check_same_thread=False)

    pool = QueuePool if foreign_keys else NullPool
    engine = create_engine("sqlite://", creator=connect, poolclass=pool)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, see below
        connection.text_factory = READABLE
        connection.execute(f"PRAGMA foreign_keys = {foreign_keys:d}")
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))

    return engine
