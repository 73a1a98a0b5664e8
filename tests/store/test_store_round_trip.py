"""What is written comes back as it was, from a store that was opened anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.commits import (
    BARE_CALL,
    CALL,
    KL,
    NOON,
    SCALE,
    draft,
    judged,
    minute,
    new_session,
    said,
    started,
)
from support.postgres import queried
from support.sessions import logged_calls

from interviewer.errors import UnknownNameError
from interviewer.settings.database_url import Place
from interviewer.store.records import Commit, JournalEntry, SessionProgress
from interviewer.store.store import Store

SOFTMAX = {"id": "small-softmax", "solution": "divide · by √d"}
EMPTY = draft("", 2, 2.0)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
"""Every code point Python knows: NUL, other control characters and lone surrogates too."""


def rows(place: Place, table: str) -> int:
    [(count,)] = queried(place, f"SELECT count(*) FROM {table}")
    return int(count)


def test_a_session_reads_back_whole_after_reopening(store: Store, place: Place) -> None:
    store.create_session(new_session(), started())
    answer, verdict = said(1), judged(1)
    assert store.append("5e551001", answer) == 2
    assert store.append("5e551001", verdict) == 3
    store.log_calls("5e551001", minute(2), [CALL, BARE_CALL])
    store.save_draft("5e551001", "answer", draft("We targeted", 2, 130.25))
    store.close()

    again = Store(place)
    assert again.entries("5e551001") == [each.entry for each in (started(), answer, verdict)]
    assert again.turns("5e551001") == [answer.turn]
    assert again.rubrics("5e551001") == {"scale": SCALE, "kl": KL}
    assert again.drafts("5e551001") == {"answer": draft("We targeted", 2, 130.25)}
    calls = logged_calls(again, "5e551001")
    assert [call | CALL for call in calls[:1]] + [call | BARE_CALL for call in calls[1:]] == calls
    assert len(calls) == 2
    assert [spent.calls for spent in again.history.spent("5e551001")] == [2]
    again.close()


def test_progress_changes_what_it_names_and_nothing_else(store: Store) -> None:
    store.create_session(new_session(), started())
    store.append("5e551001", judged(1))
    store.append("5e551001", said(2, progress=SessionProgress(status="paused", finished_rounds=1)))
    row = store.history.session("5e551001")
    assert (row.status, row.finished_rounds, row.round, row.question) == ("paused", 1, 1, 2)
    assert (row.headline, row.band, row.examiner) == ("Why divide?", 3.0, "offline-v3")
    assert (row.rounds, row.created_at, row.updated_at) == (2, NOON, minute(2))


def test_each_pane_has_a_draft_that_goes_with_what_is_sent(store: Store) -> None:
    store.create_session(new_session(), started())
    words, lines = draft("half a sentence", 2, 2.0), draft("w = exp(z)\ud800", 3, 30.0)
    for pane, kept in (("answer", draft("half", 1, 1.0)), ("answer", words)):
        store.save_draft("5e551001", pane, kept)
    store.save_draft("5e551001", "bench", draft("w = e", 2, 20.0))
    store.save_draft("5e551001", "bench", lines)
    store.append("5e551001", Commit(JournalEntry("clock", {}, minute(3), 3.0)))
    assert store.drafts("5e551001") == {"answer": words, "bench": lines}
    store.append("5e551001", said(1, clear_drafts={"answer"}))
    assert store.drafts("5e551001") == {"bench": lines}
    store.append("5e551001", said(4, clear_drafts={"answer", "bench"}))
    assert store.drafts("5e551001") == {}


def test_an_emptied_draft_keeps_the_clock_but_is_not_shown_as_one(store: Store) -> None:
    store.create_session(new_session(), started())
    shown = []
    for pane, kept in (("bench", draft("w = exp(z)")), ("answer", draft("x")), ("answer", EMPTY)):
        store.save_draft("5e551001", pane, kept)
        shown.append(store.history.session("5e551001").has_draft)
    assert shown == [False, True, False]
    assert store.drafts("5e551001")["answer"] == EMPTY


def test_sessions_share_the_snapshots_of_equal_rubrics(store: Store, place: Place) -> None:
    reordered = dict(reversed(SCALE.items()))
    edited = {**KL, "version": 3}
    store.create_session(new_session("one1"), started())
    store.create_session(new_session("two2", rubrics={"scale": reordered, "kl": edited}), started())
    assert rows(place, "rubric_snapshots") == 3
    assert store.rubrics("one1")["kl"] == KL
    assert store.rubrics("two2") == {"scale": SCALE, "kl": edited}


def test_emptying_a_session_takes_all_of_it_and_nothing_of_others(
    store: Store, place: Place
) -> None:
    edited = {**KL, "version": 3}
    new = new_session("gone", challenges={"small-softmax": SOFTMAX})
    store.create_session(new, started())
    assert store.challenges("gone") == {"small-softmax": SOFTMAX}
    store.create_session(new_session("stays", rubrics={"kl": edited, "scale": SCALE}), started())
    for session_id in ("gone", "stays"):
        store.append(session_id, said(1))
        store.append(session_id, judged(1))
        store.log_calls(session_id, NOON, [CALL])
        store.save_draft(session_id, "answer", draft("and"))
    store.delete_session("gone")
    for call in (
        lambda: store.append("gone", said(1)),
        lambda: store.save_draft("gone", "answer", draft("text")),
        lambda: store.log_calls("gone", NOON, [CALL]),
        lambda: store.delete_session("gone"),
        lambda: store.entries("gone"),
    ):
        with pytest.raises(UnknownNameError, match="'gone'"):
            call()

    assert [row.id for row in store.deleted.sessions(9)] == ["gone"]
    for days, by, left in ((29, "", 1), (31, "ada", 1), (31, "", 0)):
        since = (datetime.now(UTC) - timedelta(days=days)).replace(tzinfo=None)
        queried(place, f"UPDATE sessions SET deleted_at = '{since}' WHERE id = 'gone'")
        Store(place, by).close()
        assert store.deleted.count() == left
    kept = {"sessions": 1, "entries": 3, "turns": 1, "session_challenges": 0}
    kept |= {"drafts": 1, "model_calls": 1, "session_rubrics": 2, "rubric_snapshots": 2}
    assert {table: rows(place, table) for table in kept} == kept
    assert store.rubrics("stays") == {"kl": edited, "scale": SCALE}
    assert [hit.session.id for hit in store.history.search("variance")] == ["stays"]
    if isinstance(place, Path):  # raises where words were left behind
        queried(place, "INSERT INTO turn_words (turn_words, rank) VALUES ('integrity-check', 1)")


@pytest.fixture(scope="module")
def shared(new_place: Callable[[], Place]) -> Iterator[Store]:
    """One store for all examples of a property: opening one for each would take minutes."""
    with closing(Store(new_place())) as store:
        yield store


@settings(max_examples=30)
@given(ANY_TEXT, ANY_TEXT)
def test_text_is_stored_as_typed(shared: Store, text: str, other: str) -> None:
    session_id = "typed" + str(shared.history.count())
    new = new_session(session_id, plan_title=other, rubrics={"scale": {"claim": text}})
    shared.create_session(new, started())
    commit = said(1, text, progress=SessionProgress(headline=other))
    shared.append(session_id, commit)
    shared.save_draft(session_id, "answer", draft(text))
    shared.log_calls(session_id, NOON, [CALL | {"detail": text}])

    assert shared.entries(session_id)[1].payload == {"turn": 1, "text": text}
    assert shared.turns(session_id) == [commit.turn]
    assert shared.rubrics(session_id) == {"scale": {"claim": text}}
    assert shared.drafts(session_id) == {"answer": draft(text)}
    row = shared.history.session(session_id)
    assert (row.headline, row.plan_title) == (other, other)
