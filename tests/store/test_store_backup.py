"""Backups: whole, sound and private."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.commits import new_session, started

from interviewer.errors import StoreError, StoreWriteError
from interviewer.store.backup import back_up
from interviewer.store.store import Store


def sessions_in(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM sessions").fetchone()[0])


def test_what_is_still_in_the_write_ahead_log_is_in_the_copy(
    store: Store, path: Path, tmp_path: Path
) -> None:
    store.create_session(new_session(), started())
    copy = tmp_path / "elsewhere" / "copy.db"
    back_up(path, copy)
    assert sessions_in(copy) == 1
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in copy.parent.iterdir()] == ["copy.db"]
    with closing(Store(copy)) as read:
        assert read.history.count() == 1
    with pytest.raises(StoreWriteError, match="exists already"):
        back_up(path, copy)
    assert sessions_in(copy) == 1


def test_a_damaged_database_gives_no_backup(store: Store, path: Path, tmp_path: Path) -> None:
    for number in range(40):
        store.create_session(new_session(f"{number:010x}"), started())
    store.close()
    with path.open("r+b") as stream:
        size = path.stat().st_size
        stream.seek(size // 2 // 4096 * 4096)
        stream.write(b"\xa5" * 8192)
    with pytest.raises(StoreError, match="damaged"):
        back_up(path, tmp_path / "copy.db")
    assert not list(tmp_path.glob("*copy.db*"))
