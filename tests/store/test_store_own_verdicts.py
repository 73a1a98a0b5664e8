"""The candidate's own verdicts in a real database: rows are added, and the latest counts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from store.test_store_earlier_versions import restore, rows
from support.commits import new_session, said, started
from support.judged import marks
from support.lived_in import FINISHED, practise
from support.stage import NOW

from interviewer.errors import DeletedError
from interviewer.grading.own import Appeal
from interviewer.grading.verdicts import Evidence, Source, Verdict
from interviewer.practice.attempts import read_past
from interviewer.rubric.rubric import Rating
from interviewer.settings.database_url import Place
from interviewer.store.store import Store

SESSION = "5e551001"


@pytest.fixture
def session(store: Store) -> str:
    store.create_session(new_session(), started())
    return SESSION


def test_the_latest_counts_and_none_takes_it_back(store: Store, place: Place, session: str) -> None:
    for question, criterion, mark in (
        (1, "reference", "not"),
        (2, "reference", "said"),
        (1, "target", "said"),
        (1, "reference", "said"),
        (2, "reference", "none"),
    ):
        store.own_verdicts.add(session, question, criterion, mark)
    store.close()
    with closing(Store(place)) as again:
        kept = again.own_verdicts.of(session).verdicts
        assert marks(kept) == {1: {"target": "said", "reference": "said"}}
        assert again.own_verdicts.of("5e55dead").verdicts == {}


def test_rows_are_only_added(path: Path) -> None:
    with closing(Store(path)) as store:
        store.create_session(new_session(), started())
        for mark in ("said", "not", "none"):
            store.own_verdicts.add(SESSION, 1, "scale", mark)
    kept = rows(path, "SELECT question, criterion, verdict FROM own_verdicts ORDER BY id")
    assert kept == [(1, "scale", "said"), (1, "scale", "not"), (1, "scale", "none")]


FOUND = Verdict(
    "scale",
    Rating.MET,
    "by \ud83d the root",
    2,
    (3, 14),
    Source.PROBE,
    further=(Evidence("of d", 2, (15, 19)),),
)


def test_an_appeal_is_kept_whole_and_the_latest_counts(
    store: Store, place: Place, session: str
) -> None:
    earlier = Appeal(Verdict("scale", Rating.NOT_MET), "I did.", "tiny")
    for mark in (earlier, "said", replace(earlier, verdict=FOUND)):
        store.own_verdicts.add(session, 1, "scale", mark)
    store.own_verdicts.add(session, 2, "scale", earlier)
    store.close()
    with closing(Store(place)) as again:
        kept = again.own_verdicts.of(session)
    assert marks(kept.verdicts) == {1: {"scale": "said"}}
    assert kept.appeals == {
        (1, "scale"): Appeal(FOUND, "I did.", "tiny"),
        (2, "scale"): earlier,
    }


def test_they_go_with_their_session_and_with_no_other(store: Store, session: str) -> None:
    store.create_session(new_session("0ther001"), started())
    for each in (session, "0ther001"):
        store.own_verdicts.add(each, 1, "scale", "said")
    store.delete_session(session)
    assert store.own_verdicts.of(session).verdicts == {}
    assert marks(store.own_verdicts.of("0ther001").verdicts) == {1: {"scale": "said"}}
    with pytest.raises(DeletedError, match=session):
        store.own_verdicts.add(session, 1, "scale", "said")


def test_whoever_has_the_session_open_goes_on_writing_it(store: Store, session: str) -> None:
    written = store.append(session, said(1), after=1)
    before = store.history.session(session)
    store.own_verdicts.add(session, 1, "scale", "not")
    assert store.history.session(session) == before
    store.append(session, said(2), after=written)
    assert marks(store.own_verdicts.of(session).verdicts) == {1: {"scale": "not"}}


@pytest.mark.parametrize("revision", ["0007", "0008"])
def test_a_database_from_before_is_read_as_it_is_and_then_migrated(
    path: Path, revision: str
) -> None:
    restore(path, revision)
    before = read_past(path)
    assert before.attempts
    finished = before.attempts[0]
    with closing(Store(path)) as store:
        assert read_past(path) == before
        criterion = finished.points[0].criterion
        store.own_verdicts.add(finished.session, 1, criterion, "said")
        store.own_verdicts.add(finished.session, 1, criterion, Appeal(FOUND, "I did.", "tiny"))
        own = store.own_verdicts.of(finished.session)
        assert (marks(own.verdicts), len(own.appeals)) == ({1: {criterion: "said"}}, 1)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


async def test_what_past_sessions_say_follows_them(store: Store, place: Place) -> None:
    await practise(store, NOW)
    store.own_verdicts.add(FINISHED, 4, "spike", "said")
    store.own_verdicts.add(FINISHED, 4, "rewind", "not")
    newest = {each.rubric: each for each in read_past(place).attempts if each.session == FINISHED}
    assert newest["loss-spike"].band == 2
    assert [point.earned for point in newest["loss-spike"].points] == [2, 0]


async def test_an_appeal_moves_no_weak_spot(store: Store, place: Place) -> None:
    await practise(store, NOW)
    before = read_past(place)
    met = Appeal(replace(FOUND, criterion="spike"), "I did.", "tiny")
    store.own_verdicts.add(FINISHED, 4, "spike", met)
    assert read_past(place) == before
