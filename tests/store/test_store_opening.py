"""Opening: a new file, a current one, a newer one, several at once."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from support.commits import new_session, started
from support.databases import undescribed

from interviewer.errors import StoreError
from interviewer.store.opening import before_migration
from interviewer.store.store import Store


def execute(path: Path, *statements: str) -> list[tuple[object, ...]]:
    """Run statements on the file behind the store's back; the rows of the last one."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            found = connection.execute(statement).fetchall()
        connection.commit()
        return found


def folder_bytes(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def test_a_new_database_and_its_folders_are_private(tmp_path: Path) -> None:
    path = tmp_path / "not" / "there yet" / "100%? #1 é.db"
    with closing(Store(path)) as store:
        store.create_session(new_session(), started())
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert not before_migration(path).exists()


def test_new_tables_are_those_that_the_classes_describe(path: Path) -> None:
    Store(path).close()
    assert undescribed(path) == []


FIRST_START = """
import sys
from pathlib import Path
from support.commits import new_session, started
from interviewer.store.store import Store

print("ready", flush=True)
sys.stdin.readline()
store = Store(Path(sys.argv[1]))
store.create_session(new_session(sys.argv[2]), started())
store.close()
"""


def test_first_starts_at_the_same_time_all_succeed(path: Path) -> None:
    """Also while another program is at work in the file."""
    root = Path(__file__).parents[2]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", FIRST_START, str(path), f"process{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": f"{root}:{root / 'tests'}"},
        )
        for number in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        time.sleep(0.2)
        other.execute("ROLLBACK")
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    with closing(Store(path)) as store:
        assert store.history.count() == 3


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_database_of_a_later_version_is_not_touched(path: Path, mode: str) -> None:
    Store(path).close()
    execute(
        path,
        f"PRAGMA journal_mode = {mode}",
        "UPDATE alembic_version SET version_num = '9999'",
        "ALTER TABLE sessions ADD COLUMN mood TEXT",
    )
    before = folder_bytes(path)
    with pytest.raises(StoreError) as caught:
        Store(path)
    assert folder_bytes(path) == before
    sentence = str(caught.value)
    for word in (str(path), "later version", "9999", "INTERVIEWER_DATABASE", "--database"):
        assert word in sentence


def test_what_is_not_ours_is_not_touched(path: Path) -> None:
    path.parent.mkdir()
    execute(path, "CREATE TABLE bookmarks (url TEXT)")
    before = folder_bytes(path)
    with pytest.raises(StoreError, match="another program"):
        Store(path)
    assert folder_bytes(path) == before
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(StoreError, match="a pipe or device, no file"):
        Store(path)
