"""Lists, look-up by id and search over many sessions."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, event
from support.commits import minute, new_session, said, started
from support.tables import table

from interviewer.errors import UnknownNameError
from interviewer.settings.database_url import Place
from interviewer.store.records import (
    Commit,
    JournalEntry,
    SessionFilter,
    SessionProgress,
    SessionStatus,
)
from interviewer.store.store import Store

CASES = table("store_history", __file__)


def add(
    store: Store,
    session_id: str,
    at: float,
    status: SessionStatus = "open",
    band: float | None = None,
    **changes: object,
) -> None:
    """A session whose latest entry was made ``at`` minutes after noon."""
    store.create_session(new_session(session_id, **changes), started())
    progress = SessionProgress(status=status, band=band)
    store.append(session_id, Commit(JournalEntry("x", {}, minute(at), 0.0), progress=progress))


@pytest.fixture
def four(store: Store) -> Store:
    add(store, "aaaa1111", 4, "finished")
    add(store, "aaaa2222", 1, "paused")
    add(store, "bbbb3333", 3, "open")
    add(store, "cccc4444", 2, "finished")
    return store


def ids(rows: list) -> list[str]:
    return [row.id for row in rows]


def test_sessions_come_newest_first(four: Store) -> None:
    assert ids(four.history.sessions(10)) == ["aaaa1111", "bbbb3333", "cccc4444", "aaaa2222"]
    assert ids(four.history.sessions(2)) == ["aaaa1111", "bbbb3333"]
    assert ids(four.history.sessions(10, SessionFilter(finished=True))) == ["aaaa1111", "cccc4444"]
    assert four.history.count() == 4
    assert [four.history.count(most) for most in (3, 4, 5)] == [3, 4, 4]
    four.append("aaaa2222", said(1, at=minute(9)))
    assert ids(four.history.sessions(1)) == ["aaaa2222"]


def test_the_list_is_read_from_place_to_place_and_a_place_outlives_its_session(four: Store) -> None:
    first = four.history.sessions(2)
    assert ids(first) == ["aaaa1111", "bbbb3333"]
    place = first[-1].place
    for _ in range(2):
        rest = four.history.sessions(3, than=place)
        assert ids(rest) == ["cccc4444", "aaaa2222"]
        if four.history.count() == 4:
            four.delete_session("bbbb3333")


def test_a_session_is_found_by_its_id_or_how_it_begins_the_whole_id_first(four: Store) -> None:
    for name in ("bbbb3333", "bbbb333", "bbbb"):
        assert four.history.session(name).id == "bbbb3333"
    add(four, "bbbb", 1)
    assert four.history.session("bbbb").id == "bbbb"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("aaaa", "aaaa1111, aaaa2222"),
        ("bbb", "at least the first 4"),
        ("", "at least the first 4"),
        ("bbbb3343", "did you mean bbbb3333?"),
        ("zzzz", "sessions list"),
        ("%%%%", "sessions list"),
        ("____", "sessions list"),
        ("bbbb\ud800", "sessions list|did you mean"),
        ("bbbb\0", "sessions list|did you mean"),
    ],
    ids=ascii,
)
def test_a_name_that_fits_no_single_session(four: Store, name: str, says: str) -> None:
    with pytest.raises(UnknownNameError, match=says) as caught:
        four.history.session(name)
    assert repr(name) in str(caught.value)


def test_what_was_asked_comes_latest_first_and_from_the_newest_sessions_only(store: Store) -> None:
    held = [("kl", "zero"), ("scale",), ("scale", "moe")]
    for number, rubrics in enumerate(held, start=1):
        snapshots = {name: {"id": name} for name in (*rubrics, "drawn-and-never-asked")}
        add(store, f"session{number}", number, rubrics=snapshots)
        for place, name in enumerate(rubrics, start=1):
            at = minute(10 * number + place)
            asked = JournalEntry("question", {"rubric": name}, at, 0.0)
            store.append(f"session{number}", Commit(asked))
    assert store.history.asked(0) == ()
    assert store.history.asked(2) == ("moe", "scale")
    assert store.history.asked(9) == ("moe", "scale", "zero", "kl")


class TestSearch:
    @pytest.fixture
    def talked(self, store: Store) -> Store:
        for session_id in ("early", "late"):
            store.create_session(new_session(session_id), started())
        store.append("early", said(1, "The KL penalty keeps the policy near the reference."))
        store.append("late", said(1, "Naïve clipping of gradients: C++ \"AND\" 'NOT' x*2"))
        store.append("late", said(2, "A reference model, frozen."))
        store.append("late", said(3, "The reference again\0after a NUL."))
        return store

    @pytest.mark.parametrize(("words", "found"), CASES["finds_sessions_by_what_was_said"])
    def test_finds_sessions_by_what_was_said(
        self, talked: Store, words: str, found: list[list[str | int]]
    ) -> None:
        hits = talked.history.search(words)
        assert [[hit.session.id, hit.turn.number] for hit in hits] == found

    def test_a_phrase_is_found_as_such_and_chinese_by_part_of_a_sentence(
        self, talked: Store
    ) -> None:
        talked.append("early", said(2, "我们把全局批量大小设为四百万 tokens，用ZeRO优化器分片。"))
        for words, found in {
            "keeps policy": 1,
            '"keeps the policy"': 1,
            '"keeps policy"': 0,
            '"': 0,
            "批量": 1,
            "批量 tokens": 1,
            "zero优化": 1,
            "量批": 0,
            "批量 reference": 0,
        }.items():
            assert len(talked.history.search(words)) == found, words
        rewound = SessionProgress(status="paused")
        talked.rewind("early", 1, 0, rewound, None)
        assert talked.history.search("批量") == []


class TestFilters:
    @pytest.mark.parametrize(
        ("only", "found"),
        [
            (SessionFilter(), "aaaa1111 bbbb3333 cccc4444 aaaa2222"),
            (SessionFilter(order="oldest"), "aaaa2222 cccc4444 bbbb3333 aaaa1111"),
            (SessionFilter(order="weakest"), "cccc4444 aaaa1111 bbbb3333 aaaa2222"),
            (SessionFilter(order="best"), "aaaa1111 cccc4444 bbbb3333 aaaa2222"),
            (SessionFilter(finished=True), "aaaa1111 cccc4444"),
            (SessionFilter(finished=False), "bbbb3333 aaaa2222"),
            (SessionFilter(bands=(1.0, 2.0)), "cccc4444"),
            (SessionFilter(since=minute(3)), "aaaa1111 bbbb3333"),
            (SessionFilter(plan="Other"), "bbbb3333"),
            (SessionFilter(rubrics=("moe", "zero")), "bbbb3333"),
            (SessionFilter(tag='best "one"'), "aaaa2222"),
            (SessionFilter(tag="best"), ""),
        ],
    )
    def test_each_lets_only_some_through(
        self, store: Store, only: SessionFilter, found: str
    ) -> None:
        add(store, "aaaa1111", 4, "finished", band=3.5)
        add(store, "aaaa2222", 1, "paused")
        add(store, "bbbb3333", 3, plan_title="Other", rubrics={"moe": {"id": "moe"}})
        add(store, "cccc4444", 2, "finished", band=1.0)
        store.label_session("aaaa2222", "Before the\nonsite", ['best "one"', "量", "量"])
        assert " ".join(ids(store.history.sessions(10, only))) == found
        row = store.history.session("aaaa2222")
        assert (row.title, row.tags) == ("Before the onsite", ('best "one"', "量"))
        everything = (("Other", "Sprint"), ('best "one"', "量"))
        assert store.history.plans_and_tags() == everything
        assert store.history.search("nothing", only=only) == []


def test_turns_are_bookmarked_and_let_go(four: Store) -> None:
    four.bookmark("aaaa1111", 3, "")
    four.bookmark("aaaa1111", 1, "say the unit")
    four.bookmark("aaaa1111", 3, "why?")
    assert four.bookmarks("aaaa1111") == {1: "say the unit", 3: "why?"}
    four.bookmark("aaaa1111", 1, None)
    assert four.bookmarks("aaaa1111") == {3: "why?"}
    assert four.bookmarks("bbbb3333") == {}


@pytest.fixture(scope="module")
def talked_once(new_place: Callable[[], Place]) -> Iterator[Store]:
    with closing(Store(new_place())) as store:
        store.create_session(new_session("early"), started())
        store.append("early", said(1, "a b c 1 2 3"))
        yield store


@settings(max_examples=200)
@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_search_takes_any_text(talked_once: Store, words: str) -> None:
    for hit in talked_once.history.search(words):
        assert hit.turn.text


def statements_of(call: Callable[[], object]) -> list[tuple[str, object]]:
    """The queries that a call sends."""
    sent: list[tuple[str, object]] = []

    def note(_c: object, _u: object, statement: str, parameters: object, *_: object) -> None:
        if statement.startswith("SELECT"):
            sent.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        call()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return sent


CALLS: dict[str, Callable[[Store], object]] = {
    "list": lambda store: store.history.sessions(50),
    "list, from a place": lambda store: store.history.sessions(50, than=(minute(3), "bbbb3333")),
    "look-up": lambda store: store.history.session("aaaa1111"),
    "look-up by prefix": lambda store: store.history.session("bbbb"),
    "search": lambda store: store.history.search("variance"),
    "recently asked": lambda store: store.history.asked(5),
    "entries": lambda store: store.entries("aaaa1111"),
    "turns": lambda store: store.turns("aaaa1111"),
    "drafts": lambda store: store.drafts("aaaa1111"),
    "rubrics": lambda store: store.rubrics("aaaa1111"),
}


def test_no_query_grows_with_the_number_of_sessions(four: Store, path: Path) -> None:
    """Each call sends a few queries, and each of those goes by an index and sorts nothing."""
    for session_id in ("aaaa1111", "cccc4444"):
        four.append(session_id, said(1))
    for name, call in CALLS.items():
        sent = statements_of(lambda call=call: call(four))
        assert 1 <= len(sent) <= 2, name
        with closing(sqlite3.connect(path)) as connection:
            for statement, parameters in sent:
                plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
                for step in (row[3] for row in plan):
                    walks_all = re.match(r"SCAN (?!turn_words VIRTUAL)\w+$", step)
                    assert not walks_all, (name, step)
                    assert "ORDER BY" not in step, (name, step)
