"""The tables: a journal for each session, what lists and search need of it, and snapshots.

``entries`` is the source of truth. ``turns`` and the progress columns of ``sessions`` are written
in the same transaction, so that lists and search need not replay the journal.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, ClassVar, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    Text,
    UniqueConstraint,
    select,
    text,
)
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator, TypeEngine

from interviewer.store.reader import decoded, unescaped

SEARCH_TABLE = "turn_words"
"""The full-text index over ``turns.text``: in SQLite a virtual table filled by triggers, in
PostgreSQL a function with an index over it; see ``migrations.py``."""
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
        text = super().process_result_value(value, dialect)
        try:
            return None if text is None else json.loads(text)
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


class Base(DeclarativeBase):
    """All tables. Constraints are named, since a migration can only change what it can name."""

    metadata = MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        }
    )
    type_annotation_map: ClassVar = {
        str: TypedText,
        datetime: UtcTime,
        dict[str, Any]: Json,
        tuple[str, ...]: Words,
    }


def _session_key(*, primary: bool = False, index: bool = False) -> Mapped[str]:
    """The reference to a row's session; the row is deleted with the session."""
    return mapped_column(
        ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=primary, index=index
    )


class StoredSession(Base):
    """A mock interview: how it was set up, and how far it has got."""

    __tablename__ = "sessions"
    __table_args__ = (
        Index(None, "owner", "deleted_at", "id"),
        Index(None, "owner", "updated_at", "id"),
        Index(None, "owner", "status", "updated_at", "id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    plan: Mapped[str]
    plan_title: Mapped[str]
    mode: Mapped[str]
    examiner: Mapped[str]
    status: Mapped[str]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    """The time of the latest journal entry."""
    round: Mapped[int]
    finished_rounds: Mapped[int]
    question: Mapped[int]
    headline: Mapped[str]
    band: Mapped[float | None]
    rounds: Mapped[int] = mapped_column(server_default="0")
    """How many rounds its plan has."""
    holder: Mapped[str] = mapped_column(server_default="")
    """The process that writes its journal."""
    owner: Mapped[str] = mapped_column(server_default="")
    """The user whose it is, "" for whoever opens the database without a name."""
    deleted_at: Mapped[datetime | None]
    """When it was deleted: from then on it can be brought back, and nothing else."""
    name: Mapped[str] = mapped_column(server_default="")
    """What its owner calls it, "" for the title of its plan."""
    tags: Mapped[tuple[str, ...]] = mapped_column(server_default="[]")


class StoredEntry(Base):
    """A journal entry. Never changed, and deleted only with its session."""

    __tablename__ = "entries"

    session_id: Mapped[str] = _session_key(primary=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    payload: Mapped[dict[str, Any]]
    at: Mapped[datetime]
    elapsed: Mapped[float]


class StoredTurn(Base):
    """An utterance. ``id`` increases across all sessions; the search index refers to it."""

    __tablename__ = "turns"
    __table_args__ = (UniqueConstraint("session_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[str] = _session_key()
    number: Mapped[int]
    round: Mapped[int]
    question: Mapped[int]
    author: Mapped[str]
    kind: Mapped[str]
    text: Mapped[str]
    at: Mapped[datetime]


class Bookmark(Base):
    """A turn to come back to, with a note on it or none."""

    __tablename__ = "bookmarks"

    session_id: Mapped[str] = _session_key(primary=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    """Its number in the session."""
    note: Mapped[str]


class StoredDraft(Base):
    """What is being typed and not yet sent; at most one a pane."""

    __tablename__ = "drafts"

    session_id: Mapped[str] = _session_key(primary=True)
    pane: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    saved_at: Mapped[datetime]
    elapsed: Mapped[float]


class SessionChallenge(Base):
    """A challenge as it was when the session began."""

    __tablename__ = "session_challenges"

    session_id: Mapped[str] = _session_key(primary=True)
    challenge: Mapped[str] = mapped_column(primary_key=True)
    body: Mapped[dict[str, Any]]


class StoredCall(Base):
    """A request to an endpoint, for people to query; the program reads the token counts."""

    __tablename__ = "model_calls"

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[str] = _session_key(index=True)
    at: Mapped[datetime]
    stage: Mapped[str]
    prompt_version: Mapped[str]
    model: Mapped[str]
    outcome: Mapped[str]
    milliseconds: Mapped[int]
    first_token_milliseconds: Mapped[int | None]
    prompt_tokens: Mapped[int | None]
    cached_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    cost: Mapped[float | None]
    detail: Mapped[str]


class RubricSnapshot(Base):
    """A rubric as it was, keyed by the SHA-256 of its canonical JSON; sessions share it."""

    __tablename__ = "rubric_snapshots"

    sha256: Mapped[str] = mapped_column(primary_key=True)
    body: Mapped[str]


class SessionRubric(Base):
    """Which snapshot a rubric id stands for in a session."""

    __tablename__ = "session_rubrics"

    session_id: Mapped[str] = _session_key(primary=True)
    rubric: Mapped[str] = mapped_column(primary_key=True)
    sha256: Mapped[str] = mapped_column(ForeignKey("rubric_snapshots.sha256"), index=True)


class StoredExam(Base):
    """The result of an examiner's exam; ``report`` holds every figure."""

    __tablename__ = "exams"
    __table_args__ = (Index(None, "examiner", "version", "taken_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    examiner: Mapped[str]
    version: Mapped[str]
    taken_at: Mapped[datetime]
    samples: Mapped[int]
    kappa: Mapped[float]
    macro_f1: Mapped[float]
    bias: Mapped[float]
    rmse: Mapped[float]
    failed_on: Mapped[tuple[str, ...]]
    rubrics_sha256: Mapped[str]
    report: Mapped[dict[str, Any]]


class StoredJudgement(Base):
    """A cached judgement, keyed by a digest of everything that determines it."""

    __tablename__ = "judgements"

    key: Mapped[str] = mapped_column(primary_key=True)
    body: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class StoredRegrade(Base):
    """A session's grades when judged again; ``number`` counts from 1 within the session."""

    __tablename__ = "regrades"
    __table_args__ = (UniqueConstraint("session_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[str] = _session_key()
    number: Mapped[int]
    at: Mapped[datetime]
    examiner: Mapped[str]
    version: Mapped[str]
    grades: Mapped[dict[str, Any]]


class OwnVerdict(Base):
    """The candidate's own verdict on a point, "none" to take it back; the latest counts.

    Not in the journal, which ends with the interview and has one writer. Rows are only added.
    Earlier versions kept appeals among them, in a column of their own.
    """

    __tablename__ = "own_verdicts"

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[str] = _session_key(index=True)
    question: Mapped[int]
    """Its number in the session."""
    criterion: Mapped[str]
    verdict: Mapped[str]
    at: Mapped[datetime]
    appeal: Mapped[dict[str, Any] | None]


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
    theirs = (
        StoredSession.id == session,
        StoredSession.owner == owner,
        StoredSession.deleted_at.is_(None),
    )
    return select(StoredSession.id).where(*theirs).exists()


def columns(table: type[Base], record: type[Any]) -> list[InstrumentedAttribute[Any]]:
    """The columns named like the fields of a record, in the order of the fields."""
    return [getattr(table, field.name) for field in fields(record)]
