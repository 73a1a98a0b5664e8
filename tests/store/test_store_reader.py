"""What the home screen reads: right, light, and without a trace."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.commits import minute, new_session, said, started

from interviewer.store.reader import HomeView, Unfinished, home_view
from interviewer.store.records import SessionProgress
from interviewer.store.store import Store


def filled(path: Path) -> Store:
    store = Store(path)
    progress = SessionProgress(status="finished", band=2.6)
    for number, title in enumerate(["Long loop", "Frontier loop"], start=1):
        store.create_session(new_session(f"done{number}", plan_title=title), started())
        store.append(f"done{number}", replace(said(number), progress=progress))
    asked = SessionProgress(round=2, headline="Why ZeRO-3?")
    for number, status in enumerate(["open", "paused", "open"], start=3):
        store.create_session(new_session(f"open{number}"), started())
        changed = replace(asked, status=status)
        store.append(f"open{number}", said(1, at=minute(10 - number), progress=changed))
    return store


@pytest.mark.parametrize("still_open", [True, False])
def test_shows_what_the_store_holds_without_a_trace(
    path: Path, still_open: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    unfinished = Unfinished("open3", "Sprint", 2, 2, "Why ZeRO-3?", minute(7))
    with closing(filled(path)) as store:
        if not still_open:
            store.close()
        before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
        assert home_view(path) == HomeView(sessions=5, unfinished=unfinished)
        monkeypatch.setattr("interviewer.store.reader.COUNTED", 3)
        assert home_view(path) == HomeView(sessions=4, unfinished=unfinished)
        after = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    if not still_open:
        assert after == before


def test_shows_nothing_where_there_is_nothing_to_resume(path: Path) -> None:
    assert home_view(path) is None
    assert not path.parent.exists()
    with closing(Store(path)) as store:
        assert home_view(path) == HomeView()
        store.create_session(new_session(), started())
        store.append("5e551001", said(1, progress=SessionProgress(status="finished")))
        assert home_view(path) == HomeView(sessions=1)
    path.write_bytes(b"")
    assert home_view(path) is None


def problem(path: Path) -> str:
    seen = home_view(path)
    assert seen is not None
    assert (seen.sessions, seen.unfinished) == (0, None)
    return seen.problem


def test_what_cannot_be_read_is_a_sentence_at_once(path: Path) -> None:
    filled(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("UPDATE sessions SET round = 1")
        assert "locked" in problem(path)
        other.execute("ROLLBACK")
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "later version" in problem(path)
    for content in (b"#!/bin/sh\n" * 100, b"SQLite format 3\0" + b"\xff" * 4080):
        path.write_bytes(content)
        assert str(path) in problem(path)
    assert str(path.parent) in problem(path.parent)
