"""The tables: a journal per session, what is read out of it often, and the rubrics as they were.

``entries`` is the truth; turns, verdicts, grades and the progress columns of ``sessions`` are
written in the same transaction so that lists and debriefs need not replay it.
"""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import DateTime, Dialect, ForeignKey, Index, MetaData, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

SEARCH_TABLE = "turn_words"
"""The full-text index over ``turns.text``: a virtual table, kept by triggers, made in 0001."""


class TypedText(TypeDecorator[str]):
    """Text exactly as it was typed.

    A string with a lone surrogate (half of a pair, as some terminals and models send) has no UTF-8
    form that SQLite would take as text; such a string is stored as bytes, and comes back the same.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode(errors="surrogatepass")
        return value

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return value.decode(errors="surrogatepass") if isinstance(value, bytes) else value


class Json(TypedText):
    """A JSON value. Characters are kept as they are: escapes would merge lone surrogates."""

    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return super().process_bind_param(json.dumps(value, ensure_ascii=False), dialect)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        text = super().process_result_value(value, dialect)
        return None if text is None else json.loads(text)


class Words(Json):
    """A tuple of short strings, as a JSON list."""

    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return tuple(super().process_result_value(value, dialect))


class UtcTime(TypeDecorator[datetime]):
    """A moment: stored in UTC without an offset, returned with one."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without its offset from UTC cannot be stored")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """All tables. Constraints have names since a migration can only change what it can name."""

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
    """The column that ties a row to its session and lets it go with it."""
    return mapped_column(
        ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=primary, index=index
    )


class Session(Base):
    """A mock: how it was set up, and where it stands."""

    __tablename__ = "sessions"
    __table_args__ = (
        Index(None, "updated_at", "id"),
        Index(None, "status", "updated_at", "id"),
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


class Round(Base):
    """A planned round."""

    __tablename__ = "rounds"

    session_id: Mapped[str] = _session_key(primary=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    seconds: Mapped[int]
    questions: Mapped[int]


class Entry(Base):
    """A journal row. Never changed, and deleted only with its session."""

    __tablename__ = "entries"

    session_id: Mapped[str] = _session_key(primary=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    payload: Mapped[dict[str, Any]]
    at: Mapped[datetime]
    elapsed: Mapped[float]


class Turn(Base):
    """An utterance. ``id`` grows over all sessions; the search index refers to it."""

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


class Verdict(Base):
    """What one look at an answer found for one criterion."""

    __tablename__ = "verdicts"

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[str] = _session_key(index=True)
    answer_turn: Mapped[int]
    rubric: Mapped[str]
    criterion: Mapped[str]
    verdict: Mapped[str]
    evidence: Mapped[str]
    turn: Mapped[int | None]
    span_start: Mapped[int | None]
    span_end: Mapped[int | None]
    source: Mapped[str]
    missing: Mapped[str]
    unsupported: Mapped[str]
    examiner: Mapped[str]


class Grade(Base):
    """What a question came to."""

    __tablename__ = "grades"

    session_id: Mapped[str] = _session_key(primary=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    question: Mapped[int] = mapped_column(primary_key=True)
    rubric: Mapped[str]
    rubric_version: Mapped[int]
    examiner: Mapped[str]
    first: Mapped[float | None]
    unassisted: Mapped[float | None]
    final: Mapped[float | None]
    band: Mapped[int | None]
    flags: Mapped[tuple[str, ...]]


class Draft(Base):
    """What is being typed; at most one a session."""

    __tablename__ = "drafts"

    session_id: Mapped[str] = _session_key(primary=True)
    text: Mapped[str]
    saved_at: Mapped[datetime]
    elapsed: Mapped[float]


class BenchDraft(Base):
    """What is being typed at the bench; at most one a session."""

    __tablename__ = "bench_drafts"

    session_id: Mapped[str] = _session_key(primary=True)
    text: Mapped[str]
    saved_at: Mapped[datetime]
    elapsed: Mapped[float]


class SessionChallenge(Base):
    """A challenge as it was when the session began."""

    __tablename__ = "session_challenges"

    session_id: Mapped[str] = _session_key(primary=True)
    challenge: Mapped[str] = mapped_column(primary_key=True)
    body: Mapped[dict[str, Any]]


class ModelCall(Base):
    """A request to an endpoint."""

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
    """A rubric as it was, under the SHA-256 of its canonical JSON; shared by all its sessions."""

    __tablename__ = "rubric_snapshots"

    sha256: Mapped[str] = mapped_column(primary_key=True)
    body: Mapped[str]


class SessionRubric(Base):
    """Which snapshot a session means by a rubric id."""

    __tablename__ = "session_rubrics"

    session_id: Mapped[str] = _session_key(primary=True)
    rubric: Mapped[str] = mapped_column(primary_key=True)
    sha256: Mapped[str] = mapped_column(ForeignKey("rubric_snapshots.sha256"), index=True)


class Exam(Base):
    """What an examiner's exam came to; ``report`` holds all of its figures."""

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


class Judgement(Base):
    """A judgement as an examiner gave it, under a digest of all that decides it."""

    __tablename__ = "judgements"

    key: Mapped[str] = mapped_column(primary_key=True)
    body: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class Regrade(Base):
    """A session's grades as another look gave them; ``number`` counts from 1 in the session."""

    __tablename__ = "regrades"
    __table_args__ = (UniqueConstraint("session_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[str] = _session_key()
    number: Mapped[int]
    at: Mapped[datetime]
    examiner: Mapped[str]
    version: Mapped[str]
    grades: Mapped[dict[str, Any]]


def columns(table: type[Base], record: type[Any]) -> list[InstrumentedAttribute[Any]]:
    """The columns that the fields of a record are named after, in the order of the fields."""
    return [getattr(table, field.name) for field in fields(record)]


def is_mapped(name: str | None, kind: str, parents: object) -> bool:
    """For alembic's comparison: whether a name in the database is one that the classes describe."""
    return not (kind == "table" and name is not None and name.startswith(SEARCH_TABLE))
