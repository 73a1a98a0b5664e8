"""What stands in the way of the disk becomes one sentence, and the store goes on afterwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.commits import draft, new_session, said, started

from interviewer.errors import StoreError, StoreWriteError
from interviewer.store import database
from interviewer.store.store import Store


def pragma(setting: str) -> Callable[[sqlite3.Connection], object]:
    return lambda connection: connection.execute(f"PRAGMA {setting}")


def test_a_full_disk_is_named_and_costs_nothing_stored(
    store: Store, path: Path, every_connection
) -> None:
    store.create_session(new_session(), started())
    long = "tokens " * 20_000
    with every_connection(pragma("max_page_count = 1")):  # SQLite takes the present size at least
        with pytest.raises(StoreWriteError, match="disk that is full; free some space") as caught:
            store.append("5e551001", said(1, long))
        with pytest.raises(StoreWriteError, match="full"):
            store.save_draft("5e551001", "answer", draft(long))
    assert str(path) in str(caught.value)
    assert isinstance(caught.value.__cause__, Exception)
    assert len(store.entries("5e551001")) == 1
    with every_connection(pragma("max_page_count = 1000000")):
        assert store.append("5e551001", said(1, long)) == 2


def test_a_locked_database_is_named_and_taken_up_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    store = Store(path)
    store.create_session(new_session(), started())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreWriteError, match="locked by another program"):
            store.append("5e551001", said(1))
        other.execute("ROLLBACK")
        assert store.append("5e551001", said(1)) == 2
        store.close()
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreWriteError, match="locked by another program"):
            Store(path)


@pytest.mark.parametrize(
    "content", [b"not a database " * 100, b"SQLite format 3\0" + b"\xff" * 4080], ids=ascii
)
def test_a_file_that_is_no_database_is_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreError, match="INTERVIEWER_DATABASE") as caught:
        Store(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_something_else_in_the_place_of_the_file_or_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreWriteError, match=r"directory.*INTERVIEWER_DATABASE"):
        Store(tmp_path)
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(StoreWriteError, match="INTERVIEWER_DATABASE"):
        Store(tmp_path / "data" / "sessions.db")


@pytest.mark.parametrize("taken", ["sessions.db", "sessions.db-wal", "replaced"])
def test_nothing_is_acknowledged_once_the_file_is_gone(
    store: Store, path: Path, taken: str
) -> None:
    store.create_session(new_session(), started())
    if taken == "replaced":
        path.rename(path.with_name("moved.db"))
        Store(path).close()
    else:
        path.with_name(taken).unlink()
    with pytest.raises(StoreWriteError, match="deleted or replaced while it was in use"):
        store.append("5e551001", said(1))
    with pytest.raises(StoreWriteError, match="put it back, or start"):
        store.save_draft("5e551001", "answer", draft("text"))
