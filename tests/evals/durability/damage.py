"""Damages databases of real sessions in every way that a disk, a tool or a hand may.

    python -m tests.evals durability.damage [--databases 40] [--seed 1]

Each database holds what two versions stored and what is played here, and is damaged by one of
``DAMAGES``. Then every command reads it. A session is undamaged if all of its rows can be found
without an index and are as they were: it must be shown and exported as before, from the database
or, where an index is damaged, from the copy that ``backup`` makes. Whatever the damage is,
``backup``, ``doctor`` or a command that meets it must say so, and none may end in a traceback.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from click.testing import Result
from evals.figures import Figure, count, share
from store.test_store_earlier_versions import restore
from support.command_line import call, typed

ASKED = ("attention-scale-root-dk", "what-zero-one-shards", "what-an-advantage-is")
SCRIPT = '"It keeps the variance of the logits at one, else the softmax saturates."\n"/end"\n'
OF_SESSION = ("entries", "turns", "drafts", "session_rubrics", "session_challenges", "regrades")
EVERYWHERE = (("sessions", "list"), ("sessions", "search", "variance"))
Damage = Callable[[Path, random.Random], None]


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--databases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """Damaged databases in which something is hidden, not said, or ends in a traceback."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in ("CACHE", "CONFIG", "DATA"):
            os.environ[f"INTERVIEWER_{kind}_DIR"] = str(folder / kind.lower())
        sound = _lived_in(folder / "sound" / "sessions.db")
        seen = [_damaged(sound, n, asked.seed, folder) for n in range(asked.databases)]
    opened, undamaged = (sum(getattr(each, n) for each in seen) for n in ("opened", "undamaged"))
    notes = [line for each in seen for line in each.notes]
    yield share("undamaged sessions that open", opened, undamaged, notes)
    yield share("databases whose damage is said", sum(each.said for each in seen), len(seen))
    yield count("tracebacks", (line for line in notes if "traceback" in line))


@dataclass(frozen=True)
class Seen:
    """How the commands took one damaged database."""

    undamaged: int
    opened: int
    said: bool
    notes: list[str]


def _lived_in(path: Path) -> Path:
    restore(path, "0003")
    os.environ["INTERVIEWER_DATABASE"] = str(path)
    for question in ASKED:
        typed("run", "--question", question, "--json", stdin=SCRIPT)
    return path


def _damaged(sound: Path, number: int, seed: int, folder: Path) -> Seen:
    what, damage = list(DAMAGES.items())[number % len(DAMAGES)]
    name = f"{number}, {what}"
    path = folder / str(number) / "sessions.db"
    path.parent.mkdir()
    os.environ["INTERVIEWER_DATABASE"] = str(sound)
    before = {session: _read(session) for session in _sessions(sound)}
    shutil.copy(sound, path)
    dice = random.Random(f"{seed} {number}")
    while path.read_bytes() == sound.read_bytes():
        damage(path, dice)
    whole = _undamaged(sound, path)
    os.environ["INTERVIEWER_DATABASE"] = str(path)
    copy = path.with_name("copy.db")
    told = [call("sessions", "backup", copy), call("doctor")]
    opened = {session for session in whole if _read(session) == before[session]}
    if copy.exists():
        os.environ["INTERVIEWER_DATABASE"] = str(copy)
        opened |= {session for session in whole - opened if _read(session) == before[session]}
        os.environ["INTERVIEWER_DATABASE"] = str(path)
    told += [call(*each) for each in EVERYWHERE]
    told += [call(*each) for session in before for each in _commands(session)]
    notes = [f"{name}: {session} is hidden" for session in sorted(whole - opened)]
    notes += [f"{name}: traceback {each.exception!r}" for each in told if _crashed(each)]
    said = any("damaged" in each.output for each in told)
    notes += [] if said else [f"{name}: nothing is said"]
    return Seen(len(whole), len(opened), said, notes)


def _commands(session: str) -> Iterator[tuple[str, ...]]:
    yield from (("sessions", each, session) for each in ("show", "diff", "repair"))
    yield "sessions", "regrade", session, "--examiner", "offline"
    yield "run", "--resume", session, "--json"


def _read(session: str) -> list[str]:
    """What the session says, "" for what cannot be had."""
    commands = [("show", session), ("export", session, "--format", "json")]
    told = [call("sessions", *each) for each in commands]
    return [each.stdout if each.exit_code == 0 else "" for each in told]


def _crashed(told: Result) -> bool:
    ended = told.exception is None or isinstance(told.exception, SystemExit)
    return not ended or "Unexpected error" in told.output


def _sessions(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM sessions ORDER BY id")]


def _undamaged(sound: Path, path: Path) -> set[str]:
    """The sessions whose rows are all there."""
    sessions = set(_sessions(sound))
    damaged = set[str]()
    with closing(sqlite3.connect(sound)) as before, closing(sqlite3.connect(path)) as after:
        for table in ("sessions", "rubric_snapshots", *OF_SESSION):
            key = {"sessions": "id", "rubric_snapshots": "sha256"}.get(table, "session_id")
            for row, owner in before.execute(f"SELECT rowid, {key} FROM {table}").fetchall():
                if _row(before, table, row) != _row(after, table, row):
                    damaged.add(owner)
        for session, key in before.execute("SELECT session_id, sha256 FROM session_rubrics"):
            if key in damaged:
                damaged.add(session)
    return sessions - damaged


def _row(connection: sqlite3.Connection, table: str, row: int) -> object:
    """Its values, None if they cannot be had."""
    try:
        columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        stored = ", ".join(f"CAST({name} AS BLOB)" for name in columns)
        found = f"SELECT {stored} FROM {table} NOT INDEXED WHERE rowid = ?"
        return connection.execute(found, [row]).fetchone()
    except sqlite3.Error:
        return None


def _sql(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement, values)
        connection.commit()


def _changed_cell(
    table: str, column: str, change: Callable[[bytes, random.Random], bytes]
) -> Damage:
    """Rewrite the text of one row."""

    def damage(path: Path, dice: random.Random) -> None:
        with closing(sqlite3.connect(path)) as connection:
            cells = f"SELECT rowid, CAST({column} AS BLOB) FROM {table} WHERE {column} <> ''"
            row, value = dice.choice(connection.execute(cells).fetchall())
        new = change(value, dice)
        _sql(path, f"UPDATE {table} SET {column} = CAST(? AS TEXT) WHERE rowid = ?", new, row)

    return damage


def _flipped(value: bytes, dice: random.Random) -> bytes:
    """With three bytes turned into others."""
    content = bytearray(value)
    for _ in range(3):
        content[dice.randrange(len(content))] ^= dice.randrange(1, 256)
    return bytes(content)


def _no_text(value: bytes, dice: random.Random) -> bytes:
    """With a byte that is in no text."""
    at = dice.randrange(len(value))
    return value[:at] + b"\xff" + value[at + 1 :]


def _cut(value: bytes, dice: random.Random) -> bytes:
    return value[: dice.randrange(len(value))]


def _row_deleted(table: str) -> Damage:
    def damage(path: Path, dice: random.Random) -> None:
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute(f"SELECT rowid FROM {table}").fetchall()
        _sql(path, f"DELETE FROM {table} WHERE rowid = ?", *dice.choice(rows))

    return damage


def _page(path: Path, number: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek((number - 1) * len(content))
        file.write(content)


def _index_overwritten(path: Path, dice: random.Random) -> None:
    with closing(sqlite3.connect(path)) as connection:
        roots = "SELECT rootpage FROM sqlite_master WHERE type = 'index' ORDER BY rootpage"
        [page] = dice.choice(connection.execute(roots).fetchall())
    _page(path, page, dice.randbytes(4096))


def _page_zeroed(path: Path, dice: random.Random) -> None:
    _page(path, dice.randrange(2, path.stat().st_size // 4096 + 1), bytes(4096))


def _truncated(path: Path, dice: random.Random) -> None:
    os.truncate(path, path.stat().st_size * dice.randrange(50, 98) // 100)


def _scattered(path: Path, dice: random.Random) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(20):
        content[dice.randrange(4096, len(content))] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


DAMAGES: dict[str, Damage] = {
    "a turn's text flipped": _changed_cell("turns", "text", _flipped),
    "a turn is no text": _changed_cell("turns", "text", _no_text),
    "an event flipped": _changed_cell("entries", "payload", _no_text),
    "an event cut": _changed_cell("entries", "payload", _cut),
    "a copy is no text": _changed_cell("rubric_snapshots", "body", _no_text),
    "a copy with another hash": _changed_cell("rubric_snapshots", "body", _flipped),
    "a copy that another hash names": _changed_cell("session_rubrics", "sha256", _flipped),
    "a challenge cut": _changed_cell("session_challenges", "body", _cut),
    "a time flipped": _changed_cell("sessions", "updated_at", _no_text),
    "a title flipped": _changed_cell("sessions", "plan_title", _no_text),
    "a regrade cut": _changed_cell("regrades", "grades", _cut),
    "an event lost": _row_deleted("entries"),
    "a turn lost": _row_deleted("turns"),
    "a copy lost": _row_deleted("rubric_snapshots"),
    "a session's row lost": _row_deleted("sessions"),
    "an index overwritten": _index_overwritten,
    "a page zeroed": _page_zeroed,
    "truncated": _truncated,
    "flips everywhere": _scattered,
}
