"""What the screens read of past sessions: with 100 stored, and with very many.

Prints medians in milliseconds and their ratio, for what home shows, the list, the search and the
opening of one session. The sessions are copies of one that was held, with times of their own.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from support.lived_in import practise

from interviewer.composition import REMEMBERED_SESSIONS
from interviewer.interview.debrief import Debrief, debrief
from interviewer.interview.journal import load
from interviewer.practice.attempts import read_past
from interviewer.practice.progress import progress
from interviewer.store.reader import home_view
from interviewer.store.store import Store
from tui.screens.sessions import LIST_LIMIT

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
FEW = 100
PAGE = 40
"""Sessions a page, so that there is a whole one on each side of the middle of so few."""
COPIED = "5e55100003"
"""One question, answered and graded."""
NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})"
TABLES = {
    "sessions": {"id": "copy", "created_at": "earlier", "updated_at": "earlier"},
    "entries": {"session_id": "copy"},
    "turns": {"session_id": "copy", "id": "NULL"},
    "session_rubrics": {"session_id": "copy"},
}
"""The columns that differ from one copy to the next, by table."""


def fill(path: Path, count: int) -> None:
    """Weeks of practice, and before them copies until there are so many sessions."""
    store = Store(path)
    asyncio.run(practise(store, NOW))
    copies = count - store.history.count()
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for table, changes in TABLES.items():
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(_value(name, changes) for name in names)
            key = "id" if table == "sessions" else "session_id"
            connection.execute(
                f"INSERT INTO {table} ({', '.join(names)}) {NUMBERS.format(count=copies)} "
                f"SELECT {values} FROM n, {table} AS t WHERE t.{key} = '{COPIED}'"
            )
        connection.commit()
        connection.execute("ANALYZE")


def _value(name: str, changes: Mapping[str, str]) -> str:
    match changes.get(name):
        case "copy":
            return "printf('%010x', n.i)"
        case "earlier":
            return f"strftime('%Y-%m-%d %H:%M:%f000', t.{name}, '-' || n.i || ' minutes')"
        case "NULL":
            return "NULL"
        case _:
            return f"t.{name}"


def reads(path: Path, store: Store) -> Mapping[str, Callable[[], object]]:
    history = store.history
    middle = history.sessions(history.count() // 2)[-1].place
    return {
        "home, before its first paint": lambda: home_view(path),
        "home, topics and results": lambda: progress(read_past(path), NOW),
        "list, the first page": lambda: history.sessions(PAGE),
        "list, a middle page": lambda: history.sessions(PAGE, than=middle),
        "list, its number, after the rows": partial(history.count, LIST_LIMIT + 1),
        "search, a word of every session": lambda: history.search("variance"),
        "search, a word of one session": lambda: history.search("shards ranks"),
        "search, a word of none": lambda: history.search("entirely-unknown"),
        "open, with its debrief": lambda: _opened(store),
        "what was asked lately": lambda: history.asked(REMEMBERED_SESSIONS),
    }


def _opened(store: Store) -> Debrief:
    read = load(store, COPIED)
    return debrief(read.state, read.rubrics)


def medians(few: Path, many: Path, rounds: int) -> dict[str, tuple[float, float]]:
    """Milliseconds by what is read, of the one and of the other.

    Taken in turns, so that a busy moment of the machine meets both; after one round for the caches.
    """
    taken: dict[str, list[tuple[float, float]]] = {}
    with closing(Store(few)) as small, closing(Store(many)) as big:
        for number in range(rounds + 1):
            pairs = zip(reads(few, small).items(), reads(many, big).values(), strict=True)
            for (name, of_few), of_many in pairs:
                times = (_milliseconds(of_few), _milliseconds(of_many))
                if number:
                    taken.setdefault(name, []).append(times)
    return {
        name: (statistics.median(a for a, _ in times), statistics.median(b for _, b in times))
        for name, times in taken.items()
    }


def _milliseconds(read: Callable[[], object]) -> float:
    begun = time.perf_counter()
    read()
    return (time.perf_counter() - begun) * 1000
