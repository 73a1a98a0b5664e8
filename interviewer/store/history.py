"""Reading across sessions: lists, look-up by id, search; fast however many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, column, func, not_, select, table, tuple_

from interviewer.content.fields import meant
from interviewer.errors import UnknownNameError
from interviewer.store import tables
from interviewer.store.database import Database
from interviewer.store.records import (
    Position,
    SessionRow,
    SessionStatus,
    SpentRow,
    TurnRecord,
)

SHORTEST_PREFIX = 4
"""How many characters of an id are enough to name a session, if no other begins with them."""

_COMPARED_IDS = 1000
"""How many of the latest ids are compared with a mistyped one."""


_its = tables.sessions.c
_PLACE = (_its.updated_at, _its.id)
_NEWEST_FIRST = (_its.updated_at.desc(), _its.id.desc())


@dataclass(frozen=True)
class SearchHit:
    """A session in which the words were said, and the latest turn that contains them."""

    session: SessionRow
    turn: TurnRecord


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
        self,
        limit: int | None,
        status: SessionStatus | None = None,
        *,
        than: Position | None = None,
    ) -> list[SessionRow]:
        """The newest sessions, or the next after a place in the list; as quick at any place."""
        newest = self._rows().order_by(*_NEWEST_FIRST).limit(limit)
        if status is not None:
            newest = newest.where(_its.status == status)
        if than is not None:
            # The parts of the place are stored as those of the rows are.
            place = tuple_(*than, types=[part.type for part in _PLACE])
            newest = newest.where(tuple_(*_PLACE) < place)
        return self._fetch(newest)

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

    def latest_unfinished(self) -> SessionRow | None:
        """The session to resume: the newest that is open or paused."""
        unfinished = [*self.sessions(1, "open"), *self.sessions(1, "paused")]
        return max(unfinished, key=lambda row: row.updated_at, default=None)

    def count(self, at_most: int | None = None) -> int:
        """How many sessions there are; counted one by one, and no further than ``at_most``."""
        first_ones = select(_its.id).where(self._mine).limit(at_most).subquery()
        return int(self._database.rows(select(func.count()).select_from(first_ones))[0][0])

    def asked(self, n_sessions: int) -> tuple[str, ...]:
        """The ids of the rubrics asked in the newest ``n_sessions`` sessions, the latest first."""
        entry = tables.entries.c
        asked = entry.kind == "question", entry.session_id.in_(self._newest(n_sessions))
        found = self._database.rows(select(entry.at, entry.seq, entry.payload).where(*asked))
        latest_first = sorted(found, key=lambda row: (row.at, row.seq), reverse=True)
        rubrics = (row.payload.get("rubric", "") for row in latest_first)
        return tuple(dict.fromkeys(filter(None, rubrics)))

    def spent(self, session: str) -> list[SpentRow]:
        """What was asked of models in a session, by model."""
        call = tables.model_calls.c
        tokens = (call.prompt_tokens, call.cached_tokens, call.completion_tokens)
        sums = (func.coalesce(func.sum(each), 0) for each in tokens)
        mine = call.session_id == session, tables.of_owner(self._owner, session)
        spent = select(call.model, func.count(), *sums).where(*mine).group_by(call.model)
        return [SpentRow(*row) for row in self._database.rows(spent.order_by(call.model))]

    def search(self, text: str, limit: int = 20) -> list[SearchHit]:
        """The sessions in which one turn contains all words of ``text``, the latest turn first.

        Case, accents and English endings don't matter: "gradients" finds "Gradient".
        """
        latest: dict[str, TurnRecord] = {}
        with self._database.read() as connection:
            mine = tables.of_owner(self._owner, tables.turns.c.session_id)
            statement = _turns_with(connection, text).where(mine)
            hits = connection.execute(statement.execution_options(yield_per=4 * limit))
            for session_id, *values in hits:
                latest.setdefault(session_id, TurnRecord(*values))
                if len(latest) == limit:
                    break
        found = {row.id: row for row in self._fetch(self._rows().where(_its.id.in_(latest)))}
        return [SearchHit(found[i], turn) for i, turn in latest.items() if i in found]

    def _rows(self) -> Select[Any]:
        """Sessions as the columns of a SessionRow, in its order."""
        draft = tables.drafts.c
        answers = (draft.session_id == _its.id, draft.pane == "answer", draft.text != "")
        has_draft = select(draft.text).where(*answers).exists()
        names = [name for name in SessionRow.__annotations__ if name != "has_draft"]
        return select(*(_its[name] for name in names), has_draft).where(self._mine)

    def _newest(self, limit: int) -> Select[Any]:
        return select(_its.id).where(self._mine).order_by(*_NEWEST_FIRST).limit(limit)

    def _fetch(self, statement: Select[Any]) -> list[SessionRow]:
        return [SessionRow(*row) for row in self._database.rows(statement)]


def _turns_with(connection: Connection, words: str) -> Select[Any]:
    """The id of the session and the columns of a TurnRecord, latest first, of the turns that
    contain all of the words.
    """
    turn = tables.turns.c
    found = select(turn.session_id, *(turn[name] for name in TurnRecord.__annotations__))
    plain = words.replace("\0", " ").encode(errors="replace").decode()
    if connection.dialect.name == "postgresql":
        contains = func.turn_words(turn.text).op("@@")(func.turn_query(plain))
        return found.where(contains).order_by(turn.id.desc())
    index = table(tables.SEARCH_TABLE, column("rowid"))
    # Each word is quoted, so that none is an operator of FTS5.
    wanted = " ".join('"{}"'.format(word.replace('"', '""')) for word in plain.split()) or '""'
    return (
        found.select_from(index)
        .join(tables.turns, turn.id == index.c.rowid)
        .where(column(tables.SEARCH_TABLE).op("MATCH")(wanted))
        .order_by(index.c.rowid.desc())
    )
