"""Which revision a database file carries, read without opening it for writing.

Standard library only, so that a look at the file costs milliseconds: alembic is imported only
where there is something to migrate, sqlalchemy only where there is something to write.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from interviewer.errors import NewerDatabaseError, StoreError
from interviewer.store.failures import OTHER_FILE

REVISIONS = ("0001", "0002", "0003")
"""Every revision this version of the program knows, oldest first, as in ``migrations/versions``."""

HEAD = REVISIONS[-1]


@contextmanager
def opened_for_reading(path: Path, *, wait: float) -> Iterator[sqlite3.Connection]:
    """The file as it is, without leaving a trace beside it.

    ``wait`` is how many seconds to hold out for a lock. Raises sqlite3.Error and OSError.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    uri = _uri(path)
    with closing(sqlite3.connect(uri, wait, isolation_level=None, uri=True)) as connection:
        yield connection


def _uri(path: Path) -> str:
    """SQLite's address of the file, in the most cautious mode that still sees all of it."""
    if path.with_name(f"{path.name}-journal").exists():
        access = "mode=rw"  # what a crash left half-written has to be rolled back before a look
    elif path.with_name(f"{path.name}-wal").exists():
        access = "mode=ro"
    else:
        access = "mode=ro&immutable=1"  # nobody has it open; plain "ro" would leave a -shm file
    return f"{path.absolute().as_uri()}?{access}"


def stored_revision(connection: sqlite3.Connection, path: Path) -> str | None:
    """The revision of the database, None where it is empty.

    Raises NewerDatabaseError where a later version of the program wrote it, StoreError where it
    belongs to another program, and sqlite3.Error.
    """
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not tables:
        return None
    ours = {"alembic_version", "sessions"} <= tables
    row = ours and connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if not row:
        raise StoreError(
            f"The file {path} is the database of another program; nothing in it was touched; "
            f"{OTHER_FILE}."
        )
    revision = str(row[0])
    if revision not in REVISIONS:
        raise NewerDatabaseError(
            f"The session database {path} was written by a later version of this program "
            f"(revision {revision}, this one knows up to {HEAD}), and nothing in it was touched; "
            f"upgrade, or {OTHER_FILE}."
        )
    return revision
