"""What is kept about grading: exams, regrades, own verdicts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import create_engine, select
from support.commits import minute, new_session, said, started
from support.judged import marks
from support.postgres import queried

from interviewer.errors import DeletedError
from interviewer.grading.agreement import ExamResult
from interviewer.grading.verdicts import Evidence, Source, Verdict
from interviewer.rubric.rubric import Rating
from interviewer.settings.database_url import Place, Server
from interviewer.store.database import exams
from interviewer.store.store import Store

SESSION, OTHER = "5e551001", "0ther001"
REPORT = {"total": {"kappa": 0.71, "worst": None}, "note": "κ \ud800"}
SHA = "ab" * 32
EXAM = ExamResult(
    "offline-v3", "1", minute(0), 320, 0.71, 0.8, -0.02, 0.11, ("kappa", "bias −0.06")
)
FOUND = Verdict(
    "scale",
    Rating.MET,
    "by \ud83d the root",
    2,
    (3, 14),
    Source.PROBE,
    further=(Evidence("of d", 2, (15, 19)),),
)


@pytest.fixture
def session(store: Store) -> str:
    for each in (SESSION, OTHER):
        store.create_session(new_session(each), started())
    return SESSION


def regrade(store: Store, session: str = SESSION, number: float = 1) -> int:
    return store.add_regrade(
        session, at=minute(number), examiner="qwen", version="judge-2", grades={"questions": []}
    )


def test_exams_come_back_latest_first_with_their_report(store: Store, place: Place) -> None:
    changes = ({"samples": 9}, {}, {"version": "2"}, {"examiner": "qwen"})
    taken = [
        replace(EXAM, taken_at=minute(at), **change)
        for at, change in zip((5, 1, 7, 8), changes, strict=True)
    ]
    for each in taken:
        store.save_exam(each, SHA, REPORT)
    store.close()
    with closing(Store(place)) as again:
        assert again.exams() == [taken[3], taken[2], taken[0], taken[1]]
    engine = create_engine(place.url if isinstance(place, Server) else f"sqlite:///{place}")
    with engine.connect() as connection:  # nothing in the program reads the report
        columns = (exams.c.rubrics_sha256, exams.c.report)
        assert connection.execute(select(*columns)).all() == [(SHA, REPORT)] * 4
    engine.dispose()


def test_regrades_are_numbered_within_their_session(store: Store, session: str) -> None:
    assert [regrade(store), regrade(store, OTHER), regrade(store, number=2)] == [1, 1, 2]
    first, second = store.regrades(session)
    assert (first.number, first.at, first.examiner) == (1, minute(1), "qwen")
    assert (second.number, second.version, second.grades) == (2, "judge-2", {"questions": []})
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: regrade(store), range(6)))
    assert [each.number for each in store.regrades(session)] == list(range(1, 9))


def test_of_own_verdicts_the_latest_counts_and_rows_are_only_added(
    store: Store, place: Place, session: str
) -> None:
    settled = (
        (1, "reference", "not"),
        (2, "reference", "said"),
        (1, "target", "said"),
        (1, "reference", "said"),
        (2, "reference", "none"),
    )
    for each in settled:
        store.add_own_verdict(session, *each)
    store.close()
    with closing(Store(place)) as again:
        kept = again.own_verdicts(session)
    assert marks(kept) == {1: {"target": "said", "reference": "said"}}
    rows = queried(place, "SELECT question, criterion, verdict FROM own_verdicts ORDER BY id")
    assert rows == list(settled)


def test_appeals_of_earlier_versions_are_passed_over(store: Store, session: str) -> None:
    for mark in ("said", "appeal"):
        store.add_own_verdict(session, 1, "scale", mark)
    assert marks(store.own_verdicts(session)) == {1: {"scale": "said"}}


def test_they_go_with_their_session_and_with_no_other(store: Store, session: str) -> None:
    written = store.append(session, said(1), after=1)
    before = store.history.session(session)
    for each in (session, OTHER):
        store.add_own_verdict(each, 1, "scale", "said")
        regrade(store, each)
    assert store.history.session(session) == before
    store.append(session, said(2), after=written)  # whoever has it open goes on
    store.delete_session(session)
    assert (store.own_verdicts(session), store.regrades(session)) == ({}, [])
    assert marks(store.own_verdicts(OTHER)) == {1: {"scale": "said"}}
    assert len(store.regrades(OTHER)) == 1
    with pytest.raises(DeletedError, match=session):
        regrade(store)
    with pytest.raises(DeletedError, match=session):
        store.add_own_verdict(session, 1, "scale", "said")
