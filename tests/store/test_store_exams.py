"""Exams, kept judgements and regrades in a real file."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from sqlalchemy import create_engine, select
from support.commits import minute, new_session, started

from interviewer.errors import UnknownNameError
from interviewer.grading.agreement import ExamResult
from interviewer.settings.database_url import Place, Server
from interviewer.store.store import Store
from interviewer.store.tables import Exam

SESSION = "5e551001"
REPORT = {"total": {"kappa": 0.71, "worst": None}, "note": "κ \ud800"}
SHA = "ab" * 32


def exam(number: float = 0, **changes: object) -> ExamResult:
    """An exam taken so many minutes after noon."""
    result = ExamResult(
        "offline-v3", "1", minute(number), 320, 0.71, 0.8, -0.02, 0.11, ("kappa", "bias −0.06")
    )
    return replace(result, **changes)


def regrade(store: Store, session: str = SESSION, number: float = 1) -> int:
    return store.regrades.add(
        session, at=minute(number), examiner="qwen", version="judge-2", grades={"questions": []}
    )


def test_an_exam_comes_back_as_it_was_after_reopening(store: Store, place: Place) -> None:
    store.exams.save(exam(), SHA, REPORT)
    store.close()
    again = Store(place)
    assert again.exams.results() == [exam()]
    again.close()
    engine = create_engine(place.url if isinstance(place, Server) else f"sqlite:///{place}")
    with engine.connect() as connection:  # nothing in the program reads the report
        columns = (Exam.rubrics_sha256, Exam.report)
        assert connection.execute(select(*columns)).all() == [(SHA, REPORT)]
    engine.dispose()


def test_exams_come_latest_first(store: Store) -> None:
    taken = (exam(5, samples=9), exam(1), exam(7, version="2"), exam(8, examiner="qwen"))
    for each in taken:
        store.exams.save(each, SHA, REPORT)
    assert store.exams.results() == [taken[3], taken[2], taken[0], taken[1]]


def test_a_judgement_is_kept_under_its_key(store: Store, place: Place) -> None:
    assert store.judgements.get("k1") is None
    store.judgements.put("k1", {"findings": [], "examiner": "qwen \ud800"})
    store.judgements.put("k2", {"findings": [1]})
    store.judgements.put("k2", {"findings": [2]})
    store.close()
    again = Store(place)
    assert again.judgements.get("k1") == {"findings": [], "examiner": "qwen \ud800"}
    assert again.judgements.get("k2") == {"findings": [2]}
    again.close()


def test_regrades_are_numbered_within_their_session(store: Store) -> None:
    store.create_session(new_session(), started())
    store.create_session(new_session("0ther001"), started())
    assert [regrade(store), regrade(store, "0ther001"), regrade(store, number=2)] == [1, 1, 2]
    first, second = store.regrades.of(SESSION)
    assert (first.number, first.at, first.examiner) == (1, minute(1), "qwen")
    assert (second.number, second.version, second.grades) == (2, "judge-2", {"questions": []})
    assert store.regrades.of("5e55dead") == []


def test_regrades_at_the_same_time_get_numbers_of_their_own(store: Store) -> None:
    store.create_session(new_session(), started())
    writers = [threading.Thread(target=regrade, args=(store,)) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [each.number for each in store.regrades.of(SESSION)] == list(range(1, 9))


def test_regrades_go_with_their_session(store: Store) -> None:
    store.create_session(new_session(), started())
    regrade(store)
    store.delete_session(SESSION)
    assert store.regrades.of(SESSION) == []
    with pytest.raises(UnknownNameError, match=SESSION):
        regrade(store)
