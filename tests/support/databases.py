"""Databases of tests that are not about the making of databases."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from sqlalchemy import create_engine

from interviewer.settings.database_url import Place, Server
from interviewer.store import database, opening
from interviewer.store.store import Store

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
"""The time of the tests that look at past sessions."""
_copying = Lock()


def fresh_ones_are_copies(migrated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new database gets its tables from one that was migrated; any other is migrated."""
    migrate = opening._migrate

    def copy_or_migrate(path: Path) -> None:
        with _copying:
            if not _filled(path, migrated):
                migrate(path)

    monkeypatch.setattr(opening, "_migrate", copy_or_migrate)


def _filled(path: Path, migrated: Path) -> bool:
    """The database was empty and is so no more."""
    try:
        with (
            closing(sqlite3.connect(migrated)) as source,
            closing(sqlite3.connect(path, timeout=0)) as target,
        ):
            if target.execute("SELECT 1 FROM sqlite_schema").fetchone():
                return False
            source.backup(target)
            return True
    except sqlite3.Error:  # which the migration will meet as well, and tell
        return False


@cache
def practised(practise: Callable[[Store, datetime], Coroutine[Any, Any, None]]) -> Path:
    """A database of sessions that were held before the time of the tests; built once."""
    path = Path(tempfile.mkdtemp()) / "past.db"

    async def build() -> None:
        with closing(Store(path)) as store:
            await practise(store, NOW)

    with ThreadPoolExecutor(1) as thread:  # whose loop is its own: the caller's may be running
        thread.submit(asyncio.run, build()).result()
    return path


def undescribed(place: Place) -> object:
    """What the classes say otherwise of the tables than the database has them."""
    from alembic.autogenerate import compare_metadata  # slow, and only for these tests
    from alembic.migration import MigrationContext

    engine = create_engine(place.url if isinstance(place, Server) else f"sqlite:///{place}")
    try:
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"include_name": _is_mapped})
            return compare_metadata(context, database.metadata)
    finally:
        engine.dispose()


def _is_mapped(name: str | None, kind: str, _parents: object) -> bool:
    indexes = (database.SEARCH_TABLE, database.CHARACTER_TABLE)
    searched = kind in ("table", "index") and (name or "").startswith(indexes)
    return not searched
