"""A database that cannot be written is refused, and what is in the way is named."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.commits import new_session, said, started
from support.ordinary_user import as_ordinary_user

from interviewer.errors import StoreWriteError
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


def refusal(path: Path) -> str:
    with pytest.raises(StoreWriteError) as caught:
        Store(path)
    return str(caught.value)


def test_a_read_only_folder_is_refused_with_a_remedy_and_without_a_trace(
    kept: Path, path: Path
) -> None:
    before = read_only(kept)
    told = as_ordinary_user(lambda: refusal(path))
    for words in (str(path), "or its folder is read-only", "copy it", "--database"):
        assert words in told
    assert contents(kept) == before


@pytest.mark.parametrize("name", ["sessions.db-shm", "sessions.db-wal"])
def test_a_read_only_leftover_is_named_and_not_the_database(
    left_by_a_kill: Path, path: Path, name: str
) -> None:
    path.with_name(name).chmod(0o400)
    sentence = as_ordinary_user(lambda: refusal(path))
    assert f"because {name}, which an earlier run left beside it, is read-only" in sentence
    path.with_name(name).chmod(0o600)
    with closing(Store(path)) as store:
        turns = [turn.text for turn in store.turns("5e551001")]
    assert turns == ["The first answer.", "The latest answer."]


def test_a_new_database_in_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreWriteError, match="--database"):
            as_ordinary_user(lambda: Store(tmp_path / "deeper" / "sessions.db"))
        with pytest.raises(StoreWriteError, match="--database"):
            as_ordinary_user(lambda: Store(tmp_path / "sessions.db"))
    finally:
        tmp_path.chmod(0o700)
