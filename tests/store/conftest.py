from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event

from interviewer.settings.database_url import Place
from interviewer.store.store import Store

EveryConnection = Callable[[Callable[[sqlite3.Connection], object]], AbstractContextManager[None]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "sessions.db"


@pytest.fixture(autouse=True)
def _databases_are_migrated_once() -> None:
    """Not here: all but ``store`` are made and migrated as they would be anywhere."""


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """An open store: in a file and, with --postgres, on a server, unless the test has a path."""
    with closing(Store(place)) as store:
        yield store


@pytest.fixture
def every_connection() -> EveryConnection:
    """Do something with each connection that the store takes into use, inside a block."""

    @contextmanager
    def doing(something: Callable[[sqlite3.Connection], object]) -> Iterator[None]:
        def on_connect(connection: Connection) -> None:
            raw = connection.connection.dbapi_connection
            assert isinstance(raw, sqlite3.Connection)
            something(raw)

        event.listen(Engine, "engine_connect", on_connect)
        try:
            yield
        finally:
            event.remove(Engine, "engine_connect", on_connect)

    return doing
