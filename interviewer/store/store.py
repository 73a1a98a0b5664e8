"""Writing sessions, reading one back, and what is kept about grading itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, func, insert, inspect, select, update
from sqlalchemy.dialects import postgresql, sqlite

from interviewer.errors import DeletedError, OvertakenError, StoreError, UnknownNameError
from interviewer.grading.agreement import ExamResult
from interviewer.grading.own import Own, latest
from interviewer.settings.database_url import Place
from interviewer.store import tables
from interviewer.store.database import Database, connect
from interviewer.store.history import History
from interviewer.store.records import (
    Commit,
    Draft,
    JournalEntry,
    NewSession,
    Pane,
    RegradeRecord,
    SessionProgress,
    SessionRow,
    TurnRecord,
)

KEPT_DELETED = timedelta(days=30)  # so long a deleted session can be brought back


class _Sessions:
    """One owner's sessions in a database: whatever is read or changed is of one of them."""

    def __init__(self, database: Database, owner: str) -> None:
        self._database = database
        self.owner = owner

    @contextmanager
    def _changing(self, session_id: str, after: int | None = None) -> Iterator[Connection]:
        """A transaction on a session; other writers of it wait.

        Raises DeletedError where it is gone, OvertakenError where its journal has gone on from
        place ``after``.
        """
        with self._database.write() as connection:
            sessions = tables.StoredSession
            theirs = sessions.owner == self.owner, sessions.deleted_at.is_(None)
            found = select(sessions.id).where(sessions.id == session_id, *theirs)
            if connection.scalar(found.with_for_update(key_share=True)) is None:
                raise DeletedError(_gone(session_id))
            if after is not None and _last_place(connection, session_id) != after:
                raise OvertakenError(
                    f"Session {session_id} was continued in another window, so this one no longer "
                    "writes to it. Open it again to take it over."
                )
            yield connection

    def _read(self, session_id: str, table: Any, order: Any, *columns: Any) -> Sequence[Any]:
        mine = table.session_id == session_id, tables.of_owner(self.owner, session_id)
        return self._database.rows(select(*columns).where(*mine).order_by(order))


class Store(_Sessions):
    """One owner's sessions in a database: a file, or one of a PostgreSQL server.

    ``owner`` is the name of a user, "" where nobody else's sessions are kept. A session of anybody
    else is one that does not exist, for every method. What is not about a session is shared: exams,
    judgements (found only by whoever has the same answer judged in the same way), and snapshots of
    rubrics (found only by way of a session).

    Methods may be called from any thread and return once their writes are on disk. They raise
    StoreError where the database cannot be used and StoreWriteError where a write failed; a call
    that raises has written nothing. ``history`` reads across sessions, ``deleted`` across deleted
    ones; ``exams``, ``judgements`` and ``regrades`` hold what is known about grading.
    """

    def __init__(self, place: Place, owner: str = "") -> None:
        """Open the database, see :func:`connect`, and empty what the owner deleted long ago."""
        super().__init__(connect(place), owner)
        self.place = place
        self.history = History(self._database, owner)
        self.deleted = History(self._database, owner, deleted=True)
        self.exams = Exams(self._database)
        self.judgements = Judgements(self._database)
        self.regrades = Regrades(self._database, owner)
        self.own_verdicts = OwnVerdicts(self._database, owner)
        with suppress(StoreError):  # where it cannot be done now, a later start does it
            self.empty(datetime.now(UTC) - KEPT_DELETED)

    def close(self) -> None:
        self._database.close()

    def create_session(self, new: NewSession, first: Commit) -> None:
        """Write a session with its snapshots and the first entry of its journal."""
        columns = {k: v for k, v in vars(new).items() if k not in ("rubrics", "challenges")}
        beginning = {"status": "open", "round": 0, "finished_rounds": 0, "question": 0}
        row = {**columns, **beginning, "headline": "", "updated_at": new.created_at}
        with self._database.write() as connection:
            connection.execute(insert(tables.StoredSession).values(**row, owner=self.owner))
            _keep_rubrics(connection, new)
            challenges = [{"challenge": id_, "body": body} for id_, body in new.challenges.items()]
            _insert(connection, tables.SessionChallenge, new.id, *challenges)
            _append(connection, new.id, first)
        self._database.merge()

    def append(self, session_id: str, commit: Commit, *, after: int | None = None) -> int:
        """Write all of a commit in one transaction and return its place in the journal, from 1.

        ``after`` is the place of the last entry that the writer knows; None writes whatever comes
        before. Raises DeletedError where the session is gone, OvertakenError where its journal
        has gone on.
        """
        with self._changing(session_id, after) as connection:
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
        with self._changing(session_id, after) as connection:
            _put_draft(connection, session_id, pane, draft)

    def rewind(
        self,
        session_id: str,
        entries: int,
        turns: int,
        progress: SessionProgress,
        draft: Draft | None,
    ) -> None:
        """Keep so many entries of the journal and turns, and set the answer's draft.

        A paused entry is not added: ``progress`` says how the session stands. Raises
        UnknownNameError.
        """
        entry, turn = tables.StoredEntry, tables.StoredTurn
        later = entry.session_id == session_id, entry.seq > entries
        unsaid = turn.session_id == session_id, turn.number > turns
        with self._changing(session_id) as connection:
            connection.execute(delete(entry).where(*later))
            connection.execute(delete(turn).where(*unsaid))
            last: Any = connection.scalar(
                select(func.max(entry.at)).where(entry.session_id == session_id)
            )
            _set_progress(connection, session_id, progress, updated_at=last)
            if draft:
                _put_draft(connection, session_id, "answer", draft)

    def log_calls(self, session_id: str, at: datetime, calls: Sequence[Mapping[str, Any]]) -> None:
        """Log model calls, given as the other columns of ``model_calls``, oldest first.

        Raises UnknownNameError.
        """
        with self._changing(session_id) as connection:
            _insert(
                connection, tables.StoredCall, session_id, *({"at": at, **call} for call in calls)
            )

    def delete_session(self, session_id: str) -> None:
        """Hide a session; until it is emptied it can be brought back. Raises UnknownNameError."""
        with self._changing(session_id) as connection:
            this = update(tables.StoredSession).where(tables.StoredSession.id == session_id)
            connection.execute(this.values(deleted_at=datetime.now(UTC), holder=""))

    def restore_session(self, session: str) -> SessionRow:
        """Bring a deleted session back, by id or unique prefix. Raises UnknownNameError."""
        row = self.deleted.session(session)
        with self._database.write() as connection:
            this = update(tables.StoredSession).where(tables.StoredSession.id == row.id)
            connection.execute(this.values(deleted_at=None))
        return row

    def call_session(self, session_id: str, name: str, tags: Sequence[str]) -> None:
        """Give a session a name of its own, "" for its plan's, and tags.

        Raises UnknownNameError.
        """
        own = {"name": " ".join(name.split()), "tags": tuple(dict.fromkeys(tags))}
        with self._changing(session_id) as connection:
            this = update(tables.StoredSession).where(tables.StoredSession.id == session_id)
            connection.execute(this.values(**own))

    def bookmark(self, session_id: str, turn: int, note: str | None) -> None:
        """Keep a note on a turn, "" to mark it alone; None takes it away.

        Raises UnknownNameError.
        """
        mark = tables.Bookmark
        with self._changing(session_id) as connection:
            if note is None:
                this = mark.session_id == session_id, mark.turn == turn
                connection.execute(delete(mark).where(*this))
            else:
                _put(connection, mark, {"session_id": session_id, "turn": turn, "note": note})

    def bookmarks(self, session_id: str) -> dict[int, str]:
        """The notes on a session's turns, by the number of the turn."""
        mark = tables.Bookmark
        return dict(map(tuple, self._read(session_id, mark, mark.turn, mark.turn, mark.note)))

    def empty(self, until: datetime) -> None:
        """Remove what the owner deleted before, and rubric snapshots that no session uses then.

        Raises StoreWriteError where another session just begins to use one of these.
        """
        session, link, snapshot = tables.StoredSession, tables.SessionRubric, tables.RubricSnapshot
        mine = session.owner == self.owner, session.deleted_at < until
        if not self._database.rows(select(session.id).where(*mine).limit(1)):
            return
        with self._database.write() as connection:
            connection.execute(delete(session).where(*mine))
            used = select(link.sha256).where(link.sha256 == snapshot.sha256)
            connection.execute(delete(snapshot).where(~used.exists()))

    def entries(self, session_id: str) -> list[JournalEntry]:
        """The journal, oldest first; damaged payloads are empty.

        Raises UnknownNameError: every session has an entry.
        """
        entry = tables.StoredEntry
        found = self._read(session_id, entry, entry.seq, *tables.columns(entry, JournalEntry))
        if not found:
            raise UnknownNameError(_gone(session_id))
        return [JournalEntry(*row) for row in found]

    def turns(self, session_id: str) -> list[TurnRecord]:
        """Everything said, in order."""
        turn = tables.StoredTurn
        found = self._read(session_id, turn, turn.number, *tables.columns(turn, TurnRecord))
        return [TurnRecord(*row) for row in found]

    def drafts(self, session_id: str) -> dict[Pane, Draft]:
        """What was typed and not yet sent, by pane."""
        draft = tables.StoredDraft
        columns = draft.pane, *tables.columns(draft, Draft)
        found = self._read(session_id, draft, draft.pane, *columns)
        return {pane: Draft(*values) for pane, *values in found}

    def rubrics(self, session_id: str) -> dict[str, dict[str, Any]]:
        """The rubrics as they were when the session began, by id; a damaged one is empty."""
        link, snapshot = tables.SessionRubric, tables.RubricSnapshot
        statement = (
            select(link.rubric, link.sha256, snapshot.body)
            .join(snapshot, snapshot.sha256 == link.sha256, isouter=True)
            .where(link.session_id == session_id, tables.of_owner(self.owner, session_id))
        )
        return {rubric: _whole(*copy) for rubric, *copy in self._database.rows(statement)}

    def challenges(self, session_id: str) -> dict[str, dict[str, Any]]:
        """The challenges as they were when the session began, by id."""
        kept = tables.SessionChallenge
        found = self._read(session_id, kept, kept.challenge, kept.challenge, kept.body)
        return dict(found)


class Judgements:
    """A cache of JSON values; a key stands for everything that determines its value."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> dict[str, Any] | None:
        """The value under the key, None if there is none."""
        judgement = tables.StoredJudgement
        found = self._database.rows(select(judgement.body).where(judgement.key == key))
        return (found[0].body or None) if found else None

    def put(self, key: str, body: dict[str, Any]) -> None:
        """Keep a value, replacing the last one under the same key."""
        values = {"key": key, "body": body, "created_at": datetime.now(UTC)}
        with self._database.write() as connection:
            _put(connection, tables.StoredJudgement, values)


class Exams:
    """The exams that examiners took; none is ever replaced."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, result: ExamResult, rubrics_sha256: str, report: dict[str, Any]) -> None:
        """Keep an exam, with a digest of the rubrics it was taken on and all its figures."""
        values = {**vars(result), "rubrics_sha256": rubrics_sha256, "report": report}
        with self._database.write() as connection:
            connection.execute(insert(tables.StoredExam).values(values))

    def results(self) -> list[ExamResult]:
        """The results of all exams, latest first."""
        exam = tables.StoredExam
        statement = select(*tables.columns(exam, ExamResult))
        latest_first = statement.order_by(exam.taken_at.desc(), exam.id.desc())
        return [ExamResult(*row) for row in self._database.rows(latest_first)]


class Regrades(_Sessions):
    """The regrades of one owner's sessions; none is replaced, and they go with their session."""

    def add(
        self, session_id: str, *, at: datetime, examiner: str, version: str, grades: dict[str, Any]
    ) -> int:
        """Keep a regrade and return its number within the session. Raises UnknownNameError."""
        regrade = tables.StoredRegrade
        last = select(func.max(regrade.number)).where(regrade.session_id == session_id)
        with self._changing(session_id) as connection:
            number = (connection.scalar(last) or 0) + 1
            new = RegradeRecord(number, at, examiner, version, grades)
            _insert(connection, regrade, session_id, vars(new))
        return number

    def of(self, session_id: str) -> list[RegradeRecord]:
        """The regrades of a session, oldest first; none if there is no such session."""
        regrade = tables.StoredRegrade
        columns = tables.columns(regrade, RegradeRecord)
        found = self._read(session_id, regrade, regrade.number, *columns)
        return [RegradeRecord(*row) for row in found]


class OwnVerdicts(_Sessions):
    """The candidate's own verdicts: none is replaced; they go with a session."""

    def add(self, session_id: str, question: int, criterion: str, mark: str) -> None:
        """Keep a verdict, or that there is none any more. Raises UnknownNameError."""
        values = {"question": question, "criterion": criterion, "verdict": mark}
        with self._changing(session_id) as connection:
            row = {**values, "at": datetime.now(UTC)}
            _insert(connection, tables.OwnVerdict, session_id, row)

    def of(self, session_id: str) -> Own:
        """Those that count."""
        own = tables.OwnVerdict
        rows = self._read(session_id, own, own.id, own.question, own.criterion, own.verdict)
        return latest((row.question, row.criterion, row.verdict) for row in rows)


def _whole(sha256: str, stored: str | None) -> dict[str, Any]:
    """A stored copy, also with damage before or after it; empty if its hash is another now."""
    body = stored or ""
    try:
        found, end = json.JSONDecoder().raw_decode(body, start := body.index("{"))
    except ValueError:
        return {}
    return dict(found) if _hash(body[start:end]) == sha256 else {}


def _hash(body: str) -> str:
    return hashlib.sha256(body.encode(errors="surrogatepass")).hexdigest()


def _gone(session_id: str) -> str:
    return (
        f"There is no session {session_id!r}: it was deleted. Copy what you typed and still need, "
        f"or bring it back with 'interviewer sessions restore {session_id}'."
    )


def _last_place(connection: Connection, session_id: str) -> int:
    last = select(func.max(tables.StoredEntry.seq)).where(
        tables.StoredEntry.session_id == session_id
    )
    return connection.scalar(last) or 0


def _append(connection: Connection, session_id: str, commit: Commit) -> int:
    entry = commit.entry
    seq = _last_place(connection, session_id) + 1
    _insert(connection, tables.StoredEntry, session_id, {"seq": seq, **vars(entry)})
    if commit.turn:
        _say(connection, session_id, commit.turn)
    if commit.clear_drafts:
        draft = tables.StoredDraft
        cleared = draft.session_id == session_id, draft.pane.in_(commit.clear_drafts)
        connection.execute(delete(draft).where(*cleared))
    _set_progress(connection, session_id, commit.progress, updated_at=entry.at)
    return seq


def _say(connection: Connection, session_id: str, turn: TurnRecord) -> None:
    row = insert(tables.StoredTurn).values(session_id=session_id, **vars(turn))
    id_ = connection.scalar(row.returning(tables.StoredTurn.id))
    if connection.dialect.name == "sqlite" and id_ is not None:
        tables.index_characters(connection, id_, turn.text)


def _set_progress(
    connection: Connection, session_id: str, progress: SessionProgress, **further: datetime
) -> None:
    changed = {name: value for name, value in vars(progress).items() if value is not None}
    connection.execute(
        update(tables.StoredSession)
        .where(tables.StoredSession.id == session_id)
        .values(**changed, **further)
    )


def _put_draft(connection: Connection, session_id: str, pane: Pane, draft: Draft) -> None:
    values = {"session_id": session_id, "pane": pane, **vars(draft)}
    _put(connection, tables.StoredDraft, values)


def _insert(
    connection: Connection, table: type[tables.Base], session_id: str, *rows: Mapping[str, Any]
) -> None:
    if rows:
        connection.execute(insert(table), [{"session_id": session_id, **row} for row in rows])


def _put(connection: Connection, into: type[tables.Base], values: Mapping[str, Any]) -> None:
    """Insert a row, or replace the one that has its key."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    keys = [key.name for key in inspect(into).primary_key]
    changed = {name: value for name, value in values.items() if name not in keys}
    statement = dialect.insert(into).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed))


def _keep_rubrics(connection: Connection, new: NewSession) -> None:
    """Store each rubric once, however many sessions use it, and link it to this one."""
    bodies: dict[str, str] = {}
    links: list[dict[str, str]] = []
    for rubric, body in new.rubrics.items():
        canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        sha256 = _hash(canonical)
        bodies[sha256] = canonical
        links.append({"rubric": rubric, "sha256": sha256})
    # In one order for all: two that store the same ones must not wait for each other. One that is
    # there is written again, so that nobody can delete it before the link to it is committed.
    for sha256, canonical in sorted(bodies.items()):
        _put(connection, tables.RubricSnapshot, {"sha256": sha256, "body": canonical})
    _insert(connection, tables.SessionRubric, new.id, *links)
