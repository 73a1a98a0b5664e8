"""Two people in one database: neither sees, finds, counts or touches what is the other's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest
from support.commits import CALL, KL, NOON, draft, minute, new_session, said, started

from interviewer.errors import StoreError, UnknownNameError
from interviewer.practice.attempts import read_past
from interviewer.settings.database_url import Place
from interviewer.store.reader import home_view
from interviewer.store.records import Commit, JournalEntry, SessionFilter, SessionProgress
from interviewer.store.store import Store

MISSING = "aaaaffff"
"""An id as long as the others, which nobody has."""


@pytest.fixture
def ada(place: Place) -> Iterator[Store]:
    with closing(Store(place, "ada")) as store:
        fill(store, "aaaa1111", "Ada says that clipping keeps the step small.")
        yield store


@pytest.fixture
def bea(place: Place) -> Iterator[Store]:
    with closing(Store(place, "bea")) as store:
        yield store


def fill(store: Store, session: str, words: str) -> None:
    """A finished session with something in every table."""
    kl = KL | {"title": "The KL term", "topic": "alignment", "criteria": []}
    new = new_session(session, rubrics={"kl": kl}, challenges={"attn": {"id": "attn"}})
    grade = {"rubric": "kl", "final": 0.75, "verdicts": [], "ungraded": ["all"]}
    graded = JournalEntry("grade", {"round": 1, "question": 1, "grade": grade}, minute(2), 61.5)
    store.create_session(new, started())
    store.append(session, Commit(JournalEntry("question", {"rubric": "kl"}, minute(1), 1.0)))
    store.append(session, said(1, words))
    store.append(session, Commit(graded, progress=SessionProgress(status="finished", band=3.0)))
    store.log_calls(session, NOON, [CALL])
    store.save_draft(session, "notes", draft("note"))
    store.add_regrade(session, at=NOON, examiner="offline", version="3", grades={})
    store.add_own_verdict(session, 2, "clip", "said")


Of = Callable[[Store, str], object]
ONE_SESSION: dict[str, Of] = {
    "show": lambda store, id_: store.history.session(id_),
    "entries": lambda store, id_: store.entries(id_),
    "turns": lambda store, id_: store.turns(id_),
    "drafts": lambda store, id_: store.drafts(id_),
    "rubrics": lambda store, id_: store.rubrics(id_),
    "challenges": lambda store, id_: store.challenges(id_),
    "regrades": lambda store, id_: store.regrades(id_),
    "own verdicts": lambda store, id_: store.own_verdicts(id_),
    "spent": lambda store, id_: store.history.spent(id_),
    "append": lambda store, id_: store.append(id_, said(9)),
    "append after": lambda store, id_: store.append(id_, said(9), after=4),
    "save draft": lambda store, id_: store.save_draft(id_, "answer", draft("mine now")),
    "rewind": lambda store, id_: store.rewind(
        id_, 1, 0, SessionProgress(status="paused"), draft("x")
    ),
    "log calls": lambda store, id_: store.log_calls(id_, NOON, [CALL]),
    "regrade": lambda store, id_: store.add_regrade(
        id_, at=NOON, examiner="offline", version="3", grades={}
    ),
    "settle": lambda store, id_: store.add_own_verdict(id_, 1, "clip", "not"),
    "delete": lambda store, id_: store.delete_session(id_),
}
EVERYWHERE: dict[str, Callable[[Store], object]] = {
    "list": lambda store: store.history.sessions(10),
    "finished ones": lambda store: store.history.sessions(10, SessionFilter(finished=True)),
    "list from a place": lambda store: store.history.sessions(10, than=(minute(50), "zzzz")),
    "prefix": lambda store: store.history.session("aaaa"),
    "too short a prefix": lambda store: store.history.session("aaa"),
    "count": lambda store: store.history.count(),
    "asked": lambda store: store.history.asked(10),
    "search": lambda store: store.history.search("clipping"),
    "home": lambda store: home_view(store.place, store.owner),
    "past": lambda store: read_past(store.place, store.owner),
}


def outcome(call: Callable[[], object]) -> object:
    """What it returns, or which error with which words."""
    try:
        return call()
    except StoreError as error:
        return type(error), str(error)
    except UnknownNameError as error:
        return UnknownNameError, str(error)


def everything(store: Store) -> list[object]:
    ids = [row.id for row in store.history.sessions(10)]
    return [
        *(outcome(lambda ask=ask: ask(store)) for ask in EVERYWHERE.values()),
        *(outcome(lambda name=n, i=i: ONE_SESSION[name](store, i)) for i in ids for n in READS),
    ]


READS = (
    *("show", "entries", "turns", "drafts", "rubrics", "challenges", "regrades", "own verdicts"),
    "spent",
)


def test_anothers_session_answers_as_one_that_does_not_exist(ada: Store, bea: Store) -> None:
    before = everything(ada)
    for name, ask in ONE_SESSION.items():
        theirs = outcome(lambda ask=ask: ask(bea, "aaaa1111"))
        nobodys = outcome(lambda ask=ask: ask(bea, MISSING))
        assert repr(theirs).replace("aaaa1111", MISSING) == repr(nobodys), name
        assert everything(ada) == before, name
    assert bea.history.count() == 0


def test_what_looks_across_sessions_passes_over_anothers(
    ada: Store, bea: Store, new_place: Callable[[], Place]
) -> None:
    with closing(Store(new_place(), "bea")) as alone:
        assert everything(bea) == everything(alone)
        for store in (bea, alone):
            fill(store, "aaaa2222", "Bea says that clipping bounds the ratio.")
        assert everything(bea) == everything(alone)
        assert "aaaa1111" not in repr(everything(bea))


def test_a_deleted_session_answers_as_one_that_does_not_exist_until_it_is_back(
    ada: Store, bea: Store
) -> None:
    before = everything(ada)
    ada.delete_session("aaaa1111")
    for name, ask in ONE_SESSION.items():
        gone = outcome(lambda ask=ask: ask(ada, "aaaa1111"))
        nobodys = outcome(lambda ask=ask: ask(ada, MISSING))
        assert repr(gone).replace("aaaa1111", MISSING) == repr(nobodys), name
    assert everything(ada) == everything(bea)
    with pytest.raises(UnknownNameError, match="list --deleted"):
        bea.restore_session("aaaa1111")
    assert ada.restore_session("aaaa").id == "aaaa1111"
    assert (everything(ada), ada.deleted.sessions(9)) == (before, [])


def test_a_rubric_that_another_uses_stays_when_one_deletes_theirs(ada: Store, bea: Store) -> None:
    fill(bea, "bbbb2222", "Bea uses the same questions.")
    kept = ada.rubrics("aaaa1111")
    bea.delete_session("bbbb2222")
    bea.empty(datetime.now(UTC))
    assert bea.deleted.count() == 0
    assert ada.rubrics("aaaa1111") == kept
    assert kept


@pytest.mark.parametrize("name", ["Ada", "ada ", "", "%", "' OR ''='", "a" * 63, "Zoë", "李"])
def test_a_name_is_that_name_and_nothing_else(ada: Store, place: Place, name: str) -> None:
    with closing(Store(place, name)) as store:
        assert store.history.count() == 0
        fill(store, "cccc3333", "Somebody else.")
        seen = home_view(place, name)
        assert seen is not None
        assert (store.history.count(), seen.sessions, ada.history.count()) == (1, 1, 1)
