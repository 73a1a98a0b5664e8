"""Graded questions of past sessions, read with the standard library: home must not wait."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from interviewer.grading.bands import band_of
from interviewer.grading.verdicts import Source, Verdict, credit, own_score, with_own
from interviewer.grading.verdicts import latest as latest_of
from interviewer.rubric.rubric import Rating
from interviewer.settings.database_url import Place
from interviewer.store.reader import OF_OWNER, Snapshot, snapshot

LOOKED_AT = 100
"""How many finished sessions count, the latest; so the cost stays the same however many there are.
"""
PATIENCE = 2.0
"""Seconds to wait for a lock."""


@dataclass(frozen=True)
class Point:
    """A criterion that the question asks for, judged: its weight, and how much was earned."""

    criterion: str
    claim: str
    weight: float
    earned: float

    @property
    def lost(self) -> float:
        return self.weight - self.earned


@dataclass(frozen=True)
class Attempt:
    """A graded question. ``answered`` is False if it was passed on without a word."""

    session: str
    at: datetime
    rubric: str
    title: str
    topic: str
    band: int | None
    answered: bool
    points: tuple[Point, ...]

    @property
    def worst(self) -> float:
        """The most weight lost on a point."""
        return max((point.lost for point in self.points), default=0.0)


@dataclass(frozen=True)
class Result:
    """A finished session."""

    session: str
    plan_title: str
    band: float | None
    at: datetime


@dataclass(frozen=True)
class Past:
    """The latest finished sessions, newest first, and the questions graded in them."""

    results: tuple[Result, ...] = ()
    attempts: tuple[Attempt, ...] = ()


def read_past(place: Place, owner: str = "", sessions: int = LOOKED_AT) -> Past:
    """The owner's latest finished sessions with an answer there; nothing if there is none yet.

    Unfinished ones are left out: an exam shows no grade before its end. Raises StoreError.
    """
    with snapshot(place, wait=PATIENCE) as reader:
        if reader is None:
            return Past()
        latest = reader.rows(
            f"SELECT id, plan_title, band, updated_at FROM sessions WHERE {OF_OWNER} "
            "AND status = 'finished' AND EXISTS (SELECT 1 FROM turns "
            f"WHERE session_id = sessions.id AND {_ANSWERS}) "
            "ORDER BY updated_at DESC, id DESC LIMIT ?",
            *(owner, sessions),
        )
        if not latest:
            return Past()
        results = (
            Result(s["id"], reader.text(s["plan_title"]), s["band"], reader.time(s["updated_at"]))
            for s in latest
        )
        return Past(tuple(results), tuple(_attempts(_Latest(reader, [s["id"] for s in latest]))))


_ANSWERS = "kind IN ('answer', 'dont_know')"


@dataclass(frozen=True)
class _Latest:
    """Sessions to be read."""

    reader: Snapshot
    ids: Sequence[str]

    def rows(self, statement: str) -> Sequence[Mapping[str, Any]]:
        """The rows of a query; LATEST in it stands for the ids of the sessions."""
        places = ", ".join("?" * len(self.ids))
        return self.reader.rows(statement.replace("LATEST", f"({places})"), *self.ids)


def _attempts(latest: _Latest) -> Iterator[Attempt]:
    """Newest first."""
    reader = latest.reader
    answered = {
        (row["session_id"], row["round"], row["question"])
        for row in latest.rows(
            "SELECT DISTINCT session_id, round, question FROM turns "
            f"WHERE {_ANSWERS} AND session_id IN LATEST"
        )
    }
    drills, own = _drills(latest), _own_verdicts(latest)
    rubrics = _rubrics(latest)
    graded = latest.rows(
        "SELECT session_id, payload, at, "
        "row_number() OVER (PARTITION BY session_id ORDER BY seq) AS number FROM entries "
        "WHERE kind = 'grade' AND session_id IN LATEST ORDER BY at DESC, seq DESC"
    )
    for row in graded:
        session, payload = row["session_id"], json.loads(reader.text(row["payload"]))
        grade = payload["grade"]
        rubric = rubrics.get((session, grade["rubric"]))
        place = (session, payload["round"], payload["question"])
        talked_over = not grade["verdicts"] and not grade.get("ungraded")  # of earlier versions
        if rubric is None or place in drills or talked_over:
            continue
        if settled := own.get((session, row["number"])):  # questions are graded in their order
            grade = _by_own(payload, rubric, settled)
        final = grade["final"]
        yield Attempt(
            session=session,
            at=reader.time(row["at"]),
            rubric=grade["rubric"],
            title=rubric["title"],
            topic=rubric["topic"],
            band=grade.get("band", None if final is None else band_of(final)),
            answered=place in answered,
            points=() if final is None else tuple(_points(rubric, grade)),
        )


def _drills(latest: _Latest) -> frozenset[tuple[str, int, int]]:
    """The questions about one point that the candidate had just read the answer to."""
    asked = latest.rows(
        "SELECT session_id, payload FROM entries WHERE kind = 'question' "
        "AND payload LIKE '%\"point\"%' AND session_id IN LATEST"
    )
    text = latest.reader.text
    found = ((row["session_id"], json.loads(text(row["payload"]))) for row in asked)
    return frozenset(
        (session, payload["round"], payload["question"])
        for session, payload in found
        if payload.get("point")
    )


def _own_verdicts(latest: _Latest) -> Mapping[tuple[str, int], Mapping[str, Verdict]]:
    """The candidate's own verdicts by session and the question's number in it."""
    text = latest.reader.text
    marks = "SELECT session_id, question, criterion, verdict FROM own_verdicts"
    rows = latest.rows(f"{marks} WHERE session_id IN LATEST ORDER BY id")
    return latest_of(
        ((row["session_id"], row["question"]), text(row["criterion"]), row["verdict"])
        for row in rows
    )


def _by_own(
    payload: dict[str, Any], rubric: Mapping[str, Any], own: Mapping[str, Verdict]
) -> Mapping[str, Any]:
    """A grade as the candidate settled it, as far as is read of it here."""
    from interviewer.interview.events import QuestionGraded, from_json
    from interviewer.rubric.rubric import Rubric

    event, asked = from_json(payload), Rubric.model_validate(rubric)
    assert isinstance(event, QuestionGraded)
    verdicts = with_own(event.grade.verdicts, own)
    judged = {each.criterion for each in verdicts}
    for place, harder in enumerate(asked.escalations):
        if not judged.isdisjoint(point.id for point in harder.criteria):
            asked = asked.with_escalation(place)
            break
    told = [vars(each) for each in verdicts]
    final = own_score(asked, event.grade, own)
    band = None if final is None else band_of(final)
    return {"rubric": asked.id, "final": final, "band": band, "verdicts": told}


def _rubrics(latest: _Latest) -> Mapping[tuple[str, str], dict[str, Any]]:
    """The snapshots by session and rubric, each parsed once."""
    reader = latest.reader
    parsed: dict[str, dict[str, Any]] = {}
    links = latest.rows(
        "SELECT session_id, rubric, sha256 FROM session_rubrics WHERE session_id IN LATEST"
    )
    for sha256 in {link["sha256"] for link in links}:
        for row in reader.rows("SELECT body FROM rubric_snapshots WHERE sha256 = ?", sha256):
            parsed[sha256] = json.loads(reader.text(row["body"]))
    return {
        (link["session_id"], link["rubric"]): parsed[link["sha256"]]
        for link in links
        if link["sha256"] in parsed
    }


def _points(rubric: Mapping[str, Any], grade: Mapping[str, Any]) -> Iterator[Point]:
    criteria = {each["id"]: each for each in rubric["criteria"]}
    for verdict in grade["verdicts"]:
        criterion = criteria.get(verdict["criterion"])
        if criterion is None or criterion.get("extra") or verdict["verdict"] is None:
            continue
        rating, source = Rating(verdict["verdict"]), Source(verdict["source"])
        earned = credit(Verdict(criterion["id"], rating, source=source))
        weight = float(criterion["weight"])
        yield Point(criterion["id"], criterion["claim"], weight, weight * earned)
