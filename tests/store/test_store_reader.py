"""What the home screen reads: right, light, and without a trace."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.commits import minute, new_session, said, started

from interviewer.store.reader import HomeView, Unfinished, home_view
from interviewer.store.records import Progress
from interviewer.store.store import Store


def filled(path: Path) -> Store:
    store = Store(path)
    progress = Progress(status="finished", band=2.6)
    for number, title in enumerate(["Long loop", "Frontier loop"], start=1):
        store.create_session(new_session(f"done{number}", plan_title=title), started())
        store.append(f"done{number}", replace(said(number), progress=progress))
    asked = Progress(round=2, headline="Why ZeRO-3?")
    for number, status in enumerate(["open", "paused", "open"], start=3):
        store.create_session(new_session(f"open{number}"), started())
        changed = replace(asked, status=status)
        store.append(f"open{number}", said(1, at=minute(10 - number), progress=changed))
    return store


EXPECTED = HomeView(
    sessions=5,
    unfinished=Unfinished("open3", "Sprint", 2, 2, "Why ZeRO-3?", minute(7)),
)


@pytest.mark.parametrize("still_open", [True, False])
def test_shows_what_the_store_holds(path: Path, still_open: bool) -> None:
    store = filled(path)
    if not still_open:
        store.close()
    assert home_view(path) == EXPECTED
    latest = store.history.latest_unfinished()
    assert latest is not None
    assert latest.id == "open3"
    store.close()


def test_shows_nothing_where_there_is_no_file(path: Path) -> None:
    assert home_view(path) is None
    assert not path.parent.exists()


def test_shows_an_empty_database_as_empty(path: Path) -> None:
    Store(path).close()
    assert home_view(path) == HomeView()
    path.write_bytes(b"")
    assert home_view(path) == HomeView()


def test_a_finished_session_is_not_one_to_resume(path: Path) -> None:
    store = Store(path)
    store.create_session(new_session(), started())
    store.append("5e551001", said(1, progress=Progress(status="finished")))
    assert home_view(path) == HomeView(sessions=1)
    store.close()


def test_very_many_sessions_are_not_counted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path).close()
    monkeypatch.setattr("interviewer.store.reader.COUNTED", 3)
    seen = home_view(path)
    assert seen
    assert seen.sessions == 4


def test_leaves_no_trace(path: Path) -> None:
    filled(path).close()
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    home_view(path)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_a_later_version_is_a_sentence(path: Path) -> None:
    filled(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    seen = home_view(path)
    assert seen is not None
    assert (seen.sessions, seen.unfinished) == (0, None)
    assert "later version" in seen.problem
    assert "upgrade" in seen.problem


@pytest.mark.parametrize("content", [b"#!/bin/sh\n" * 100, b"SQLite format 3\0" + b"\xff" * 4080])
def test_an_unreadable_file_is_a_sentence(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    seen = home_view(path)
    assert seen is not None
    assert str(path) in seen.problem


def test_a_folder_in_the_place_of_the_file_is_a_sentence(tmp_path: Path) -> None:
    seen = home_view(tmp_path)
    assert seen is not None
    assert str(tmp_path) in seen.problem


def test_a_locked_file_is_a_sentence_at_once(path: Path) -> None:
    filled(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("DELETE FROM drafts WHERE text = 'none'")
        other.execute("UPDATE sessions SET round = 1")
        seen = home_view(path)
    assert seen is not None
    assert "locked" in seen.problem


def test_imports_nothing_heavy(path: Path) -> None:
    filled(path).close()
    script = (
        "import sys; from pathlib import Path; from interviewer.store.reader import home_view\n"
        "assert home_view(Path(sys.argv[1])).sessions == 5\n"
        "print(sorted({'sqlalchemy', 'alembic', 'pydantic', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
