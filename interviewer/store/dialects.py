"""The few statements that SQLite and PostgreSQL do not share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Select, column, func, inspect, select, table, text
from sqlalchemy.dialects import postgresql, sqlite

from interviewer.store import tables
from interviewer.store.records import TurnRecord

_SNAPSHOTS = 7_204_511
"""A number of our own for PostgreSQL's advisory locks."""


def put(
    connection: Connection,
    into: type[tables.Base],
    values: Mapping[str, Any],
    *,
    replacing: bool,
) -> None:
    """Insert a row; where its key is taken, the row there is replaced or stays as it is."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(into).values(values)
    keys = [key.name for key in inspect(into).primary_key]
    if replacing:
        changed = {name: value for name, value in values.items() if name not in keys}
        statement = statement.on_conflict_do_update(index_elements=keys, set_=changed)
    else:
        statement = statement.on_conflict_do_nothing(index_elements=keys)
    connection.execute(statement)


def hold_snapshots(connection: Connection, *, alone: bool) -> None:
    """Until the end of the transaction, nobody else deletes a snapshot or, if alone, uses one.

    A snapshot that one session is about to share could otherwise go with another session.
    SQLite has a single writer anyway.
    """
    if connection.dialect.name == "postgresql":
        lock = "pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared"
        connection.execute(text(f"SELECT {lock}({_SNAPSHOTS})"))


def turns_with(connection: Connection, words: str) -> Select[Any]:
    """The id of the session and the columns of a TurnRecord, latest first, of the turns that
    contain all of the words.
    """
    turn = tables.Turn
    found = select(turn.session_id, *tables.columns(turn, TurnRecord))
    plain = words.replace("\0", " ").encode(errors="replace").decode()
    if connection.dialect.name == "postgresql":
        contains = func.turn_words(turn.text).op("@@")(func.turn_query(plain))
        return found.where(contains).order_by(turn.id.desc())
    index = table(tables.SEARCH_TABLE, column("rowid"))
    return (
        found.select_from(index)
        .join(turn, turn.id == index.c.rowid)
        .where(column(tables.SEARCH_TABLE).op("MATCH")(_as_match(plain)))
        .order_by(index.c.rowid.desc())
    )


def _as_match(words: str) -> str:
    """Free text as an FTS5 query, with every word quoted so that none is an operator."""
    return " ".join('"{}"'.format(word.replace('"', '""')) for word in words.split()) or '""'
