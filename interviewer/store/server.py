"""One PostgreSQL database, which many people share: opened, migrated, read and written."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from interviewer.errors import StoreError, StoreWriteError
from interviewer.settings.database_url import Server
from interviewer.settings.web_address import without_password
from interviewer.store.database import stamp, upgrade
from interviewer.store.peek import HEAD, OTHER_FILE, REVISIONS, has_owners, newer
from interviewer.store.tables import SEARCH_TABLE, Base, TypedText

WAIT_SECONDS = 10
"""How long to wait for the server, and for a lock that another connection holds."""
LOOK_SECONDS = 2
"""How long the first screen waits for the server; the client library knows no shorter time."""
_OPENING = 7_204_510
"""A number of our own for PostgreSQL's advisory locks."""

_UNREACHABLE = (
    "cannot be reached ({error}); check that the server runs, that the address and the user's name "
    "are right, and that ~/.pgpass or PGPASSWORD has the password."
)
_CHANGED = (
    "was changed meanwhile ({error}); if the session is open in a second window, close one of them "
    "and resume it."
)
_NOT_ALLOWED = "may not be written by this user ({error}); ask its administrator."
_WRITE_FAILURES = {
    "08": _UNREACHABLE,
    "23": _CHANGED,
    "40": _CHANGED,
    "25006": _NOT_ALLOWED,
    "42501": _NOT_ALLOWED,
    "53": "is on a server that has run out of something ({error}); try again later.",
    "53300": "is on a server that has no connection to spare ({error}); try again later.",
    "53100": "is on a disk that is full; free some space and try again.",
    "55P03": "is locked by another program; close it and try again.",
    "57P": _UNREACHABLE,
}
"""By SQLSTATE or how it begins; the longest that fits."""

_FULL = re.compile("too many (clients|connections)|connection slots are reserved")
"""What a server says that has no connection to spare, before there is one to say why by code."""
# Acknowledged is on disk, also where whoever keeps the server traded that for speed.
_FOR_EACH_CONNECTION = """
SELECT set_config('lock_timeout', %s, false), set_config('synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
    ELSE current_setting('synchronous_commit') END, false)
"""

_OUR_TABLES = (
    "SELECT relname FROM pg_class WHERE relname IN ('alembic_version', 'sessions') "
    "AND relkind = 'r' AND pg_table_is_visible(oid)"
)
# What FTS5 makes of a turn: words without accents, their English endings and punctuation. The
# functions name the schema themselves, since pg_restore fills the index with an empty search_path.
_SEARCH = rf"""
CREATE TEXT SEARCH DICTIONARY {SEARCH_TABLE}_stem (TEMPLATE = snowball, Language = english);
CREATE TEXT SEARCH CONFIGURATION {SEARCH_TABLE} (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION {SEARCH_TABLE} ALTER MAPPING FOR asciiword, word, numword
    WITH {SEARCH_TABLE}_stem;
CREATE FUNCTION {SEARCH_TABLE}_plain(said text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(regexp_replace(regexp_replace(normalize(said, NFD),
        '\x1a[0-9a-f]{{4}}', ' ', 'g'),
        '[\u0300-\u036f]', '', 'g'),
        '[^a-zA-Z0-9\u00c0-\u1fff\u2c00-\u2fff\u3040-\U0010ffff]+', ' ', 'g')
    $$;
CREATE FUNCTION {SEARCH_TABLE}(said text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT to_tsvector('SCHEMA.{SEARCH_TABLE}', SCHEMA.{SEARCH_TABLE}_plain(said)) $$;
CREATE FUNCTION turn_query(wanted text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(string_agg('(' || phrase::text || ')', ' & '), '')::tsquery
    FROM (SELECT phraseto_tsquery('SCHEMA.{SEARCH_TABLE}', SCHEMA.{SEARCH_TABLE}_plain(word))
          FROM regexp_split_to_table(wanted, '\s+') AS word) AS phrases (phrase)
    WHERE numnode(phrase) > 0 $$;
CREATE INDEX {SEARCH_TABLE}_index ON turns USING gin ({SEARCH_TABLE}(text));
"""


class ServerDatabase:
    """Connections to one database of a server; safe to use from any thread."""

    def __init__(self, server: Server, engine: Engine) -> None:
        self.server = server
        self._engine = engine

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view for several queries. Raises StoreError."""
        with _explained(self.server), self._engine.connect() as connection:
            yield connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: after the block, everything is on the server's disk or nothing is.

        Where the connection breaks while the server acknowledges, it may be there although
        StoreWriteError is raised. Raises StoreError and StoreWriteError.
        """
        with _explained(self.server), self._engine.begin() as connection:
            yield connection

    def merge(self) -> None:
        """The server looks after its log itself."""

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()


def open_server(server: Server) -> ServerDatabase:
    """Open the database, creating its tables or migrating them as needed.

    Raises as :func:`interviewer.store.connections.connect`, and StoreError without the driver.
    """
    engine = _engine(server)
    try:
        with _explained(server), engine.connect() as connection:
            revision = stored_revision(connection, server)
        if revision != HEAD:
            _migrate(engine, server)
    except BaseException:
        engine.dispose()
        raise
    return ServerDatabase(server, engine)


class ServerReader:
    """Plain queries; see :class:`interviewer.store.glance.Reader`."""

    def __init__(self, connection: Connection, revision: str) -> None:
        self.revision = revision
        # Without owners they are about to be those of the user who migrates.
        self.of_owner = "owner = ?" if has_owners(revision) else "session_user = ?"
        self._connection = connection
        self._dialect = connection.dialect

    def rows(self, statement: str, *values: Any) -> Sequence[Mapping[str, Any]]:
        statement = statement.replace("%", "%%").replace("?", "%s")
        found = self._connection.exec_driver_sql(statement, values)
        return [dict(row) for row in found.mappings()]

    def text(self, stored: str) -> str:
        return str(TypedText().process_result_value(stored, self._dialect))

    def time(self, stored: datetime) -> datetime:
        return stored.replace(tzinfo=UTC)


@contextmanager
def reading_server(server: Server) -> Iterator[ServerReader | None]:
    """A look at the database, None if our tables are not there yet. Raises StoreError."""
    database = ServerDatabase(server, _engine(server, wait=LOOK_SECONDS))
    try:
        with database.read() as connection:
            revision = stored_revision(connection, server)
            yield ServerReader(connection, revision) if revision else None
    finally:
        database.close()


def stored_revision(connection: Connection, server: Server) -> str | None:
    """The revision of the database, None if our tables are not there yet.

    Raises NewerDatabaseError where a later version wrote it, StoreError where tables of another
    program have their names.
    """
    # No to_regclass: it does not see what another transaction has just made.
    found = connection.scalars(text(_OUR_TABLES)).all()
    if not found:
        return None
    if len(found) == 1:
        raise StoreError(
            f"The database {server} has a table {found[0]} of another program and was not "
            "touched; make a database for the sessions alone with createdb."
        )
    revision = str(connection.scalar(text("SELECT version_num FROM alembic_version")))
    if revision not in REVISIONS:
        raise newer(server, revision)
    return revision


def _migrate(engine: Engine, server: Server) -> None:
    with _explained(server), engine.begin() as connection:
        # A second process waits here, then finds nothing left to do.
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_OPENING})"))
        if stored_revision(connection, server) is None:
            _create(connection, server)
        else:
            upgrade(connection, "head")


def _create(connection: Connection, server: Server) -> None:
    """The tables of today: what earlier revisions looked like is the history of SQLite files."""
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise StoreError(
            f"The database {server} is encoded as {encoding}, which cannot hold every text; make "
            "one with createdb --encoding=UTF8 --template=template0."
        )
    Base.metadata.create_all(connection)
    schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
    connection.exec_driver_sql(_SEARCH.replace("SCHEMA", str(schema)))
    stamp(connection, "head")


def _engine(server: Server, *, wait: int = WAIT_SECONDS) -> Engine:
    """Connects anew for each transaction: who thinks or types holds none of the server's few."""
    try:
        engine = create_engine(
            make_url(server.url).set(drivername="postgresql+psycopg"),
            connect_args={"connect_timeout": wait, "client_encoding": "utf8"},
            poolclass=NullPool,
            hide_parameters=True,  # no error quotes what somebody said
        )
    except (ImportError, SQLAlchemyError) as error:
        raise _unusable(server, error) from error

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Any, _record: object, words: Any, names: Any) -> object:
        deadline = time.monotonic() + wait
        while True:
            try:
                return dialect.connect(*words, **names)
            except dialect.dbapi.OperationalError as error:
                if not _FULL.search(str(error)) or time.monotonic() > deadline:
                    raise
            time.sleep(random.uniform(0.05, 0.2))

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.autocommit = True  # else this would be three trips to the server
        connection.execute(_FOR_EACH_CONNECTION, [f"{WAIT_SECONDS}s"])
        connection.autocommit = False

    return engine


def _unusable(server: Server, error: Exception) -> StoreError:
    if isinstance(error, ImportError):
        return StoreError(
            f"The session database {server} needs the driver of PostgreSQL, which is not "
            "installed: pip install 'mock-interviewer[postgres]'."
        )
    return StoreError(f"The address {server} cannot be used; {OTHER_FILE}.")


@contextmanager
def _explained(server: Server) -> Iterator[None]:
    """Turn errors of SQLAlchemy and PostgreSQL, and values that it cannot store, into ours."""
    try:
        yield
    except (SQLAlchemyError, ValueError) as error:
        raise _explain(error, server) from error


def _explain(error: Exception, server: Server) -> StoreError:
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    lost = state is None and type(cause).__name__ == "OperationalError"
    if lost and _FULL.search(str(cause)):
        state, lost = "53300", False
    known = ("08",) if lost else (state[:n] for n in (5, 3, 2)) if state else ()
    sentence = next((_WRITE_FAILURES[each] for each in known if each in _WRITE_FAILURES), None)
    kind: type[StoreError] = StoreWriteError if sentence else StoreError
    sentence = sentence or f"could not be used ({{error}}); {OTHER_FILE}."
    said = without_password(" ".join(str(cause).split()))
    return kind(f"The session database {server} {sentence.format(error=said)}")
