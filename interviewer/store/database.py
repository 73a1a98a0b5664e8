"""The session database through SQLAlchemy: its tables, and transactions on them.

Each session has a journal, ``entries``, the source of truth. ``turns`` and the progress columns of
``sessions`` are written in the same transaction, so that lists and search need not replay it.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast, get_type_hints

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Dialect,
    Double,
    Engine,
    Executable,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeDecorator, TypeEngine

from interviewer.errors import StoreWriteError
from interviewer.grading.agreement import ExamResult
from interviewer.settings.database_url import Place
from interviewer.store.failures import explain
from interviewer.store.reader import READABLE, decoded, unescaped
from interviewer.store.records import Draft, JournalEntry, RegradeRecord, TurnRecord

_log = logging.getLogger(__name__)

BUSY_SECONDS = 10.0
"""How long a write waits for another process before it fails."""

SEARCH_TABLE = "turn_words"
"""The full-text index over ``turns.text``: in SQLite a virtual table filled by triggers, in
PostgreSQL a function with an index over it; see ``migrations.yaml``."""
CHARACTER_TABLE = "turn_characters"
"""In SQLite, where it splits only at spaces, the index over turns in Chinese, Japanese, Korean."""
_CHARACTERS = re.compile("[\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


_ESCAPED = re.compile("[\0\x1a\ud800-\udfff]")


class TypedText(TypeDecorator[str]):
    """Text exactly as typed.

    A string with a lone surrogate (half a pair, which some terminals and models send) cannot be
    encoded as UTF-8, so SQLite would refuse it as text; it is stored as bytes and read back as is.
    PostgreSQL refuses NUL, too, and has no value of another type in a column of text: there, both
    are stored as the character SUBSTITUTE and a number. It compares texts by their code points, as
    SQLite does.
    """

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        of_postgres = dialect.name == "postgresql"
        return dialect.type_descriptor(Text(collation="C") if of_postgres else Text())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        if dialect.name == "postgresql":
            return _ESCAPED.sub(lambda found: f"\x1a{ord(found[0]):04x}", value)
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode(errors="surrogatepass")
        return value

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        if isinstance(value, bytes):
            return decoded(value)
        if value is not None and dialect.name == "postgresql":
            return unescaped(value)
        return cast("str | None", value)


class Json(TypedText):
    """A JSON value, {} if damaged; not ASCII-escaped, which would merge two lone surrogates."""

    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return super().process_bind_param(json.dumps(value, ensure_ascii=False), dialect)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        stored = super().process_result_value(value, dialect)
        try:
            return None if stored is None else json.loads(stored)
        except ValueError:
            return {}


class Words(Json):
    """A tuple of short strings, as a JSON list."""

    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return tuple(super().process_result_value(value, dialect))


class UtcTime(TypeDecorator[datetime]):
    """A point in time: stored as naive UTC, returned timezone-aware."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("cannot store a time without a UTC offset")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


metadata = MetaData(
    naming_convention={  # constraints are named, since a migration can only change what it can name
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)
_TYPES: dict[Any, type[TypeEngine[Any]]] = {
    int: Integer,
    float: Double,
    str: TypedText,
    datetime: UtcTime,
    dict[str, Any]: Json,
    tuple[str, ...]: Words,
}


def _columns(
    record: type[Any] | None = None, /, *, nullable: bool = False, **types: Any
) -> list[Column[Any]]:
    """Columns by their names and types in Python, then those of a record's fields."""
    types |= get_type_hints(record) if record else {}
    return [Column(name, _TYPES[kind], nullable=nullable) for name, kind in types.items()]


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _session(*, index: bool = False) -> Column[str]:
    """The reference to a row's session; the row is deleted with the session."""
    key = ForeignKey("sessions.id", ondelete="CASCADE")
    return Column("session_id", TypedText, key, nullable=False, index=index)


def _table(name: str, *parts: SchemaItem) -> Table:
    return Table(name, metadata, *parts)


sessions = _table(
    "sessions",
    *_columns(id=str, plan=str, plan_title=str, mode=str, examiner=str, status=str),
    *_columns(created_at=datetime, updated_at=datetime),  # the latter with each journal entry
    *_columns(round=int, finished_rounds=int, question=int, headline=str),
    *_columns(band=float, nullable=True),
    Column("rounds", Integer, nullable=False, server_default="0"),  # how many its plan has
    Column("holder", TypedText, nullable=False, server_default=""),  # who writes its journal
    Column("owner", TypedText, nullable=False, server_default=""),  # "": whoever opens a file
    *_columns(deleted_at=datetime, nullable=True),  # from then on it can only be brought back
    Column("name", TypedText, nullable=False, server_default=""),  # "" for the title of its plan
    Column("tags", Words, nullable=False, server_default="[]"),
    PrimaryKeyConstraint("id"),
    Index(None, "owner", "deleted_at", "id"),
    Index(None, "owner", "updated_at", "id"),
    Index(None, "owner", "status", "updated_at", "id"),
)

# The journals. An entry is never changed, and deleted only with its session.
entries = _table(
    "entries",
    _session(),
    *_columns(JournalEntry, seq=int),
    PrimaryKeyConstraint("session_id", "seq"),
)

# What was said. ``id`` increases across all sessions; the search index refers to it.
turns = _table(
    "turns", _id(), _session(), *_columns(TurnRecord), UniqueConstraint("session_id", "number")
)

# Turns to come back to, by their numbers, with a note on each or none.
bookmarks = _table(
    "bookmarks",
    _session(),
    *_columns(turn=int, note=str),
    PrimaryKeyConstraint("session_id", "turn"),
)

# What is being typed and not yet sent.
drafts = _table(
    "drafts", _session(), *_columns(Draft, pane=str), PrimaryKeyConstraint("session_id", "pane")
)

# Challenges as they were when the session began.
session_challenges = _table(
    "session_challenges",
    _session(),
    *_columns(challenge=str, body=dict[str, Any]),
    PrimaryKeyConstraint("session_id", "challenge"),
)

# Requests to an endpoint, for people to query; the program reads the token counts.
_counts = ("first_token_milliseconds", "prompt_tokens", "cached_tokens", "completion_tokens")
model_calls = _table(
    "model_calls",
    _id(),
    _session(index=True),
    *_columns(at=datetime, stage=str, prompt_version=str, model=str, outcome=str),
    *_columns(milliseconds=int),
    *_columns(nullable=True, **dict.fromkeys(_counts, int), cost=float),
    *_columns(detail=str),
)

# Rubrics as they were, by the SHA-256 of their canonical JSON; sessions share them.
rubric_snapshots = _table(
    "rubric_snapshots", *_columns(sha256=str, body=str), PrimaryKeyConstraint("sha256")
)

# Which of them the id of a rubric stands for in a session.
session_rubrics = _table(
    "session_rubrics",
    _session(),
    *_columns(rubric=str, sha256=str),
    ForeignKeyConstraint(["sha256"], ["rubric_snapshots.sha256"]),
    Index(None, "sha256"),
    PrimaryKeyConstraint("session_id", "rubric"),
)

# Exams of examiners; ``report`` holds every figure.
exams = _table(
    "exams",
    _id(),
    *_columns(ExamResult),
    *_columns(rubrics_sha256=str, report=dict[str, Any]),
    Index(None, "examiner", "version", "taken_at"),
)

# Judgements that earlier versions kept for repeats; nothing reads them.
judgements = _table(
    "judgements",
    *_columns(key=str, body=dict[str, Any], created_at=datetime),
    PrimaryKeyConstraint("key"),
)

# A session's grades when judged again; ``number`` counts from 1 within the session.
regrades = _table(
    "regrades",
    _id(),
    _session(),
    *_columns(RegradeRecord),
    UniqueConstraint("session_id", "number"),
)

# The candidate's own verdicts by the question's number in the session, "none" to take one back; the
# latest counts. Not in the journal, which ends with the interview and has one writer. Rows are only
# added. Earlier versions kept appeals among them, in a column of their own.
own_verdicts = _table(
    "own_verdicts",
    _id(),
    _session(index=True),
    *_columns(question=int, criterion=str, verdict=str, at=datetime),
    *_columns(appeal=dict[str, Any], nullable=True),
)


def spaced(said: str) -> str:
    """The text with a space around each character of what is written without spaces."""
    return _CHARACTERS.sub(r" \g<0> ", said)


def index_characters(connection: Connection, id_: int, said: str) -> None:
    """Make the characters of a turn in a file findable, if it has any."""
    if _CHARACTERS.search(said):
        row = {"id": id_, "said": spaced(said).encode(errors="replace").decode()}
        into = f"INSERT INTO {CHARACTER_TABLE} (rowid, text) VALUES (:id, :said)"
        connection.execute(text(into), row)


def of_owner(owner: str, session: Any) -> ColumnElement[bool]:
    """Whether a session is there and theirs; ``session`` is an id, or a column of ids."""
    its = sessions.c
    theirs = its.id == session, its.owner == owner, its.deleted_at.is_(None)
    return select(its.id).where(*theirs).exists()


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
        super().__init__(path, file_engine(path))
        self._path = path
        self._file = path.stat()
        self._has_log = has_log
        # Writers in this process queue here; SQLite would make them poll for its lock.
        self._writing = threading.Lock()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self._writing, self._connected() as connection, at_once(connection):
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


@contextmanager
def at_once(connection: Connection) -> Iterator[None]:
    """A transaction that takes the lock now; one that began as a read could be refused halfway."""
    connection.execution_options(begin="BEGIN IMMEDIATE")
    with connection.begin():
        yield


def file_engine(path: Path, *, foreign_keys: bool = True) -> Engine:
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
