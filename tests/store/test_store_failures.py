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
from interviewer.store.backup import find_damage
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


def test_a_read_only_database_is_named_and_still_read(
    store: Store, path: Path, every_connection
) -> None:
    store.create_session(new_session(), started())
    with every_connection(pragma("query_only = 1")):
        with pytest.raises(StoreWriteError, match="read-only") as caught:
            store.save_draft("5e551001", "answer", draft("text"))
        assert len(store.entries("5e551001")) == 1
    for words in (str(path), "INTERVIEWER_DATABASE", "--database"):
        assert words in str(caught.value)


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
    assert store.append("5e551001", said(1)) == 2
    store.close()


def test_a_start_that_finds_the_file_locked_is_told_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
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


def test_damage_inside_the_file_is_named_when_it_is_met(store: Store, path: Path) -> None:
    store.create_session(new_session(), started())
    for number in range(1, 60):
        store.append("5e551001", said(number, "x" * 2000))
    store.close()
    content = bytearray(path.read_bytes())
    content[60 * 4096 :] = b"\xa5" * (len(content) - 60 * 4096)
    path.write_bytes(content)
    again = Store(path)
    with pytest.raises(StoreError, match="is damaged") as caught:
        again.turns("5e551001")
    assert str(path) in str(caught.value)
    again.close()


def test_a_damaged_entry_hides_no_other(store: Store, path: Path) -> None:
    store.create_session(new_session(), started())
    store.append("5e551001", said(1))
    store.append("5e551001", said(2))
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE entries SET payload = '{' WHERE seq = 2")
        other.execute("UPDATE turns SET text = CAST(x'61ff62' AS TEXT) WHERE number = 2")
        other.commit()
    first, damaged, last = store.entries("5e551001")
    assert (first, damaged.payload, last) == (started().entry, {}, said(2).entry)
    assert [turn.text for turn in store.turns("5e551001")] == [said(1).turn.text, "a\ufffdb"]
    found = find_damage(path)
    assert f"{path} is damaged in entry 2 of session 5e551001, turn 2 of session" in found


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreWriteError, match=r"directory.*INTERVIEWER_DATABASE"):
        Store(tmp_path)


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(StoreWriteError, match="INTERVIEWER_DATABASE"):
        Store(tmp_path / "data" / "sessions.db")


@pytest.mark.parametrize("name", ["sessions.db", "sessions.db-wal"])
def test_nothing_is_acknowledged_once_the_file_is_gone(store: Store, path: Path, name: str) -> None:
    store.create_session(new_session(), started())
    path.with_name(name).unlink()
    with pytest.raises(StoreWriteError, match="deleted or replaced while it was in use"):
        store.append("5e551001", said(1))
    with pytest.raises(StoreWriteError, match="put it back, or start"):
        store.save_draft("5e551001", "answer", draft("text"))


def test_a_database_that_was_replaced_takes_no_more(store: Store, path: Path) -> None:
    store.create_session(new_session(), started())
    path.rename(path.with_name("moved.db"))
    Store(path).close()
    with pytest.raises(StoreWriteError, match="deleted or replaced"):
        store.append("5e551001", said(1))
