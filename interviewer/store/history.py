"""Reading across sessions: lists, look-up by id, search; fast however many there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Text,
    and_,
    column,
    exists,
    func,
    select,
    table,
    text,
    tuple_,
    type_coerce,
)

from interviewer.content.fields import meant
from interviewer.errors import UnknownNameError
from interviewer.store import tables
from interviewer.store.database import Database
from interviewer.store.records import (
    Position,
    SessionFilter,
    SessionPage,
    SessionRow,
    SessionStatus,
    SpentRow,
    TurnRecord,
)

SHORTEST_PREFIX = 4
"""How many characters of an id are enough to name a session, if no other begins with them."""

EVERY = SessionFilter()

_COMPARED_IDS = 1000
"""How many of the latest ids are compared with a mistyped one."""


@dataclass(frozen=True)
class SearchHit:
    """A session in which the words were said, and the latest turn that contains them.

    ``spans`` are where the words stand in the turn, half-open ranges.
    """

    session: SessionRow
    turn: TurnRecord
    spans: tuple[tuple[int, int], ...] = ()


class History:
    """Lists of one owner's sessions, the one with the latest journal entry first.

    Nobody else's is listed, counted, found or named in an error, and no deleted one (``deleted``:
    no other). All methods raise StoreError where the database cannot be read.
    """

    def __init__(self, database: Database, owner: str, *, deleted: bool = False) -> None:
        self._database = database
        self._owner = owner
        there = tables.StoredSession.deleted_at.is_not(None) if deleted else _KEPT
        self._mine = and_(tables.StoredSession.owner == owner, there)
        self._list = f"interviewer sessions list{' --deleted' if deleted else ''}"

    def sessions(self, limit: int, status: SessionStatus | None = None) -> list[SessionRow]:
        """The newest sessions, with one status or any."""
        newest = self._rows().order_by(*_NEWEST_FIRST).limit(limit)
        if status is not None:
            newest = newest.where(tables.StoredSession.status == status)
        return self._fetch(newest)

    def older(
        self, limit: int, than: Position | None = None, only: SessionFilter = EVERY
    ) -> SessionPage:
        """The sessions after a place in the list, or the first ones; as quick at any place.

        In another order than the latest first there is one page alone.
        """
        page = self._rows().where(*_conditions(only)).order_by(*_ORDERS[only.order])
        if than is not None:
            # The parts of the place are stored as those of the rows are.
            place = tuple_(*than, types=[part.type for part in _PLACE])
            page = page.where(tuple_(*_PLACE) < place)
        rows = self._fetch(page.limit(limit + 1))
        return SessionPage(tuple(rows[:limit]), len(rows) > limit and only.order == "latest")

    def plans_and_tags(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The titles of the plans that there are sessions of, and the tags on them, in order."""
        session = tables.StoredSession
        plans = self._database.rows(select(session.plan_title).where(self._mine).distinct())
        tags = self._database.rows(select(session.tags).where(self._mine).distinct())
        titles = sorted(title for (title,) in plans)
        return tuple(titles), tuple(sorted({tag for (some,) in tags for tag in some}))

    def session(self, session_id: str) -> SessionRow:
        """The session with this id, or the only one whose id begins with it (4 characters or more).

        Raises UnknownNameError, suggesting similar ids.
        """
        ids = tables.StoredSession.id
        exact = self._fetch(self._rows().where(ids == session_id))
        if exact:
            return exact[0]
        if len(session_id) < SHORTEST_PREFIX:
            raise UnknownNameError(
                f"No session has the id {session_id!r}; give at least the first "
                f"{SHORTEST_PREFIX} characters of an id that `{self._list}` shows."
            )
        begins = (ids >= session_id, ids < f"{session_id}\U0010ffff")
        found = self._fetch(self._rows().where(*begins).order_by(ids).limit(4))
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownNameError(
                f"More than one session begins with {session_id!r} "
                f"({', '.join(row.id for row in found)}); give more characters."
            )
        raise UnknownNameError(self._unknown(session_id))

    def finished(self) -> list[str]:
        """The ids of the finished sessions, newest first."""
        done = tables.StoredSession.status == "finished"
        return [id_ for (id_,) in self._database.rows(self._newest(None).where(done))]

    def latest_unfinished(self) -> SessionRow | None:
        """The session to resume: the newest that is open or paused."""
        unfinished = [*self.sessions(1, "open"), *self.sessions(1, "paused")]
        return max(unfinished, key=lambda row: row.updated_at, default=None)

    def count(self, at_most: int | None = None) -> int:
        """How many sessions there are; counted one by one, and no further than ``at_most``."""
        first_ones = select(tables.StoredSession.id).where(self._mine).limit(at_most).subquery()
        return int(self._database.rows(select(func.count()).select_from(first_ones))[0][0])

    def everyones(self) -> int:
        """How many sessions the database has, whoever they belong to."""
        return int(
            self._database.rows(select(func.count(tables.StoredSession.id)).where(_KEPT))[0][0]
        )

    def asked(self, n_sessions: int) -> tuple[str, ...]:
        """The ids of the rubrics asked in the newest ``n_sessions`` sessions, the latest first."""
        newest = self._newest(n_sessions)
        entry = tables.StoredEntry
        statement = select(entry.at, entry.seq, entry.payload).where(
            entry.kind == "question", entry.session_id.in_(newest)
        )
        found = self._database.rows(statement)
        latest_first = sorted(found, key=lambda row: (row.at, row.seq), reverse=True)
        rubrics = (row.payload.get("rubric", "") for row in latest_first)
        return tuple(dict.fromkeys(filter(None, rubrics)))

    def spent(self, *, since: date | None = None, session: str | None = None) -> list[SpentRow]:
        """What was asked of models, oldest first; since a day or for one session, if given."""
        call = tables.StoredCall
        day = func.date(call.at)
        tokens = (call.prompt_tokens, call.cached_tokens, call.completion_tokens)
        sums = (func.coalesce(func.sum(each), 0) for each in tokens)
        key = (day, call.session_id, call.model)
        mine = tables.of_owner(self._owner, call.session_id)
        statement = select(*key, func.count(), *sums).where(mine).group_by(*key).order_by(*key)
        if since is not None:
            statement = statement.where(call.at >= datetime.combine(since, time(), UTC))
        if session is not None:
            statement = statement.where(call.session_id == session)
        return [SpentRow(str(first), *others) for first, *others in self._database.rows(statement)]

    def search(self, words: str, limit: int = 20, only: SessionFilter = EVERY) -> list[SearchHit]:
        """The sessions in which one turn contains all of these words, the latest turn first.

        Case, accents and English endings don't matter: "gradients" finds "Gradient". What is
        between double quotes is found as a phrase. Chinese is found by any part of a sentence.
        """
        latest: dict[str, tuple[TurnRecord, tuple[tuple[int, int], ...]]] = {}
        with self._database.read() as connection:
            theirs = self._newest(None).where(*_conditions(only))
            statement = _turns_with(connection, words).where(
                tables.StoredTurn.session_id.in_(theirs)
                if only != EVERY
                else tables.of_owner(self._owner, tables.StoredTurn.session_id)
            )
            hits = connection.execute(statement.execution_options(yield_per=4 * limit))
            for marked, session_id, *values in hits:
                turn = TurnRecord(*values)
                latest.setdefault(session_id, (turn, _spans(marked, turn.text, words)))
                if len(latest) == limit:
                    break
        listed = self._fetch(self._rows().where(tables.StoredSession.id.in_(latest)))
        found = {row.id: row for row in listed}
        return [SearchHit(found[i], *turn) for i, turn in latest.items() if i in found]

    def _rows(self) -> Select[Any]:
        """Sessions as the columns of a SessionRow, in its order."""
        session, draft = tables.StoredSession, tables.StoredDraft
        answers = (draft.session_id == session.id, draft.pane == "answer", draft.text != "")
        has_draft = select(draft.text).where(*answers).exists()
        names = [field.name for field in fields(SessionRow) if field.name != "has_draft"]
        return select(*(getattr(session, name) for name in names), has_draft).where(self._mine)

    def _newest(self, limit: int | None) -> Select[Any]:
        return (
            select(tables.StoredSession.id).where(self._mine).order_by(*_NEWEST_FIRST).limit(limit)
        )

    def _fetch(self, statement: Select[Any]) -> list[SessionRow]:
        return [SessionRow(*row) for row in self._database.rows(statement)]

    def _unknown(self, session_id: str) -> str:
        known = [id_ for (id_,) in self._database.rows(self._newest(_COMPARED_IDS))]
        hint = meant(session_id, known) or f"`{self._list}` shows all of them."
        return f"No session has the id {session_id!r}; {hint}"


_KEPT = tables.StoredSession.deleted_at.is_(None)
_PLACE = (tables.StoredSession.updated_at, tables.StoredSession.id)
_NEWEST_FIRST = (tables.StoredSession.updated_at.desc(), tables.StoredSession.id.desc())


_ORDERS = {
    "latest": _NEWEST_FIRST,
    "oldest": tuple(part.asc() for part in _PLACE),
    "weakest": (tables.StoredSession.band.asc().nulls_last(), *_NEWEST_FIRST),
    "best": (tables.StoredSession.band.desc().nulls_last(), *_NEWEST_FIRST),
}


def _conditions(only: SessionFilter) -> Iterator[ColumnElement[bool]]:
    session, link = tables.StoredSession, tables.SessionRubric
    if only.plan:
        yield session.plan_title == only.plan
    if only.rubrics:
        yield exists().where(link.session_id == session.id, link.rubric.in_(only.rubrics))
    if only.bands:
        yield session.band >= only.bands[0]
        yield session.band < only.bands[1]
    if only.finished is not None:
        yield (session.status == "finished") == only.finished
    if only.since:
        yield session.updated_at >= only.since
    if only.tag:
        # The column holds a list in JSON, which is searched as text.
        listed = type_coerce(session.tags, Text)
        yield listed.contains(json.dumps(only.tag, ensure_ascii=False), autoescape=True)


def phrases(words: str) -> list[str]:
    """What to search for: the phrases between double quotes, and each other word."""
    return [phrase or word for phrase, word in _PHRASE.findall(words) if phrase or word]


_PHRASE = re.compile(r'"([^"]*)"|([^\s"]+)')


def _turns_with(connection: Connection, words: str) -> Select[Any]:
    """The turns that contain all of the words, latest first: the text with marks around those, the
    id of the session, and the columns of a TurnRecord.
    """
    turn = tables.StoredTurn
    found = select(turn.session_id, *tables.columns(turn, TurnRecord))
    wanted = phrases(words.replace("\0", " ").encode(errors="replace").decode())
    if connection.dialect.name == "postgresql":
        query = func.turn_query("\n".join(wanted))
        contains = func.turn_words(turn.text).op("@@")(query)
        options = f"StartSel={_MARKS[0]}, StopSel={_MARKS[1]}, HighlightAll=true"
        marked = func.ts_headline(text("'turn_words'"), turn.text, query, options)
        found = select(marked, *found.selected_columns)
        return found.where(contains).order_by(turn.id.desc())
    by_character = [each for each in wanted if tables.spaced(each) != each]
    by_word = [each for each in wanted if each not in by_character]
    if by_word or not by_character:
        index = table(tables.SEARCH_TABLE, column("rowid"))
        marked = func.highlight(text(tables.SEARCH_TABLE), 0, *_MARKS, type_=tables.TypedText())
        found = select(marked, *found.selected_columns)
        found = found.select_from(index).join(turn, turn.id == index.c.rowid)
        found = found.where(_matches(tables.SEARCH_TABLE, by_word))
        found = found.order_by(index.c.rowid.desc())
    if by_character:
        characters = table(tables.CHARACTER_TABLE, column("rowid"))
        said = [tables.spaced(each) for each in by_character]
        has = select(characters.c.rowid).where(_matches(tables.CHARACTER_TABLE, said))
        found = found.where(turn.id.in_(has))
    if by_word or not by_character:
        return found
    return (
        select(turn.text, *found.selected_columns).where(turn.id.in_(has)).order_by(turn.id.desc())
    )


_MARKS = "\ue000", "\ue001"  # for private use: nobody says them


def _spans(marked: str, said: str, words: str) -> tuple[tuple[int, int], ...]:
    """Where the database put its marks; it marks nothing of what is found by its characters."""
    spans, at = [], 0
    for number, part in enumerate(re.split("|".join(_MARKS), marked)):
        if number % 2:
            spans.append((at, at + len(part)))
        at += len(part)
    for phrase in phrases(words):
        if tables.spaced(phrase) != phrase:
            found = re.finditer(re.escape(phrase), said, re.IGNORECASE)
            spans += [each.span() for each in found]
    return tuple(sorted(spans))


def _matches(index: str, wanted: Sequence[str]) -> ColumnElement[bool]:
    """Each is quoted, so that none is an operator of FTS5."""
    return column(index).op("MATCH")(" ".join(f'"{each}"' for each in wanted) or '""')
