"""Damage is said where it is and hides no session that it does not touch; backups are whole."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from store.test_store_earlier_versions import FINISHED, SESSIONS, UNFINISHED, restore
from support.command_line import call, called, json_lines, typed
from support.commits import new_session, started
from support.tables import table

from interviewer.errors import StoreError, StoreWriteError
from interviewer.store.backup import back_up, find_damage
from interviewer.store.opening import connect
from interviewer.store.store import Store

CASES = table("store_damage", __file__)

_, SESSION = FINISHED[-1]
OTHERS = [session for revision, session in SESSIONS if revision == "0003" and session != SESSION]


@pytest.fixture(scope="module")
def migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrated once: that takes longer than most of these tests."""
    path = tmp_path_factory.mktemp("lived in") / "data" / "sessions.db"
    restore(path, "0003")
    connect(path).close()
    return path


@pytest.fixture
def lived_in(path: Path, migrated_once: Path) -> Path:
    path.parent.mkdir()
    shutil.copy(migrated_once, path)
    return path


def damage(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def exported(session: str) -> dict[str, Any]:
    text = called("sessions", "export", session, "--format", "json").stdout
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.parametrize("body", ["CAST(body AS BLOB) || x'ff'", "x'ff' || CAST(body AS BLOB)"])
def test_a_copy_with_damage_beside_it_is_read(lived_in: Path, body: str) -> None:
    before = exported(SESSION)
    damage(lived_in, f"UPDATE rubric_snapshots SET body = CAST({body} AS TEXT)")
    assert exported(SESSION) == before
    copy = lived_in.with_name("copy.db")
    told = call("sessions", "backup", str(copy))
    assert told.exit_code == 0
    assert f"{copy} is damaged in the copy of rubric fixture-" in told.stderr


@pytest.mark.parametrize("body", ["x'ed'", "'{}'"])
def test_the_shipped_rubric_stands_in_for_a_copy_that_is_lost(lived_in: Path, body: str) -> None:
    script = '"It keeps the variance of the logits at one."\n"/end"\n'
    held = typed("run", "--question", "attention-scale-root-dk", "--json", stdin=script)
    session = next(each["session"] for each in json_lines(held.stdout) if "session" in each)
    before = exported(session)
    damage(lived_in, f"UPDATE rubric_snapshots SET body = {body}")
    assert exported(session) == before
    assert "the copy of rubric " in find_damage(lived_in)


def test_a_session_whose_rubrics_are_lost_is_read_and_not_judged(lived_in: Path) -> None:
    before = called("sessions", "show", SESSION).stdout
    [unfinished, *_] = (id_ for revision, id_ in UNFINISHED if revision == "0003")
    damage(lived_in, "DELETE FROM rubric_snapshots")
    told = called("sessions", "show", SESSION)
    assert f"stored with session {SESSION} is damaged" in told.stderr
    quotes = re.findall(r"“[^”]+” \(turn \d+\)", before)
    assert quotes
    assert set(quotes) <= {*re.findall(r"“[^”]+” \(turn \d+\)", told.stdout)}
    resumed = call("run", "--resume", unfinished)
    assert (resumed.exit_code, "is damaged" in resumed.stderr) == (1, True)
    called("sessions", "regrade", SESSION)


@pytest.mark.parametrize(
    ("statement", "where", "turns"),
    [
        ("UPDATE turns SET text = CAST(x'41ff42' AS TEXT) WHERE number = 1", "turn 1", [1]),
        ("UPDATE entries SET payload = CAST(x'7bff' AS TEXT) WHERE seq = 3", "entry 3", []),
    ],
)
def test_the_rest_of_a_damaged_session_is_read(
    lived_in: Path, statement: str, where: str, turns: list[int]
) -> None:
    before = {each: exported(each) for each in OTHERS}
    damage(lived_in, f"{statement} AND session_id = '{SESSION}'")
    assert f"is damaged in {where} of session {SESSION};" in find_damage(lived_in)
    assert call("sessions", "show", SESSION).exit_code == 0
    with closing(Store(lived_in)) as store:
        damaged = [entry.kind for entry in store.entries(SESSION) if not entry.payload]
        assert len(damaged) == 1 - len(turns)
        assert [turn.number for turn in store.turns(SESSION) if "\ufffd" in turn.text] == turns
    assert {each: exported(each) for each in OTHERS} == before


@pytest.mark.parametrize(("statement", "where"), CASES["what_is_lost_is_named"])
def test_what_is_lost_is_named(lived_in: Path, statement: str, where: str) -> None:
    assert find_damage(lived_in) == ""
    damage(lived_in, statement)
    assert where in find_damage(lived_in)


def test_a_damaged_index_is_made_anew_in_a_backup(lived_in: Path) -> None:
    before, copy = {each: exported(each) for each in OTHERS}, lived_in.with_name("copy.db")
    with closing(sqlite3.connect(lived_in)) as connection:
        roots = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'entries'"
        [(page,)] = connection.execute(roots)
    with lived_in.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)
    assert "is damaged" in call("sessions", "show", OTHERS[0]).stderr
    called("sessions", "backup", str(copy))
    copy.replace(lived_in)
    assert {each: exported(each) for each in OTHERS} == before
    assert called("sessions", "search", "variance").stdout


@pytest.mark.parametrize("seed", range(4))
def test_flipped_bytes_are_called_damage(lived_in: Path, seed: int) -> None:
    dice, content = random.Random(seed), bytearray(lived_in.read_bytes())
    for _ in range(40):
        content[dice.randrange(4096, len(content))] ^= 1 << dice.randrange(8)
    lived_in.write_bytes(content)
    assert find_damage(lived_in)
    for command in (["list"], ["show", SESSION], ["search", "variance"]):
        told = call("sessions", *command)
        assert told.exception is None or isinstance(told.exception, SystemExit), told.exception


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
