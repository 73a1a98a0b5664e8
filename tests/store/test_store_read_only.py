"""A database that may only be read is read, and what keeps it from being written is named."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.commits import draft, new_session, said, started
from support.ordinary_user import as_ordinary_user

from interviewer.errors import StoreError, StoreWriteError
from interviewer.store.backup import back_up
from interviewer.store.store import Store

KILLED = """
import os, sys
from pathlib import Path
from support.commits import said
from interviewer.store.store import Store
Store(Path(sys.argv[1])).append("5e551001", said(2, "The latest answer."))
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def kept(store: Store, path: Path) -> Iterator[Path]:
    """A folder with one session, left by a program that ended in order."""
    store.create_session(new_session(), started())
    store.append("5e551001", said(1, "The first answer."))
    store.close()
    yield path.parent
    path.parent.chmod(0o700)


@pytest.fixture
def left_by_a_kill(kept: Path, path: Path) -> Path:
    """The same folder after another answer, and a kill that left the log beside the database."""
    place = {"PYTHONPATH": f"{Path(__file__).parents[1]}:{Path(__file__).parents[2]}"}
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], env=place, check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.with_name("sessions.db-wal").stat().st_size
    return kept


def read_only(folder: Path) -> dict[str, bytes]:
    """Take the permission to write from the folder and all in it; what is in it."""
    for file in folder.iterdir():
        file.chmod(0o400)
    folder.chmod(0o500)
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def answers(path: Path) -> list[str]:
    with closing(Store(path)) as store:
        assert store.history.count() == 1
        return [turn.text for turn in store.turns("5e551001")]


def refusal(path: Path) -> str:
    """What is said of an attempt to write; reading goes on afterwards."""
    with closing(Store(path)) as store:
        with pytest.raises(StoreWriteError) as caught:
            store.append("5e551001", said(9))
        with pytest.raises(StoreWriteError):
            store.save_draft("5e551001", "answer", draft("text"))
        assert store.entries("5e551001")
    return str(caught.value)


def test_a_read_only_folder_is_read_without_a_trace_and_written_with_a_refusal(
    kept: Path, path: Path
) -> None:
    before = read_only(kept)
    assert as_ordinary_user(lambda: answers(path)) == ["The first answer."]
    said_of_it = as_ordinary_user(lambda: refusal(path))
    for words in (str(path), "or its folder is read-only", "--database"):
        assert words in said_of_it
    assert contents(kept) == before


def test_what_a_killed_run_left_in_the_log_is_read_and_backed_up(
    left_by_a_kill: Path, path: Path, tmp_path: Path
) -> None:
    before, both = read_only(left_by_a_kill), ["The first answer.", "The latest answer."]
    assert as_ordinary_user(lambda: answers(path)) == both
    as_ordinary_user(lambda: back_up(path, tmp_path / "copy.db"))
    assert answers(tmp_path / "copy.db") == both
    assert contents(left_by_a_kill) == before


def test_a_log_that_cannot_be_opened_is_told(left_by_a_kill: Path, path: Path) -> None:
    path.with_name("sessions.db-shm").unlink()
    read_only(left_by_a_kill)
    with pytest.raises(StoreError, match="read-only; give yourself write permission"):
        as_ordinary_user(lambda: answers(path))


@pytest.mark.parametrize("name", ["sessions.db-shm", "sessions.db-wal"])
def test_a_read_only_leftover_is_named_and_not_the_database(
    left_by_a_kill: Path, path: Path, name: str
) -> None:
    path.with_name(name).chmod(0o400)
    sentence = as_ordinary_user(lambda: refusal(path))
    assert f"because {name}, which an earlier run left beside it, is read-only" in sentence
    path.with_name(name).chmod(0o600)
    assert answers(path) == ["The first answer.", "The latest answer."]


def test_an_earlier_version_must_be_copied_to_be_read(path: Path) -> None:
    path.parent.mkdir()
    script = Path(__file__).with_name("fixtures") / "revision-0001.sql"
    load = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())"
    )
    subprocess.run([sys.executable, "-c", load, str(path), str(script)], check=True)
    before = read_only(path.parent)
    try:
        with pytest.raises(StoreWriteError, match=r"earlier version.*copy it into a folder"):
            as_ordinary_user(lambda: Store(path))
        assert contents(path.parent) == before
    finally:
        path.parent.chmod(0o700)


def test_a_new_database_in_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreWriteError, match="--database"):
            as_ordinary_user(lambda: Store(tmp_path / "deeper" / "sessions.db"))
        with pytest.raises(StoreWriteError, match="--database"):
            as_ordinary_user(lambda: Store(tmp_path / "sessions.db"))
    finally:
        tmp_path.chmod(0o700)
