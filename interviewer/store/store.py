"""Writing sessions, reading one back, and what is kept about grading itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import Connection, delete, func, insert, select, update

from interviewer.errors import DeletedError, OvertakenError, UnknownNameError
from interviewer.grading.agreement import ExamResult
from interviewer.grading.own import Appeal, Own, latest
from interviewer.settings.database_url import Place
from interviewer.store import tables
from interviewer.store.connections import Connections, connect
from interviewer.store.dialects import hold_snapshots, put
from interviewer.store.history import History
from interviewer.store.records import (
    Commit,
    Draft,
    Entry,
    NewSession,
    Pane,
    Progress,
    RegradeRecord,
    TurnRecord,
)

R = TypeVar("R")
_APPEAL = TypeAdapter(Appeal)


class Store:
    """One owner's sessions in a database: a file, or one of a PostgreSQL server.

    ``owner`` is the name of a user, "" where nobody else's sessions are kept. A session of anybody
    else is one that does not exist, for every method. What is not about a session is shared: exams,
    judgements (found only by whoever has the same answer judged in the same way), and snapshots of
    rubrics (found only by way of a session).

    Methods may be called from any thread and return once their writes are on disk. They raise
    StoreError where the database cannot be used and StoreWriteError where a write failed; a call
    that raises has written nothing. ``history`` reads across sessions; ``exams``, ``judgements``
    and ``regrades`` hold what is known about grading.
    """

    def __init__(self, place: Place, owner: str = "") -> None:
        """Open the database, creating and migrating it as needed; see :func:`connect`."""
        self.place = place
        self.owner = owner
        self._database = connect(place)
        self.history = History(self._database, owner)
        self.exams = Exams(self._database)
        self.judgements = Judgements(self._database)
        self.regrades = Regrades(self._database, owner)
        self.own_verdicts = OwnVerdicts(self._database, owner)

    def close(self) -> None:
        """Close the connections."""
        self._database.close()

    def create_session(self, new: NewSession, first: Commit) -> None:
        """Write a session with its snapshots and the first entry of its journal."""
        columns = {k: v for k, v in vars(new).items() if k not in ("rubrics", "challenges")}
        with self._database.write() as connection:
            connection.execute(
                insert(tables.Session).values(
                    **columns,
                    owner=self.owner,
                    status="open",
                    updated_at=new.created_at,
                    round=0,
                    finished_rounds=0,
                    question=0,
                    headline="",
                )
            )
            _keep_rubrics(connection, new)
            challenges = [{"challenge": id_, "body": body} for id_, body in new.challenges.items()]
            _insert(connection, tables.SessionChallenge, new.id, challenges)
            _append(connection, new.id, first)
        self._database.merge()

    def append(self, session_id: str, commit: Commit, *, after: int | None = None) -> int:
        """Write all of a commit in one transaction and return its place in the journal, from 1.

        ``after`` is the place of the last entry that the writer knows; None writes whatever comes
        before. Raises DeletedError where the session is gone, OvertakenError where its journal
        has gone on.
        """
        with self._database.write() as connection:
            _require_session(connection, session_id, self.owner)
            _require_last(connection, session_id, after)
            seq = _append(connection, session_id, commit)
        if commit.turn:
            self._database.merge()
        return seq

    def save_draft(
        self, session_id: str, pane: Pane, draft: Draft, *, after: int | None = None
    ) -> None:
        """Keep what is being typed in a pane, replacing its last draft.

        ``after`` as for :meth:`append`. Raises DeletedError and OvertakenError.
        """
        with self._database.write() as connection:
            _require_session(connection, session_id, self.owner)
            _require_last(connection, session_id, after)
            _put_draft(connection, session_id, pane, draft)

    def rewind(
        self, session_id: str, entries: int, turns: int, progress: Progress, draft: Draft | None
    ) -> None:
        """Keep so many entries of the journal and turns, and set the answer's draft.

        A paused entry is not added: ``progress`` says how the session stands. Raises
        UnknownNameError.
        """
        entry, turn = tables.Entry, tables.Turn
        with self._database.write() as connection:
            _require_session(connection, session_id, self.owner)
            later = entry.session_id == session_id, entry.seq > entries
            connection.execute(delete(entry).where(*later))
            connection.execute(
                delete(turn).where(turn.session_id == session_id, turn.number > turns)
            )
            _set_progress(connection, session_id, progress)
            if draft:
                _put_draft(connection, session_id, "answer", draft)

    def log_calls(self, session_id: str, at: datetime, calls: Sequence[Mapping[str, Any]]) -> None:
        """Log model calls, given as the other columns of ``model_calls``, oldest first.

        Raises UnknownNameError.
        """
        with self._database.write() as connection:
            _require_session(connection, session_id, self.owner)
            rows = [{"at": at, **call} for call in calls]
            _insert(connection, tables.ModelCall, session_id, rows)

    def delete_session(self, session_id: str) -> None:
        """Delete a session and everything that belongs to it. Raises UnknownNameError.

        Rubric snapshots that another session uses stay.
        """
        link, snapshot = tables.SessionRubric, tables.RubricSnapshot
        with self._database.write() as connection:
            hold_snapshots(connection, alone=True)
            _require_session(connection, session_id, self.owner)
            used = select(link.sha256).where(link.session_id == session_id)
            snapshots = connection.scalars(used).all()
            connection.execute(delete(tables.Session).where(tables.Session.id == session_id))
            still_used = select(link.sha256).where(link.sha256 == snapshot.sha256)
            connection.execute(
                delete(snapshot).where(snapshot.sha256.in_(snapshots), ~still_used.exists())
            )

    def adopt(self) -> int:
        """Give the sessions that belong to no user name to the owner; how many they were."""
        sessions = tables.Session
        with self._database.write() as connection:
            given = update(sessions).where(sessions.owner == "").values(owner=self.owner)
            return connection.execute(given).rowcount

    def entries(self, session_id: str) -> list[Entry]:
        """The journal, oldest first. Raises UnknownNameError: every session has an entry."""
        found = self._read(Entry, tables.Entry, session_id, tables.Entry.seq)
        if not found:
            raise UnknownNameError(_gone(session_id))
        return found

    def turns(self, session_id: str) -> list[TurnRecord]:
        """Everything said, in order."""
        return self._read(TurnRecord, tables.Turn, session_id, tables.Turn.number)

    def drafts(self, session_id: str) -> dict[Pane, Draft]:
        """What was typed and not yet sent, by pane."""
        draft = tables.Draft
        columns = tables.columns(draft, Draft)
        mine = draft.session_id == session_id, tables.of_owner(self.owner, session_id)
        statement = select(draft.pane, *columns).where(*mine)
        with self._database.read() as connection:
            return {pane: Draft(*values) for pane, *values in connection.execute(statement)}

    def rubrics(self, session_id: str) -> dict[str, dict[str, Any]]:
        """The rubrics as they were when the session began, by id."""
        link, snapshot = tables.SessionRubric, tables.RubricSnapshot
        statement = (
            select(link.rubric, snapshot.body)
            .join(snapshot, snapshot.sha256 == link.sha256)
            .where(link.session_id == session_id, tables.of_owner(self.owner, session_id))
        )
        with self._database.read() as connection:
            return {rubric: json.loads(body) for rubric, body in connection.execute(statement)}

    def challenges(self, session_id: str) -> dict[str, dict[str, Any]]:
        """The challenges as they were when the session began, by id."""
        kept = tables.SessionChallenge
        mine = kept.session_id == session_id, tables.of_owner(self.owner, session_id)
        statement = select(kept.challenge, kept.body).where(*mine)
        with self._database.read() as connection:
            return {row.challenge: row.body for row in connection.execute(statement)}

    def _read(self, record: type[R], table: Any, session_id: str, order: Any) -> list[R]:
        columns = tables.columns(table, record)
        mine = table.session_id == session_id, tables.of_owner(self.owner, session_id)
        statement = select(*columns).where(*mine).order_by(order)
        with self._database.read() as connection:
            return [record(*row) for row in connection.execute(statement)]


class Judgements:
    """A cache of JSON values; a key stands for everything that determines its value."""

    def __init__(self, database: Connections) -> None:
        self._database = database

    def get(self, key: str) -> dict[str, Any] | None:
        """The value under the key, None if there is none."""
        judgement = tables.Judgement
        with self._database.read() as connection:
            statement = select(judgement.body).where(judgement.key == key)
            return connection.execute(statement).scalar_one_or_none()

    def put(self, key: str, body: dict[str, Any]) -> None:
        """Keep a value, replacing the last one under the same key."""
        values = {"key": key, "body": body, "created_at": datetime.now(UTC)}
        with self._database.write() as connection:
            put(connection, tables.Judgement, values, replacing=True)


class Exams:
    """The exams that examiners took; none is ever replaced."""

    def __init__(self, database: Connections) -> None:
        self._database = database

    def save(self, result: ExamResult, rubrics_sha256: str, report: dict[str, Any]) -> None:
        """Keep an exam, with a digest of the rubrics it was taken on and all its figures."""
        values = {**vars(result), "rubrics_sha256": rubrics_sha256, "report": report}
        with self._database.write() as connection:
            connection.execute(insert(tables.Exam).values(values))

    def results(self) -> list[ExamResult]:
        """The results of all exams, latest first."""
        exam = tables.Exam
        columns = tables.columns(exam, ExamResult)
        statement = select(*columns).order_by(exam.taken_at.desc(), exam.id.desc())
        with self._database.read() as connection:
            return [ExamResult(*row) for row in connection.execute(statement)]


class Regrades:
    """The regrades of one owner's sessions; none is replaced, and they go with their session."""

    def __init__(self, database: Connections, owner: str) -> None:
        self._database = database
        self._owner = owner

    def add(
        self, session_id: str, *, at: datetime, examiner: str, version: str, grades: dict[str, Any]
    ) -> int:
        """Keep a regrade and return its number within the session. Raises UnknownNameError."""
        last = select(func.max(tables.Regrade.number)).where(
            tables.Regrade.session_id == session_id
        )
        with self._database.write() as connection:
            _require_session(connection, session_id, self._owner)
            number = (connection.scalar(last) or 0) + 1
            regrade = RegradeRecord(number, at, examiner, version, grades)
            _insert(connection, tables.Regrade, session_id, [vars(regrade)])
        return number

    def of(self, session_id: str) -> list[RegradeRecord]:
        """The regrades of a session, oldest first; none if there is no such session."""
        regrade = tables.Regrade
        columns = tables.columns(regrade, RegradeRecord)
        mine = regrade.session_id == session_id, tables.of_owner(self._owner, session_id)
        statement = select(*columns).where(*mine)
        with self._database.read() as connection:
            rows = connection.execute(statement.order_by(regrade.number))
            return [RegradeRecord(*row) for row in rows]


class OwnVerdicts:
    """The candidate's own verdicts and their appeals: none is replaced; they go with a session."""

    def __init__(self, database: Connections, owner: str) -> None:
        self._database = database
        self._owner = owner

    def add(self, session_id: str, question: int, criterion: str, mark: str | Appeal) -> None:
        """Keep a verdict, that there is none any more, or an appeal. Raises UnknownNameError."""
        values: dict[str, Any] = {"question": question, "criterion": criterion, "verdict": mark}
        if isinstance(mark, Appeal):
            values |= {"verdict": "appeal", "appeal": _APPEAL.dump_python(mark, mode="json")}
        with self._database.write() as connection:
            _require_session(connection, session_id, self._owner)
            row = {**values, "at": datetime.now(UTC)}
            _insert(connection, tables.OwnVerdict, session_id, [row])

    def of(self, session_id: str) -> Own:
        """Those that count."""
        own = tables.OwnVerdict
        mine = own.session_id == session_id, tables.of_owner(self._owner, session_id)
        columns = own.question, own.criterion, own.verdict, own.appeal
        with self._database.read() as connection:
            rows = connection.execute(select(*columns).where(*mine).order_by(own.id)).all()
        told = [((row.question, row.criterion), row.appeal) for row in rows if row.appeal]
        appeals = {point: _APPEAL.validate_python(appeal) for point, appeal in told}
        return Own(latest((row.question, row.criterion, row.verdict) for row in rows), appeals)


def _put_draft(connection: Connection, session_id: str, pane: Pane, draft: Draft) -> None:
    values = {"session_id": session_id, "pane": pane, **vars(draft)}
    put(connection, tables.Draft, values, replacing=True)


def _require_session(connection: Connection, session_id: str, owner: str) -> None:
    """Other writers of the session then wait, also where a database has several at once."""
    sessions = tables.Session
    found = select(sessions.id).where(sessions.id == session_id, sessions.owner == owner)
    if connection.scalar(found.with_for_update(key_share=True)) is None:
        raise DeletedError(_gone(session_id))


def _require_last(connection: Connection, session_id: str, place: int | None) -> None:
    if place is not None and _last_place(connection, session_id) != place:
        raise OvertakenError(
            f"Session {session_id} was continued in another window, so this one no longer writes "
            "to it. What you typed and did not send is still here: copy it, or open the session "
            "again to take it over."
        )


def _last_place(connection: Connection, session_id: str) -> int:
    last = select(func.max(tables.Entry.seq)).where(tables.Entry.session_id == session_id)
    return connection.scalar(last) or 0


def _gone(session_id: str) -> str:
    return (
        f"There is no session {session_id!r}: it was deleted. Copy what you typed and still need."
    )


def _append(connection: Connection, session_id: str, commit: Commit) -> int:
    entry = commit.entry
    seq = _last_place(connection, session_id) + 1
    _insert(connection, tables.Entry, session_id, [{"seq": seq, **vars(entry)}])
    if commit.turn:
        _insert(connection, tables.Turn, session_id, [vars(commit.turn)])
    if commit.clear_drafts:
        draft = tables.Draft
        cleared = draft.session_id == session_id, draft.pane.in_(commit.clear_drafts)
        connection.execute(delete(draft).where(*cleared))
    _set_progress(connection, session_id, commit.progress, updated_at=entry.at)
    return seq


def _set_progress(
    connection: Connection, session_id: str, progress: Progress, **further: datetime
) -> None:
    changed = {name: value for name, value in vars(progress).items() if value is not None}
    connection.execute(
        update(tables.Session).where(tables.Session.id == session_id).values(**changed, **further)
    )


def _insert(
    connection: Connection,
    table: type[tables.Base],
    session_id: str,
    rows: Sequence[Mapping[str, Any]],
) -> None:
    if rows:
        connection.execute(insert(table), [{"session_id": session_id, **row} for row in rows])


def _keep_rubrics(connection: Connection, new: NewSession) -> None:
    """Store each rubric once, however many sessions use it, and link it to this one."""
    hold_snapshots(connection, alone=False)
    canonical = {
        rubric: json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        for rubric, body in new.rubrics.items()
    }
    digests = {
        rubric: hashlib.sha256(body.encode(errors="surrogatepass")).hexdigest()
        for rubric, body in canonical.items()
    }
    # In one order for all: two that store the same ones must not wait for each other.
    for rubric in sorted(digests, key=digests.__getitem__):
        snapshot = {"sha256": digests[rubric], "body": canonical[rubric]}
        put(connection, tables.RubricSnapshot, snapshot, replacing=False)
    links = [{"rubric": rubric, "sha256": sha256} for rubric, sha256 in digests.items()]
    _insert(connection, tables.SessionRubric, new.id, links)
