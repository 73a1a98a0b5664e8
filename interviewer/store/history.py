"""Reading across sessions: lists, look-up by id, search; fast however many there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    not_,
    select,
    table,
    text,
    tuple_,
    type_coerce,
)

from interviewer.content.fields import meant
from interviewer.errors import UnknownNameError
from interviewer.store import database as db
from interviewer.store.database import Database
from interviewer.store.records import (
    Position,
    SessionFilter,
    SessionRow,
    SpentRow,
    TurnRecord,
)

SHORTEST_PREFIX = 4
"""How many characters of an id are enough to name a session, if no other begins with them."""

EVERY = SessionFilter()

_COMPARED_IDS = 1000
"""How many of the latest ids are compared with a mistyped one."""


_its = db.sessions.c
_PLACE = (_its.updated_at, _its.id)
_NEWEST_FIRST = (_its.updated_at.desc(), _its.id.desc())


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
        kept = _its.deleted_at.is_(None)
        self._mine = and_(_its.owner == owner, not_(kept) if deleted else kept)
        self._list = f"interviewer sessions list{' --deleted' if deleted else ''}"

    def sessions(
        self, limit: int | None, only: SessionFilter = EVERY, than: Position | None = None
    ) -> list[SessionRow]:
        """The sessions in the filter's order, from the first, or after a place in the list.

        As quick at any place; there are no places in another order than the latest first.
        """
        found = self._rows().where(*_conditions(only)).order_by(*_ORDERS[only.order]).limit(limit)
        if than is not None:
            # The parts of the place are stored as those of the rows are.
            place = tuple_(*than, types=[part.type for part in _PLACE])
            found = found.where(tuple_(*_PLACE) < place)
        return self._fetch(found)

    def plans_and_tags(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The titles of the plans that there are sessions of, and the tags on them, in order."""
        plans = self._database.rows(select(_its.plan_title).where(self._mine).distinct())
        tags = self._database.rows(select(_its.tags).where(self._mine).distinct())
        titles = sorted(title for (title,) in plans)
        return tuple(titles), tuple(sorted({tag for (some,) in tags for tag in some}))

    def session(self, session_id: str) -> SessionRow:
        """The session with this id, or the only one whose id begins with it (4 characters or more).

        Raises UnknownNameError, suggesting similar ids.
        """
        exact = self._fetch(self._rows().where(_its.id == session_id))
        if exact:
            return exact[0]
        if len(session_id) < SHORTEST_PREFIX:
            raise UnknownNameError(
                f"No session has the id {session_id!r}; give at least the first "
                f"{SHORTEST_PREFIX} characters of an id that `{self._list}` shows."
            )
        begins = _its.id >= session_id, _its.id < f"{session_id}\U0010ffff"
        found = self._fetch(self._rows().where(*begins).order_by(_its.id).limit(4))
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownNameError(
                f"More than one session begins with {session_id!r} "
                f"({', '.join(row.id for row in found)}); give more characters."
            )
        known = [id_ for (id_,) in self._database.rows(self._newest(_COMPARED_IDS))]
        hint = meant(session_id, known) or f"`{self._list}` shows all of them."
        raise UnknownNameError(f"No session has the id {session_id!r}; {hint}")

    def count(self, at_most: int | None = None) -> int:
        """How many sessions there are; counted one by one, and no further than ``at_most``."""
        first_ones = select(_its.id).where(self._mine).limit(at_most).subquery()
        return int(self._database.rows(select(func.count()).select_from(first_ones))[0][0])

    def asked(self, n_sessions: int) -> tuple[str, ...]:
        """The ids of the rubrics asked in the newest ``n_sessions`` sessions, the latest first."""
        entry = db.entries.c
        asked = entry.kind == "question", entry.session_id.in_(self._newest(n_sessions))
        found = self._database.rows(select(entry.at, entry.seq, entry.payload).where(*asked))
        latest_first = sorted(found, key=lambda row: (row.at, row.seq), reverse=True)
        rubrics = (row.payload.get("rubric", "") for row in latest_first)
        return tuple(dict.fromkeys(filter(None, rubrics)))

    def spent(self, session: str) -> list[SpentRow]:
        """What was asked of models in a session, by model."""
        call = db.model_calls.c
        tokens = (call.prompt_tokens, call.cached_tokens, call.completion_tokens)
        sums = (func.coalesce(func.sum(each), 0) for each in tokens)
        mine = call.session_id == session, db.of_owner(self._owner, session)
        spent = select(call.model, func.count(), *sums).where(*mine).group_by(call.model)
        return [SpentRow(*row) for row in self._database.rows(spent.order_by(call.model))]

    def named(self, words: str, limit: int = 20, only: SessionFilter = EVERY) -> list[SessionRow]:
        """The sessions with these words in their name or in a tag, the latest first."""
        tags = type_coerce(_its.tags, Text)
        by_name = _its.name.icontains(words, autoescape=True)
        tagged = tags.icontains(words, autoescape=True)
        rows = self._rows().where(by_name | tagged, *_conditions(only)).order_by(*_NEWEST_FIRST)
        return self._fetch(rows.limit(limit))

    def search(self, words: str, limit: int = 20, only: SessionFilter = EVERY) -> list[SearchHit]:
        """The sessions in which one turn contains all of these words, the latest turn first.

        Case, accents and English endings don't matter: "gradients" finds "Gradient". What is
        between double quotes is found as a phrase. Chinese is found by any part of a sentence.
        """
        of_turn = _its.id == db.turns.c.session_id
        theirs = select(_its.id).where(of_turn, self._mine, *_conditions(only)).exists()
        latest: dict[str, tuple[TurnRecord, tuple[tuple[int, int], ...]]] = {}
        with self._database.read() as connection:
            statement = _turns_with(connection, words).where(theirs)
            hits = connection.execute(statement.execution_options(yield_per=4 * limit))
            for marked, session_id, *values in hits:
                turn = TurnRecord(*values)
                latest.setdefault(session_id, (turn, _spans(marked, turn.text, words)))
                if len(latest) == limit:
                    break
        found = {row.id: row for row in self._fetch(self._rows().where(_its.id.in_(latest)))}
        return [SearchHit(found[i], *hit) for i, hit in latest.items() if i in found]

    def _rows(self) -> Select[Any]:
        """Sessions as the columns of a SessionRow, in its order."""
        draft = db.drafts.c
        answers = (draft.session_id == _its.id, draft.pane == "answer", draft.text != "")
        has_draft = select(draft.text).where(*answers).exists()
        names = [name for name in SessionRow.__annotations__ if name != "has_draft"]
        return select(*(_its[name] for name in names), has_draft).where(self._mine)

    def _newest(self, limit: int) -> Select[Any]:
        return select(_its.id).where(self._mine).order_by(*_NEWEST_FIRST).limit(limit)

    def _fetch(self, statement: Select[Any]) -> list[SessionRow]:
        return [SessionRow(*row) for row in self._database.rows(statement)]


_ORDERS = {
    "latest": _NEWEST_FIRST,
    "oldest": tuple(part.asc() for part in _PLACE),
    "weakest": (_its.band.asc().nulls_last(), *_NEWEST_FIRST),
    "best": (_its.band.desc().nulls_last(), *_NEWEST_FIRST),
}


def _conditions(only: SessionFilter) -> Iterator[ColumnElement[bool]]:
    session, link = _its, db.session_rubrics.c
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
    turn = db.turns.c
    columns = turn.session_id, *(turn[name] for name in TurnRecord.__annotations__)
    wanted = phrases(words.replace("\0", " ").encode(errors="replace").decode())
    if connection.dialect.name == "postgresql":
        query = func.turn_query("\n".join(wanted))
        contains = func.turn_words(turn.text).op("@@")(query)
        options = f"StartSel={_MARKS[0]}, StopSel={_MARKS[1]}, HighlightAll=true"
        marked = func.ts_headline(text("'turn_words'"), turn.text, query, options)
        return select(marked, *columns).where(contains).order_by(turn.id.desc())
    by_character = [db.spaced(each) for each in wanted if db.spaced(each) != each]
    by_word = [each for each in wanted if db.spaced(each) == each]
    if by_character and not by_word:
        found = select(turn.text, *columns).order_by(turn.id.desc())
    else:
        index = table(db.SEARCH_TABLE, column("rowid"))
        marked = func.highlight(text(db.SEARCH_TABLE), 0, *_MARKS, type_=db.TypedText())
        found = select(marked, *columns).select_from(index).order_by(index.c.rowid.desc())
        found = found.join(db.turns, turn.id == index.c.rowid)
        found = found.where(_matches(db.SEARCH_TABLE, by_word))
    if by_character:
        characters = table(db.CHARACTER_TABLE, column("rowid"))
        has = select(characters.c.rowid).where(_matches(db.CHARACTER_TABLE, by_character))
        found = found.where(turn.id.in_(has))
    return found


_MARKS = "\ue000", "\ue001"  # for private use: nobody says them


def _spans(marked: str, said: str, words: str) -> tuple[tuple[int, int], ...]:
    """Where the database put its marks; it marks nothing of what is found by its characters."""
    spans, at = [], 0
    for number, part in enumerate(re.split("|".join(_MARKS), marked)):
        if number % 2:
            spans.append((at, at + len(part)))
        at += len(part)
    for phrase in phrases(words):
        if db.spaced(phrase) != phrase:
            found = re.finditer(re.escape(phrase), said, re.IGNORECASE)
            spans += [each.span() for each in found]
    return tuple(sorted(spans))


def _matches(index: str, wanted: Sequence[str]) -> ColumnElement[bool]:
    """Each is quoted, so that none is an operator of FTS5."""
    return column(index).op("MATCH")(" ".join(f'"{each}"' for each in wanted) or '""')
