"""Writing sessions, reading one back, and what is kept about grading itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from interviewer.errors import DeletedError, OvertakenError, StoreError, UnknownNameError
from interviewer.grading.agreement import ExamResult
from interviewer.grading.verdicts import Own, latest
from interviewer.settings.database_url import Place
from interviewer.store import database as db
from interviewer.store.history import History
from interviewer.store.opening import connect
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

T = TypeVar("T")
KEPT_DELETED = timedelta(days=30)  # so long a deleted session can be brought back


class Store:
    """One owner's sessions in a database: a file, or one of a PostgreSQL server.

    ``owner`` is the name of a user, "" where nobody else's sessions are kept. A session of anybody
    else is one that does not exist, for every method. What is not about a session is shared: exams,
    and snapshots of rubrics (found only by way of a session).

    Methods may be called from any thread and return once their writes are on disk. They raise
    StoreError where the database cannot be used and StoreWriteError where a write failed; a call
    that raises has written nothing. What changes a session raises DeletedError where it is gone.
    ``history`` reads across sessions, ``deleted`` across deleted ones.
    """

    def __init__(self, place: Place, owner: str = "") -> None:
        """Open the database, see :func:`connect`, and empty what the owner deleted long ago."""
        self._database = connect(place)
        self.place = place
        self.owner = owner
        self.history = History(self._database, owner)
        self.deleted = History(self._database, owner, deleted=True)
        with suppress(StoreError):  # where it cannot be done now, a later start does it
            self.empty(datetime.now(UTC) - KEPT_DELETED)

    def close(self) -> None:
        self._database.close()

    def create_session(self, new: NewSession, first: Commit) -> None:
        """Write a session with its snapshots and the first entry of its journal."""
        columns = {k: v for k, v in vars(new).items() if k not in ("rubrics", "challenges")}
        beginning = {"status": "open", "round": 0, "finished_rounds": 0, "question": 0}
        row = {**columns, **beginning, "headline": "", "updated_at": new.created_at}
        challenges = [{"challenge": id_, "body": body} for id_, body in new.challenges.items()]
        with self._database.write() as connection:
            connection.execute(insert(db.sessions).values(**row, owner=self.owner))
            _keep_rubrics(connection, new)
            _insert(connection, db.session_challenges, new.id, *challenges)
            _append(connection, new.id, first)
        self._database.merge()

    def append(self, session_id: str, commit: Commit, *, after: int | None = None) -> int:
        """Write all of a commit in one transaction and return its place in the journal, from 1.

        ``after`` is the place of the last entry that the writer knows; None writes whatever comes
        before. Raises OvertakenError where the journal has gone on.
        """
        with self._changing(session_id, after) as connection:
            seq = _append(connection, session_id, commit)
        if commit.turn:
            self._database.merge()
        return seq

    def save_draft(
        self, session_id: str, pane: Pane, draft: Draft, *, after: int | None = None
    ) -> None:
        """Keep what is being typed in a pane, replacing its last draft; ``after`` as above."""
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

        A paused entry is not added: ``progress`` says how the session stands.
        """
        entry, turn = db.entries.c, db.turns.c
        of_session = entry.session_id == session_id
        later = of_session, entry.seq > entries
        unsaid = turn.session_id == session_id, turn.number > turns
        with self._changing(session_id) as connection:
            connection.execute(delete(db.entries).where(*later))
            connection.execute(delete(db.turns).where(*unsaid))
            last: Any = connection.scalar(select(func.max(entry.at)).where(of_session))
            _update(connection, session_id, **_changed(progress), updated_at=last)
            if draft:
                _put_draft(connection, session_id, "answer", draft)

    def log_calls(self, session_id: str, at: datetime, calls: Sequence[Mapping[str, Any]]) -> None:
        """Log model calls, given as the other columns of ``model_calls``, oldest first."""
        rows = ({"at": at, **call} for call in calls)
        with self._changing(session_id) as connection:
            _insert(connection, db.model_calls, session_id, *rows)

    def delete_session(self, session_id: str) -> None:
        """Hide a session; until it is emptied it can be brought back."""
        with self._changing(session_id) as connection:
            _update(connection, session_id, deleted_at=datetime.now(UTC), holder="")

    def restore_session(self, session: str) -> SessionRow:
        """Bring a deleted session back, by id or unique prefix. Raises UnknownNameError."""
        row = self.deleted.session(session)
        with self._database.write() as connection:
            _update(connection, row.id, deleted_at=None)
        return row

    def label_session(self, session_id: str, name: str, tags: Sequence[str]) -> None:
        """Give a session a name of its own, "" for its plan's, and tags."""
        own = {"name": " ".join(name.split()), "tags": tuple(dict.fromkeys(tags))}
        with self._changing(session_id) as connection:
            _update(connection, session_id, **own)

    def bookmark(self, session_id: str, turn: int, note: str | None) -> None:
        """Keep a note on a turn, "" to mark it alone; None takes it away."""
        mark = db.bookmarks
        with self._changing(session_id) as connection:
            if note is None:
                this = mark.c.session_id == session_id, mark.c.turn == turn
                connection.execute(delete(mark).where(*this))
            else:
                _put(connection, mark, {"session_id": session_id, "turn": turn, "note": note})

    def bookmarks(self, session_id: str) -> dict[int, str]:
        """The notes on a session's turns, by the number of the turn."""
        found = self._read(session_id, db.bookmarks, "turn", "turn", "note")
        return dict(map(tuple, found))

    def empty(self, until: datetime) -> None:
        """Remove what the owner deleted before, and rubric snapshots that no session uses then.

        Raises StoreWriteError where another session just begins to use one of these.
        """
        session, link = db.sessions.c, db.session_rubrics.c
        snapshots = db.rubric_snapshots
        mine = session.owner == self.owner, session.deleted_at < until
        if not self._database.rows(select(session.id).where(*mine).limit(1)):
            return
        with self._database.write() as connection:
            connection.execute(delete(db.sessions).where(*mine))
            used = select(link.sha256).where(link.sha256 == snapshots.c.sha256)
            connection.execute(delete(snapshots).where(~used.exists()))

    def entries(self, session_id: str) -> list[JournalEntry]:
        """The journal, oldest first; damaged payloads are empty.

        Raises UnknownNameError: every session has an entry.
        """
        found = self._records(session_id, db.entries, "seq", JournalEntry)
        if not found:
            raise UnknownNameError(_gone(session_id))
        return found

    def turns(self, session_id: str) -> list[TurnRecord]:
        """Everything said, in order."""
        return self._records(session_id, db.turns, "number", TurnRecord)

    def drafts(self, session_id: str) -> dict[Pane, Draft]:
        """What was typed and not yet sent, by pane."""
        found = self._read(session_id, db.drafts, "pane", "pane", *Draft.__annotations__)
        return {pane: Draft(*values) for pane, *values in found}

    def rubrics(self, session_id: str) -> dict[str, dict[str, Any]]:
        """The rubrics as they were when the session began, by id; a damaged one is empty."""
        link, snapshot = db.session_rubrics, db.rubric_snapshots
        statement = (
            select(link.c.rubric, link.c.sha256, snapshot.c.body)
            .select_from(link)
            .join(snapshot, snapshot.c.sha256 == link.c.sha256, isouter=True)
            .where(link.c.session_id == session_id, db.of_owner(self.owner, session_id))
        )
        return {rubric: _whole(*copy) for rubric, *copy in self._database.rows(statement)}

    def challenges(self, session_id: str) -> dict[str, dict[str, Any]]:
        """The challenges as they were when the session began, by id."""
        names = ("challenge", "challenge", "body")
        return dict(self._read(session_id, db.session_challenges, *names))

    def add_regrade(
        self, session_id: str, *, at: datetime, examiner: str, version: str, grades: dict[str, Any]
    ) -> int:
        """Keep the grades of a session judged again; their number within it, from 1."""
        kept = db.regrades
        last = select(func.max(kept.c.number)).where(kept.c.session_id == session_id)
        with self._changing(session_id) as connection:
            number = (connection.scalar(last) or 0) + 1
            new = RegradeRecord(number, at, examiner, version, grades)
            _insert(connection, kept, session_id, vars(new))
        return number

    def regrades(self, session_id: str) -> list[RegradeRecord]:
        """The regrades of a session, oldest first; none if there is no such session."""
        return self._records(session_id, db.regrades, "number", RegradeRecord)

    def add_own_verdict(self, session_id: str, question: int, criterion: str, mark: str) -> None:
        """Keep the candidate's own verdict on a point, or that there is none any more."""
        row = {"question": question, "criterion": criterion, "verdict": mark}
        with self._changing(session_id) as connection:
            _insert(connection, db.own_verdicts, session_id, row | {"at": datetime.now(UTC)})

    def own_verdicts(self, session_id: str) -> Own:
        """The candidate's own verdicts, those that count."""
        names = ("question", "criterion", "verdict")
        return latest(self._read(session_id, db.own_verdicts, "id", *names))

    def save_exam(self, result: ExamResult, rubrics_sha256: str, report: dict[str, Any]) -> None:
        """Keep an examiner's exam, with a digest of its rubrics and all its figures."""
        values = {**vars(result), "rubrics_sha256": rubrics_sha256, "report": report}
        with self._database.write() as connection:
            connection.execute(insert(db.exams).values(values))

    def exams(self) -> list[ExamResult]:
        """The results of all exams of examiners, latest first."""
        exam = db.exams.c
        found = select(*(exam[name] for name in ExamResult.__annotations__))
        latest_first = found.order_by(exam.taken_at.desc(), exam.id.desc())
        return [ExamResult(*row) for row in self._database.rows(latest_first)]

    @contextmanager
    def _changing(self, session_id: str, after: int | None = None) -> Iterator[Connection]:
        """A transaction on a session; other writers of it wait.

        Raises DeletedError where it is gone, OvertakenError where its journal has gone on from
        place ``after``.
        """
        its = db.sessions.c
        theirs = its.owner == self.owner, its.deleted_at.is_(None)
        found = select(its.id).where(its.id == session_id, *theirs)
        with self._database.write() as connection:
            if connection.scalar(found.with_for_update(key_share=True)) is None:
                raise DeletedError(_gone(session_id))
            if after is not None and _last_place(connection, session_id) != after:
                raise OvertakenError(
                    f"Session {session_id} was continued in another window, so this one no longer "
                    "writes to it. Open it again to take it over."
                )
            yield connection

    def _read(self, session_id: str, table: Table, order: str, *columns: str) -> Sequence[Any]:
        mine = table.c.session_id == session_id, db.of_owner(self.owner, session_id)
        found = select(*(table.c[name] for name in columns)).where(*mine)
        return self._database.rows(found.order_by(table.c[order]))

    def _records(self, session_id: str, table: Table, order: str, record: type[T]) -> list[T]:
        found = self._read(session_id, table, order, *record.__annotations__)
        return [record(*row) for row in found]


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
    entry = db.entries.c
    last = select(func.max(entry.seq)).where(entry.session_id == session_id)
    return connection.scalar(last) or 0


def _append(connection: Connection, session_id: str, commit: Commit) -> int:
    entry, draft = commit.entry, db.drafts.c
    seq = _last_place(connection, session_id) + 1
    _insert(connection, db.entries, session_id, {"seq": seq, **vars(entry)})
    if commit.turn:
        _say(connection, session_id, commit.turn)
    if commit.clear_drafts:
        cleared = draft.session_id == session_id, draft.pane.in_(commit.clear_drafts)
        connection.execute(delete(db.drafts).where(*cleared))
    _update(connection, session_id, **_changed(commit.progress), updated_at=entry.at)
    return seq


def _say(connection: Connection, session_id: str, turn: TurnRecord) -> None:
    row = insert(db.turns).values(session_id=session_id, **vars(turn))
    id_ = connection.scalar(row.returning(db.turns.c.id))
    if connection.dialect.name == "sqlite" and id_ is not None:
        db.index_characters(connection, id_, turn.text)


def _changed(progress: SessionProgress) -> dict[str, Any]:
    return {name: value for name, value in vars(progress).items() if value is not None}


def _update(connection: Connection, session_id: str, **values: Any) -> None:
    this = db.sessions.c.id == session_id
    connection.execute(update(db.sessions).where(this).values(**values))


def _put_draft(connection: Connection, session_id: str, pane: Pane, draft: Draft) -> None:
    _put(connection, db.drafts, {"session_id": session_id, "pane": pane, **vars(draft)})


def _insert(
    connection: Connection, table: Table, session_id: str, *rows: Mapping[str, Any]
) -> None:
    if rows:
        connection.execute(insert(table), [{"session_id": session_id, **row} for row in rows])


def _put(connection: Connection, into: Table, values: Mapping[str, Any]) -> None:
    """Insert a row, or replace the one that has its key."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    keys = [key.name for key in into.primary_key]
    changed = {name: value for name, value in values.items() if name not in keys}
    statement = dialect.insert(into).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed))


def _keep_rubrics(connection: Connection, new: NewSession) -> None:
    """Store each rubric once, however many sessions use it, and link it to this one."""
    canonical = {
        rubric: json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        for rubric, body in new.rubrics.items()
    }
    bodies = {_hash(body): body for body in canonical.values()}
    # In one order for all: two that store the same ones must not wait for each other. One that is
    # there is written again, so that nobody can delete it before the link to it is committed.
    for sha256, body in sorted(bodies.items()):
        _put(connection, db.rubric_snapshots, {"sha256": sha256, "body": body})
    links = ({"rubric": rubric, "sha256": _hash(body)} for rubric, body in canonical.items())
    _insert(connection, db.session_rubrics, new.id, *links)
