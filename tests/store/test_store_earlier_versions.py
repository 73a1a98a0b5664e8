"""Databases that earlier versions wrote: each opens, resumes and exports as it did there.

``fixtures/revision-NNNN.sql`` is such a database, written by the last version whose tables had that
revision; the ``.json`` beside it is what the version before the fourth revision said of each
session: its line of the list, its export without the rubrics, the events of a resume that says
nothing, the comparison with its regrade. Each holds two finished interviews (hints, a skip, numbers
that cannot be; the second in practice mode), and two paused in mid-question, with what was typed.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from support.command_line import called, json_lines, typed
from support.databases import undescribed

from interviewer.examiner.offline import NAME
from interviewer.store import reader
from interviewer.store.opening import before_migration, connect, upgrade
from interviewer.store.store import Store

FIXTURES = Path(__file__).with_name("fixtures")
REVISIONS = ("0001", "0002", "0003")


def said_before(revision: str) -> dict[str, dict[str, Any]]:
    text = (FIXTURES / f"revision-{revision}.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


SESSIONS = [(revision, session) for revision in REVISIONS for session in said_before(revision)]
FINISHED = [(r, s) for r, s in SESSIONS if said_before(r)[s]["listed"]["status"] == "finished"]
UNFINISHED = [each for each in SESSIONS if each not in FINISHED]


def restore(path: Path, revision: str) -> None:
    """Put a database of that revision at ``path``: the last that was written, brought that far."""
    path.parent.mkdir()
    written = min(revision, REVISIONS[-1])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FIXTURES / f"revision-{written}.sql").read_text("utf-8"))
    if revision != written:
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            upgrade(connection, revision)
        engine.dispose()


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def judged(debrief: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """What was said on each question and how it was judged; what is told of it may change."""
    for question in (each for part in debrief["rounds"] for each in part["questions"]):
        (question["grade"] or {}).pop("reasons", None)
    kept = ("rubric", "title", "closed", "grade", "turns")
    return [[{k: q[k] for k in kept} for q in part["questions"]] for part in debrief["rounds"]]


def known_then(now: Any, then: Any) -> Any:
    """The values of now under the keys of then: a newer version may tell more, never less."""
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [known_then(*pair) for pair in zip(now, then, strict=True)]
    if isinstance(now, dict) and isinstance(then, dict):
        return {key: known_then(now[key], then[key]) for key in then if key in now}
    return now


def words_of(text: str) -> str:
    """The text without its layout."""
    return " ".join(text.replace(">", " ").replace("\\", "").split())


@pytest.mark.parametrize("revision", REVISIONS)
def test_it_is_migrated_with_all_that_was_said(path: Path, revision: str) -> None:
    restore(path, revision)
    assert rows(path, "SELECT version_num FROM alembic_version") == [(revision,)]
    kept = [f"SELECT * FROM {table}" for table in ("entries", "turns", "model_calls")]
    before = [rows(path, query) for query in kept]
    drafts = "SELECT session_id, text, saved_at, elapsed FROM"
    words = rows(path, f"{drafts} drafts")
    lines = rows(path, f"{drafts} bench_drafts") if revision == "0003" else []
    assert (len(words), len(lines)) == ((2, 1) if revision == "0003" else (1, 0))
    whole = dump(path)
    connect(path).close()
    assert [rows(path, query) for query in kept] == before
    assert rows(path, f"{drafts} drafts WHERE pane = 'answer'") == words
    assert rows(path, f"{drafts} drafts WHERE pane = 'bench'") == lines
    assert dump(before_migration(path)) == whole
    connect(path).close()
    assert [each.name for each in path.parent.glob("*-before-*")] == [before_migration(path).name]
    assert rows(path, "SELECT version_num FROM alembic_version") == [(reader.HEAD,)]
    assert rows(path, "SELECT DISTINCT rounds FROM sessions") == [(2,)]
    unnamed = {"name": "", "tags": []}
    expected = [each["listed"] | unnamed for each in said_before(revision).values()]
    assert json.loads(called("sessions", "list", "--json").stdout) == expected
    found = json.loads(called("sessions", "search", "variances add", "--json").stdout)
    assert {each["id"] for each in found} <= {each["id"] for each in expected}
    assert found


@pytest.mark.parametrize("revision", reader.REVISIONS[:-1])
def test_its_sessions_are_those_of_whoever_opens_it(path: Path, revision: str) -> None:
    restore(path, revision)
    assert rows(path, "SELECT version_num FROM alembic_version") == [(revision,)]
    seen, anothers = reader.home_view(path), reader.home_view(path, "ada")
    assert seen is not None
    assert anothers is not None
    assert (seen.sessions, seen.problem, seen.unfinished is None) == (4, "", False)
    assert anothers.sessions == 0
    kept = "SELECT id, status, updated_at, headline FROM sessions ORDER BY id"
    before = rows(path, kept)
    with closing(Store(path)) as store, closing(Store(path, "ada")) as ada:
        assert (store.history.count(), ada.history.count()) == (4, 0)
        assert all(store.entries(session) for session, *_ in before)
        assert rows(path, kept) == before
        assert reader.home_view(path) == seen
    assert undescribed(path) == []
    assert rows(before_migration(path), "SELECT version_num FROM alembic_version") == [(revision,)]


@pytest.mark.parametrize(("revision", "session"), SESSIONS)
def test_a_session_exports_the_same(path: Path, revision: str, session: str) -> None:
    restore(path, revision)
    expected = said_before(revision)[session]["exported"]
    exported = json.loads(called("sessions", "export", session, "--format", "json").stdout)
    assert bool(exported.pop("rubrics")) == ((revision, session) in FINISHED)
    debriefs = exported.pop("debrief"), expected.pop("debrief")
    for event in expected["events"]:  # what could not be judged now stands among the verdicts
        graded = event.get("grade", event)
        assert "verdicts" not in graded or graded.pop("ungraded", []) == []
    assert known_then(exported, expected) == expected
    # An exam tells of the judge that took it, so it no longer counts once that one is replaced.
    assert debriefs[0]["exams"].keys() == debriefs[1]["exams"].keys()
    now, then = map(judged, debriefs)
    assert known_then(now, then) == then
    if (revision, session) in FINISHED:
        _holds_every_turn(session, then)


def _holds_every_turn(session: str, then: list[list[dict[str, Any]]]) -> None:
    transcripts = [words_of(called("sessions", how, session).stdout) for how in ("export", "show")]
    for part in then:
        for turn in (turn for question in part for turn in question["turns"]):
            for line in map(words_of, turn["text"].splitlines()):
                assert all(line in each for each in transcripts)


@pytest.mark.parametrize(("revision", "session"), UNFINISHED)
def test_a_session_resumes_at_the_same_step_with_its_draft(
    path: Path, revision: str, session: str
) -> None:
    restore(path, revision)
    resumed = json_lines(typed("run", "--resume", session, "--json").stdout)
    then = said_before(revision)[session]["resumed"]
    assert {each.pop("examiner") for each in resumed if "examiner" in each} == {NAME}
    for each in then:
        each.pop("examiner", None)
    assert known_then(resumed, then) == then


@pytest.mark.parametrize("revision", REVISIONS[1:])
def test_regrades_and_exams_are_kept(path: Path, revision: str) -> None:
    restore(path, revision)
    with_diff = {s: each["diff"] for s, each in said_before(revision).items() if "diff" in each}
    assert with_diff
    for session, diff in with_diff.items():
        found = json.loads(called("sessions", "diff", session, "--json").stdout)
        assert (found["session"], found["changes"]) == (diff["session"], diff["changes"])
    with closing(Store(path)) as store:
        assert [exam.examiner for exam in store.exams()] == ["offline-v2"]
