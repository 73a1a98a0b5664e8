"""Lines at the bench and challenges in the store: kept beside the answer, gone with the session."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from support.commits import minute, new_session, said, started

from interviewer.store.store import Store

SESSION = "5e551001"


def test_both_drafts_are_kept_apart(store: Store) -> None:
    store.create_session(new_session(), started())
    store.save_draft(SESSION, "in words", minute(1), 10.0)
    store.save_bench_draft(SESSION, "w = e", minute(2), 20.0)
    store.save_bench_draft(SESSION, "w = exp(z)\ud800", minute(3), 30.0)
    words, lines = store.draft(SESSION), store.bench_draft(SESSION)
    assert words is not None
    assert lines is not None
    assert (words.text, lines.text, lines.elapsed) == ("in words", "w = exp(z)\ud800", 30.0)
    store.append(SESSION, replace(said(2), clear_draft=True))
    assert (store.draft(SESSION), store.bench_draft(SESSION)) == (None, lines)
    store.append(SESSION, replace(said(4), clear_draft=False, clear_bench_draft=True))
    assert store.bench_draft(SESSION) is None


def test_challenges_are_kept_as_they_were(store: Store, path: Path) -> None:
    body = {"id": "small-softmax", "solution": "divide · by √d"}
    store.create_session(replace(new_session(), challenges={"small-softmax": body}), started())
    store.save_bench_draft(SESSION, "w", minute(1), 1.0)
    assert store.challenges(SESSION) == {"small-softmax": body}
    store.delete_session(SESSION)
    with closing(sqlite3.connect(path)) as other:
        for table in ("bench_drafts", "session_challenges"):
            assert other.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
