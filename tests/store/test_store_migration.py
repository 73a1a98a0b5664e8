"""A database of an earlier version is taken forward, and keeps all that was in it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect
from support.commits import CALL, judged, minute, new_session, said, started

from interviewer.store import database, peek
from interviewer.store.database import migration_config
from interviewer.store.peek import glance
from interviewer.store.store import Store

SESSION = "5e551001"


def made_at(path: Path, target: str) -> None:
    """A new file with the tables of an earlier revision."""
    path.parent.mkdir()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        command.upgrade(migration_config(connection), target)
    engine.dispose()


def filled(path: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> dict[str, Any]:
    """Write a session of every kind of row into a file of that revision, and read it back."""
    with monkeypatch.context() as earlier:
        earlier.setattr(database, "HEAD", target)
        with closing(Store(path)) as store:
            store.create_session(new_session(), started())
            store.append(SESSION, said(2))
            store.append(SESSION, judged(2))
            store.log_calls(SESSION, [CALL])
            store.save_draft(SESSION, "half a sen", minute(3), 70.0)
            return everything(store)


def everything(store: Store) -> dict[str, Any]:
    return {
        "sessions": store.history.sessions(10),
        "found": store.history.search("variance"),
        "entries": store.entries(SESSION),
        "turns": store.turns(SESSION),
        "verdicts": store.verdicts(SESSION),
        "grades": store.grades(SESSION),
        "calls": store.calls(SESSION),
        "draft": store.draft(SESSION),
        "rubrics": store.rubrics(SESSION),
    }


def revision_of(path: Path) -> str | None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    engine.dispose()
    return found


@pytest.mark.parametrize("target", peek.REVISIONS[:-1])
def test_an_earlier_database_keeps_everything(
    path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    made_at(path, target)
    before = filled(path, monkeypatch, target)
    assert before["found"]
    assert revision_of(path) == target
    with closing(Store(path)) as store:
        assert everything(store) == before
        assert store.regrades.of(SESSION) == []
        store.append(SESSION, said(4, "And one answer more."))
        assert [turn.number for turn in store.turns(SESSION)] == [2, 4]
    assert revision_of(path) == peek.HEAD


def test_the_first_revision_lacks_what_the_second_adds(path: Path) -> None:
    made_at(path, "0001")
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        missing = {"exams", "judgements", "regrades"} - set(inspect(connection).get_table_names())
    engine.dispose()
    assert missing == {"exams", "judgements", "regrades"}


def test_a_glance_reads_an_earlier_database_without_taking_it_forward(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_at(path, "0001")
    filled(path, monkeypatch, "0001")
    seen = glance(path)
    assert seen is not None
    assert (seen.sessions, seen.problem) == (1, "")
    assert revision_of(path) == "0001"
