"""Lines at the bench and challenges in the store: kept beside the answer, gone with the session."""

from __future__ import annotations

from dataclasses import replace

from support.commits import draft, new_session, said, started
from support.postgres import queried

from interviewer.settings.database_url import Place
from interviewer.store.store import Store

SESSION = "5e551001"


def test_both_drafts_are_kept_apart(store: Store) -> None:
    store.create_session(new_session(), started())
    words, lines = draft("in words", 1, 10.0), draft("w = exp(z)\ud800", 3, 30.0)
    store.save_draft(SESSION, "answer", words)
    store.save_draft(SESSION, "bench", draft("w = e", 2, 20.0))
    store.save_draft(SESSION, "bench", lines)
    assert store.drafts(SESSION) == {"answer": words, "bench": lines}
    store.append(SESSION, said(2, clear_drafts={"answer"}))
    assert store.drafts(SESSION) == {"bench": lines}
    store.append(SESSION, said(4, clear_drafts={"answer", "bench"}))
    assert store.drafts(SESSION) == {}


def test_challenges_are_kept_as_they_were(store: Store, place: Place) -> None:
    body = {"id": "small-softmax", "solution": "divide · by √d"}
    store.create_session(replace(new_session(), challenges={"small-softmax": body}), started())
    store.save_draft(SESSION, "bench", draft("w"))
    assert store.challenges(SESSION) == {"small-softmax": body}
    store.delete_session(SESSION)
    for table in ("drafts", "session_challenges"):
        assert queried(place, f"SELECT count(*) FROM {table}") == [(0,)]
