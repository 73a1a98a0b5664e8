"""What the store asks of a database, whichever it is, and the way to the one at a place."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import Connection

from interviewer.settings.database_url import Place, Server
from interviewer.store.database import open_database
from interviewer.store.server import open_server


class Connections(Protocol):
    """Connections to one session database; safe to use from any thread."""

    def read(self) -> AbstractContextManager[Connection]:
        """A consistent view for several queries. Raises StoreError."""
        ...

    def write(self) -> AbstractContextManager[Connection]:
        """One transaction: after the block, everything is on disk or nothing is.

        Raises StoreError, or StoreWriteError where something prevents the write.
        """
        ...

    def merge(self) -> None:
        """Let what was written not hang on a log beside the data alone, where there is one."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


def connect(place: Place) -> Connections:
    """Open the database there, creating and migrating it as needed.

    Raises NewerDatabaseError where a later version wrote it (it is left untouched), StoreError
    where it cannot be used, StoreWriteError where it cannot be created or migrated.
    """
    return open_server(place) if isinstance(place, Server) else open_database(place)
