"""One SQLite file: opened, migrated, and read or written through SQLAlchemy."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool

from interviewer.errors import StoreWriteError
from interviewer.paths import make_own
from interviewer.store.backup import back_up
from interviewer.store.peek import (
    HEAD,
    explain,
    explained,
    obstacle,
    opened_for_reading,
    primary_code,
    stored_revision,
    uri_for_reading,
)

if TYPE_CHECKING:
    from alembic.config import Config

_log = logging.getLogger(__name__)

BUSY_SECONDS = 10.0
"""How long a write waits for another process before it fails."""


class Database:
    """Connections to one session database; safe to use from any thread.

    ``obstacle`` is the sentence on why it can be read only, "" where it can be written.
    """

    def __init__(self, path: Path, *, has_log: bool = False, obstacle: str = "") -> None:
        self.path = path
        self._obstacle = obstacle
        self._engine = _engine(path, read_only=bool(obstacle))
        self._file = path.stat()
        self._has_log = has_log
        # Writers in this process queue here; SQLite would make them poll for its lock.
        self._writing = threading.Lock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view for several queries. Raises StoreError."""
        with _explained(self.path), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: after the block, everything is on disk or nothing is.

        Raises StoreError, or StoreWriteError where the disk or a lock prevents the write.
        """
        if self._obstacle:
            raise StoreWriteError(self._obstacle)
        with self._writing, _explained(self.path), self._engine.connect() as connection:
            connection.execution_options(begin="BEGIN IMMEDIATE")
            with connection.begin():
                self._require_files()
                yield connection

    def merge(self) -> None:
        """Merge the log into the file, so that what is said does not hang on the log alone.

        Who copies or keeps only the file then has all of it. The commits themselves are on disk
        before: what could not be merged now will be after the next.
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
        log = self.path.with_name(f"{self.path.name}-wal")
        try:
            same = os.path.samestat(self.path.stat(), self._file)
            kept = same and (log.exists() or not self._has_log)
        except OSError:
            kept = False
        if kept:
            return
        raise StoreWriteError(
            f"The session database {self.path} or its log was deleted or replaced while it was in "
            "use, so nothing more is saved: put it back, or start the program again."
        )

    def close(self) -> None:
        """Close the connections; SQLite then merges its write-ahead log into the file."""
        self._engine.dispose()


def open_database(path: Path) -> Database:
    """Open the database at ``path``, creating it, its folder and its tables as needed.

    Where permissions let it be read only, it is: then every write raises StoreWriteError.

    Raises NewerDatabaseError where a later version wrote it (it is left untouched), StoreError
    where the file is damaged or belongs to another program, and StoreWriteError where it cannot be
    created or migrated. A file of an earlier version is copied first, see ``before_migration``.
    """
    path = path.expanduser().absolute()
    with explained(path):
        make_own(path.parent)
        revision = None
        if not path.exists():
            # What people say of themselves is for their own eyes, also beside other files. SQLite
            # gives the files beside it the same permissions.
            path.touch(mode=0o600)
        else:
            with opened_for_reading(path, wait=BUSY_SECONDS) as connection:
                revision = stored_revision(connection, path)
            if in_the_way := obstacle(path):
                return _read_only(path, revision, in_the_way)
        has_log = _write_ahead(path)
    if revision != HEAD:
        _migrate(path)
    return Database(path, has_log=has_log)


def _read_only(path: Path, revision: str | None, in_the_way: str) -> Database:
    if revision is None:
        raise StoreWriteError(in_the_way)
    if revision != HEAD:
        raise StoreWriteError(
            f"The session database {path} was written by an earlier version and cannot be brought "
            "up to date where it is, since it is read-only: copy it into a folder of your own, and "
            "name the copy with --database."
        )
    return Database(path, obstacle=in_the_way)


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
    with _explained(path), engine.connect() as connection:
        connection.execution_options(begin="BEGIN IMMEDIATE")
        with connection.begin():  # a second process waits here, then finds nothing left to do
            _keep_as_it_is(path)
            upgrade(connection, "head")


def _keep_as_it_is(path: Path) -> None:
    """Copy a database of an earlier revision, so that no migration can cost a word."""
    copy = before_migration(path)
    with opened_for_reading(path, wait=BUSY_SECONDS) as connection:
        revision = stored_revision(connection, path)
    if revision not in (None, HEAD) and not copy.exists():
        back_up(path, copy)


def upgrade(connection: Connection, revision: str) -> None:
    """Run the migrations up to a revision, in the transaction that ``connection`` is in."""
    from alembic import command  # slow to import, and rarely needed

    command.upgrade(_migrations(connection), revision)


def stamp(connection: Connection, revision: str) -> None:
    """Note that the tables are those of a revision, in the transaction of ``connection``."""
    from alembic import command

    command.stamp(_migrations(connection), revision)


def _migrations(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    scripts = Path(__file__).with_name("migrations")
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _engine(path: Path, *, foreign_keys: bool = True, read_only: bool = False) -> Engine:
    def connect() -> sqlite3.Connection:
        # Read-only connections are all new: somebody else may begin to write at any time.
        name = uri_for_reading(path) if read_only else str(path)
        return sqlite3.connect(name, BUSY_SECONDS, uri=read_only, check_same_thread=False)

    pool = QueuePool if foreign_keys and not read_only else NullPool
    engine = create_engine("sqlite://", creator=connect, poolclass=pool)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, see below
        connection.execute(f"PRAGMA foreign_keys = {foreign_keys:d}")
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A write takes the lock at once; one that began as a read could be refused halfway.
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))

    return engine


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLAlchemy and SQLite, and values that neither can store, into StoreErrors."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, ValueError) as error:
        cause = getattr(error, "orig", None)
        raise explain(cause or error, path) from error
