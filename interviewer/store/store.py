"""Writing sessions, and reading one back whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.dialects import sqlite

from interviewer.errors import UnknownNameError
from interviewer.grading.agreement import ExamResult
from interviewer.store import tables
from interviewer.store.database import Database, open_database
from interviewer.store.history import History
from interviewer.store.records import (
    CallRecord,
    Commit,
    Draft,
    Entry,
    ExamRecord,
    GradeRecord,
    NewSession,
    Progress,
    RegradeRecord,
    StoredEntry,
    TurnRecord,
    VerdictRecord,
)


def require_session(connection: Connection, session_id: str) -> None:
    """Raise UnknownNameError where there is no such session."""
    sessions = tables.Session
    if connection.scalar(select(sessions.id).where(sessions.id == session_id)) is None:
        raise UnknownNameError(gone(session_id))


def gone(session_id: str) -> str:
    """The sentence for a session that is not there."""
    return (
        f"The session {session_id!r} is not in the database (it may have been deleted elsewhere); "
        "`interviewer sessions list` shows those that are."
    )


class Judgements:
    """JSON values by a key that stands for all that decided them.

    What the key and the value hold is the caller's affair. All methods raise StoreError where the
    database cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> dict[str, Any] | None:
        """What was kept under the key, None where nothing was."""
        judgement = tables.Judgement
        with self._database.read() as connection:
            statement = select(judgement.body).where(judgement.key == key)
            return connection.execute(statement).scalar_one_or_none()

    def put(self, key: str, body: dict[str, Any]) -> None:
        """Keep a value, in place of one that was kept under the same key."""
        values: dict[str, Any] = {"body": body, "created_at": datetime.now(UTC)}
        with self._database.write() as connection:
            statement = sqlite.insert(tables.Judgement).values(key=key, **values)
            connection.execute(statement.on_conflict_do_update(set_=values))


class Exams:
    """Exams by examiner and version; none is ever replaced.

    All methods raise StoreError where the database cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, exam: ExamRecord) -> None:
        """Keep an exam."""
        values = vars(exam.result) | {
            "rubrics_sha256": exam.rubrics_sha256,
            "report": exam.report,
        }
        with self._database.write() as connection:
            connection.execute(insert(tables.Exam).values(values))

    def latest(self, examiner: str, version: str) -> ExamRecord | None:
        """The last exam of this examiner in this version, None where it took none."""
        exam = tables.Exam
        statement = (
            select(*_RESULT, exam.rubrics_sha256, exam.report)
            .where(exam.examiner == examiner, exam.version == version)
            .order_by(*_NEWEST_FIRST)
            .limit(1)
        )
        with self._database.read() as connection:
            row = connection.execute(statement).first()
        return ExamRecord(ExamResult(*row[:-2]), *row[-2:]) if row else None

    def results(self) -> list[ExamResult]:
        """The results of all exams, the latest first."""
        with self._database.read() as connection:
            rows = connection.execute(select(*_RESULT).order_by(*_NEWEST_FIRST))
            return [ExamResult(*row) for row in rows]


_RESULT = tables.columns(tables.Exam, ExamResult)
_NEWEST_FIRST = (tables.Exam.taken_at.desc(), tables.Exam.id.desc())


class Regrades:
    """Regrades by session; none is ever replaced, and they go with their session.

    All methods raise StoreError where the database cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, session_id: str, *, at: datetime, examiner: str, version: str, grades: dict[str, Any]
    ) -> int:
        """Keep a regrade and return its number in the session. Raises UnknownNameError."""
        regrade = tables.Regrade
        last = select(func.max(regrade.number)).where(regrade.session_id == session_id)
        with self._database.write() as connection:
            require_session(connection, session_id)
            record = RegradeRecord(
                (connection.scalar(last) or 0) + 1, at, examiner, version, grades
            )
            connection.execute(insert(regrade).values(session_id=session_id, **vars(record)))
        return record.number

    def of(self, session_id: str) -> list[RegradeRecord]:
        """The regrades of a session, oldest first; none where it is not there."""
        regrade = tables.Regrade
        statement = (
            select(*tables.columns(regrade, RegradeRecord))
            .where(regrade.session_id == session_id)
            .order_by(regrade.number)
        )
        with self._database.read() as connection:
            return [RegradeRecord(*row) for row in connection.execute(statement)]


R = TypeVar("R")


class Store:
    """The sessions in one database file.

    Every method may be called from any thread, and returns when what it wrote is on disk. All
    raise StoreError where the file cannot be used, StoreWriteError where a write did not happen;
    a call that raised has left nothing behind. ``history`` reads across sessions; ``exams``,
    ``judgements`` and ``regrades`` keep what is known of the grading itself.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, creating and migrating it as needed; see :func:`open_database`."""
        self._database = open_database(path)
        self.history = History(self._database)
        self.exams = Exams(self._database)
        self.judgements = Judgements(self._database)
        self.regrades = Regrades(self._database)

    @property
    def path(self) -> Path:
        """The database file."""
        return self._database.path

    def close(self) -> None:
        """Close the connections."""
        self._database.close()

    def create_session(self, new: NewSession, first: Commit) -> None:
        """Write a session with its rounds, its rubrics and the first entry of its journal."""
        with self._database.write() as connection:
            connection.execute(
                insert(tables.Session).values(
                    id=new.id,
                    plan=new.plan,
                    plan_title=new.plan_title,
                    mode=new.mode,
                    examiner=new.examiner,
                    status="open",
                    created_at=new.created_at,
                    updated_at=new.created_at,
                    round=0,
                    finished_rounds=0,
                    question=0,
                    headline="",
                )
            )
            _insert(connection, tables.Round, new.id, new.rounds)
            _keep_rubrics(connection, new)
            _keep_challenges(connection, new)
            _append(connection, new.id, first)

    def append(self, session_id: str, commit: Commit) -> int:
        """Write all of a commit in one transaction and return its place in the journal, from 1.

        A grade takes the place of an earlier one of the same question; the journal has both.
        Raises UnknownNameError where the session is gone.
        """
        with self._database.write() as connection:
            require_session(connection, session_id)
            return _append(connection, session_id, commit)

    def save_draft(self, session_id: str, text: str, at: datetime, elapsed: float) -> None:
        """Keep what is being typed, in place of what was kept before.

        ``elapsed`` is the round's clock in seconds. Raises UnknownNameError.
        """
        self._keep(tables.Draft, session_id, Draft(text, at, elapsed))

    def save_bench_draft(self, session_id: str, text: str, at: datetime, elapsed: float) -> None:
        """The same for what is being typed at the bench, which an answer in words leaves alone."""
        self._keep(tables.BenchDraft, session_id, Draft(text, at, elapsed))

    def _keep(self, table: type[tables.Base], session_id: str, draft: Draft) -> None:
        with self._database.write() as connection:
            require_session(connection, session_id)
            statement = sqlite.insert(table).values(session_id=session_id, **vars(draft))
            connection.execute(statement.on_conflict_do_update(set_=vars(draft)))

    def log_calls(self, session_id: str, calls: Sequence[CallRecord]) -> None:
        """Log model calls, oldest first. Raises UnknownNameError."""
        with self._database.write() as connection:
            require_session(connection, session_id)
            _insert(connection, tables.ModelCall, session_id, calls)

    def delete_session(self, session_id: str) -> None:
        """Delete a session and all that hangs on it. Raises UnknownNameError.

        Rubric snapshots that another session uses stay.
        """
        with self._database.write() as connection:
            require_session(connection, session_id)
            link = tables.SessionRubric
            used = connection.scalars(select(link.sha256).where(link.session_id == session_id))
            snapshots = used.all()
            connection.execute(delete(tables.Session).where(tables.Session.id == session_id))
            still_used = select(link.sha256).where(link.sha256 == tables.RubricSnapshot.sha256)
            connection.execute(
                delete(tables.RubricSnapshot).where(
                    tables.RubricSnapshot.sha256.in_(snapshots), ~still_used.exists()
                )
            )

    def entries(self, session_id: str) -> list[StoredEntry]:
        """The journal, oldest first. Raises UnknownNameError: no session is without an entry."""
        found = self._read(StoredEntry, tables.Entry, session_id, tables.Entry.seq)
        if not found:
            raise UnknownNameError(gone(session_id))
        return found

    def rubrics(self, session_id: str) -> dict[str, dict[str, Any]]:
        """The rubrics as they were when the session began, by id."""
        link, snapshot = tables.SessionRubric, tables.RubricSnapshot
        statement = (
            select(link.rubric, snapshot.body)
            .join(snapshot, snapshot.sha256 == link.sha256)
            .where(link.session_id == session_id)
        )
        with self._database.read() as connection:
            return {rubric: json.loads(body) for rubric, body in connection.execute(statement)}

    def draft(self, session_id: str) -> Draft | None:
        """What was typed and not sent, if anything was since the last answer."""
        found = self._read(Draft, tables.Draft, session_id, tables.Draft.session_id)
        return found[0] if found else None

    def bench_draft(self, session_id: str) -> Draft | None:
        """What was typed at the bench and not handed in, if anything was on this question."""
        table = tables.BenchDraft
        found = self._read(Draft, table, session_id, table.session_id)
        return found[0] if found else None

    def challenges(self, session_id: str) -> dict[str, dict[str, Any]]:
        """The challenges as they were when the session began, by id."""
        table = tables.SessionChallenge
        statement = select(table.challenge, table.body).where(table.session_id == session_id)
        with self._database.read() as connection:
            return {row.challenge: row.body for row in connection.execute(statement)}

    def turns(self, session_id: str) -> list[TurnRecord]:
        """Everything said, in order."""
        return self._read(TurnRecord, tables.Turn, session_id, tables.Turn.number)

    def verdicts(self, session_id: str) -> list[VerdictRecord]:
        """All verdicts of all looks, in the order in which they were given."""
        return self._read(VerdictRecord, tables.Verdict, session_id, tables.Verdict.id)

    def grades(self, session_id: str) -> list[GradeRecord]:
        """The grades, in the order of the questions."""
        table = tables.Grade
        return self._read(GradeRecord, table, session_id, table.round, table.question)

    def calls(self, session_id: str) -> list[CallRecord]:
        """The logged model calls, oldest first."""
        return self._read(CallRecord, tables.ModelCall, session_id, tables.ModelCall.id)

    def _read(self, record: type[R], table: Any, session_id: str, *order: Any) -> list[R]:
        columns = tables.columns(table, record)
        statement = select(*columns).where(table.session_id == session_id).order_by(*order)
        with self._database.read() as connection:
            return [record(*row) for row in connection.execute(statement)]


def _append(connection: Connection, session_id: str, commit: Commit) -> int:
    entry = tables.Entry
    last = select(func.max(entry.seq)).where(entry.session_id == session_id)
    seq = (connection.scalar(last) or 0) + 1
    connection.execute(insert(entry).values(session_id=session_id, seq=seq, **vars(commit.entry)))
    if commit.turn:
        _insert(connection, tables.Turn, session_id, [commit.turn])
    _insert(connection, tables.Verdict, session_id, commit.verdicts)
    if commit.grade:
        grade = vars(commit.grade)
        statement = sqlite.insert(tables.Grade).values(session_id=session_id, **grade)
        connection.execute(statement.on_conflict_do_update(set_=grade))
    if commit.clear_draft:
        connection.execute(delete(tables.Draft).where(tables.Draft.session_id == session_id))
    if commit.clear_bench_draft:
        table = tables.BenchDraft
        connection.execute(delete(table).where(table.session_id == session_id))
    _update_progress(connection, session_id, commit.entry, commit.progress)
    return seq


def _update_progress(
    connection: Connection, session_id: str, entry: Entry, progress: Progress
) -> None:
    changed = {name: value for name, value in vars(progress).items() if value is not None}
    connection.execute(
        update(tables.Session)
        .where(tables.Session.id == session_id)
        .values(updated_at=entry.at, **changed)
    )


def _insert(
    connection: Connection, table: type[tables.Base], session_id: str, records: Sequence[Any]
) -> None:
    """Insert frozen records whose fields are named like the table's columns."""
    if records:
        connection.execute(
            insert(table), [{"session_id": session_id, **vars(record)} for record in records]
        )


def _keep_challenges(connection: Connection, new: NewSession) -> None:
    kept = [
        {"session_id": new.id, "challenge": challenge, "body": body}
        for challenge, body in new.challenges.items()
    ]
    if kept:
        connection.execute(insert(tables.SessionChallenge), kept)


def _keep_rubrics(connection: Connection, new: NewSession) -> None:
    """Store each rubric once, whichever sessions use it, and link it to this one."""
    for rubric, body in new.rubrics.items():
        canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        sha256 = hashlib.sha256(canonical.encode(errors="surrogatepass")).hexdigest()
        snapshot = sqlite.insert(tables.RubricSnapshot).values(sha256=sha256, body=canonical)
        connection.execute(snapshot.on_conflict_do_nothing())
        connection.execute(
            insert(tables.SessionRubric).values(session_id=new.id, rubric=rubric, sha256=sha256)
        )
