"""One PostgreSQL database, which many people share: opened, migrated, and read as it is."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import Engine, create_engine, event, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from interviewer.errors import StoreError
from interviewer.settings.database_url import Server
from interviewer.store.database import Database
from interviewer.store.failures import OTHER_FILE, explained, is_crowded
from interviewer.store.opening import bring_up_to_date, connected_revision
from interviewer.store.reader import HEAD, Snapshot

WAIT_SECONDS = 10
"""How long to wait for the server, and for a lock that another connection holds."""
LOOK_SECONDS = 2
"""How long the first screen waits for the server; the client library knows no shorter time."""
_OPENING = 7_204_510
"""A number of our own for PostgreSQL's advisory locks."""
# Acknowledged is on disk, also where whoever keeps the server traded that for speed.
_FOR_EACH_CONNECTION = """
SELECT set_config('lock_timeout', %s, false), set_config('synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
    ELSE current_setting('synchronous_commit') END, false)
"""


def open_server(server: Server) -> Database:
    """As :func:`interviewer.store.opening.connect`; StoreError without the driver, too."""
    engine = _engine(server)
    try:
        with explained(server, SQLAlchemyError), engine.begin() as connection:
            # A second process waits here, then finds nothing left to do.
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_OPENING})"))
            bring_up_to_date(connection, server)
    except BaseException:
        engine.dispose()
        raise
    return _database(server, engine)


@contextmanager
def server_snapshot(server: Server) -> Iterator[Snapshot | None]:
    """As :func:`interviewer.store.reader.snapshot`."""
    with (
        closing(_database(server, _engine(server, wait=LOOK_SECONDS))) as database,
        database.read() as connection,
    ):
        revision = connected_revision(connection, server)
        if revision not in (None, HEAD):
            open_server(server).close()
            connection.rollback()  # a view of what is there now

        def execute(statement: str, values: Sequence[Any]) -> Iterable[Any]:
            for_driver = statement.replace("%", "%%").replace("?", "%s")
            return connection.exec_driver_sql(for_driver, tuple(values)).mappings()

        yield Snapshot(execute, on_server=True) if revision else None


def _database(server: Server, engine: Engine) -> Database:
    return Database(server, engine, isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _engine(server: Server, *, wait: int = WAIT_SECONDS) -> Engine:
    """Connects anew for each transaction: who thinks or types holds none of the server's few."""
    try:
        engine = create_engine(
            make_url(server.url).set(drivername="postgresql+psycopg"),
            connect_args={"connect_timeout": wait, "client_encoding": "utf8"},
            poolclass=NullPool,
            hide_parameters=True,  # no error quotes what somebody said
        )
    except ImportError as error:
        raise StoreError(
            f"The session database {server} needs the driver of PostgreSQL, which is not "
            "installed: pip install 'mock-interviewer[postgres]'."
        ) from error
    except SQLAlchemyError as error:
        raise StoreError(f"The address {server} cannot be used; {OTHER_FILE}.") from error

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Any, _record: object, words: Any, names: Any) -> object:
        deadline = time.monotonic() + wait
        while True:
            try:
                return dialect.connect(*words, **names)
            except dialect.dbapi.OperationalError as error:
                if not is_crowded(error) or time.monotonic() > deadline:
                    raise
            time.sleep(random.uniform(0.05, 0.2))

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.autocommit = True  # else this would be three trips to the server
        connection.execute(_FOR_EACH_CONNECTION, [f"{WAIT_SECONDS}s"])
        connection.autocommit = False

    return engine
