"""The debrief as JSON: what was there stays where it was, what is new stands beside it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from support.judged import unjudged
from support.mocks import Mock, met
from support.replays import Recorder, a_finished_session
from support.rubrics import a_criterion, a_rubric
from support.shapes import GRADE, POINT, VERDICT

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.agreement import ExamResult
from interviewer.grading.verdicts import Evidence, Verdict, grade_question
from interviewer.interview.debrief import as_shown, debrief
from interviewer.interview.debrief.questions import criterion_lines
from interviewer.report.session_json import SCHEMA, debrief_json, grade_json, session_json
from interviewer.rubric.rubric import Rating

EXAM = ExamResult("a-model", "v1", datetime(2026, 1, 2, tzinfo=UTC), 126, 0.31, 0.5, 0.1, 0.2)
OLD_KEYS = {
    "debrief": {"band", "headline", "about", "doubts", "rounds"},
    "round": {"round", "title", "band", "not_asked", "questions"},
    "question": {"question", "rubric", "title", "closed", "grade", "turns"},
    "grade": {
        *("band", "first", "unassisted", "final", "examiner", "flags", "reasons", "verdicts"),
    },
    "verdict": {
        *("criterion", "claim", "weight", "verdict", "evidence", "turn", "span", "source"),
        *("missing", "unsupported"),
    },
}


def a_held_mock() -> dict[str, Any]:
    """One question with split votes, a follow-up that met silence, and a lost point."""
    mock = Mock([a_rubric(sources=("Paper A",))])
    mock.ask()
    text, findings = met("alpha")
    looks = (Rating.MET, Rating.NOT_MET, Rating.MET)
    alpha = Verdict("alpha", Rating.MET, findings[0].evidence, votes=looks)
    mock.answer(f"{text} We used 64 A100s.", alpha, *findings[1:])
    mock.follow_up(Move(MoveKind.PROBE, "beta"), "What happens near b?")
    mock.dont_know()
    mock.close(CloseReason.NO_PROGRESS)
    return debrief_json(mock.debrief({"a-model": EXAM}))


def test_a_program_written_for_the_first_shape_still_finds_all() -> None:
    replay = a_finished_session()
    values = session_json(replay, debrief(replay.state, replay.rubrics))
    assert values["schema"] == SCHEMA == 1
    part = values["debrief"]["rounds"][0]
    question = part["questions"][0]
    found = {
        "debrief": values["debrief"],
        "round": part,
        "question": question,
        "grade": question["grade"],
        "verdict": question["grade"]["verdicts"][0],
    }
    assert {name: keys - found[name].keys() for name, keys in OLD_KEYS.items()} == {
        name: set() for name in OLD_KEYS
    }


def test_a_debrief_is_told_as_values_with_literal_quotes() -> None:
    told = a_held_mock()
    assert json.loads(json.dumps(told)) == told
    assert told["exams"]["a-model"]["passed"] is True
    assert told["exams"]["a-model"]["taken_at"] == "2026-01-02T00:00:00+00:00"
    grade = told["rounds"][0]["questions"][0]["grade"]
    assert [each["votes"] for each in grade["verdicts"][:2]] == [["met", "not_met", "met"], []]
    assert (grade["interval"], grade["between_bands"]) == ([0.0, 0.5], [0, 2])
    (topic,) = told["profile"]["topics"]
    assert (topic["topic"], topic["earned"], topic["possible"]) == ("transformer", 3, 6)
    assert topic["bands"] == [2]
    assert told["profile"]["kinds"] == {"mechanism": {"earned": 3, "possible": 6, "points": 3}}
    assert told["recommendation"]["level"] == "too few questions"
    assert all(reason["text"] for reason in told["recommendation"]["reasons"])
    assert told["person"].endswith(".")
    lost = [(each["criterion"], each["source"], each["lost"]) for each in told["study_points"]]
    assert lost == [("beta", "Paper A", 2), ("gamma", "Paper A", 1)]
    gpus = [claim for claim in told["claims"]["made"] if claim["measure"] == "gpus"]
    assert [(claim["value"], claim["turn"]) for claim in gpus] == [(64.0, 2)]

    (question,) = told["rounds"][0]["questions"]
    assert [lesson["criterion"] for lesson in question["next_time"]] == ["beta", "gamma"]
    assert (question["answered"], question["skipped"]) == (True, False)
    said = {turn["turn"]: turn["text"] for turn in question["turns"]}
    quotes = [strength["quote"] for strength in told["strongest"]]
    assert len(quotes) == 1
    for quote in quotes:
        start, end = quote["span"]
        assert said[quote["turn"]][start:end] == quote["text"]


def test_an_open_exam_keeps_all_of_it_back() -> None:
    recorder = Recorder(a_rubric())
    recorder.say("First alpha decides it all, on 64 A100s.")
    recorder.judge(Verdict("alpha", Rating.MET, "First alpha decides it"))
    recorder.close()
    replay = recorder.replay()
    found = debrief(replay.state, replay.rubrics)
    told = session_json(replay, found)["debrief"]
    assert told["withheld"]
    assert [told[key] for key in ("profile", "recommendation", "claims")] == [None] * 3
    lists = ("strongest", "doubts", "talk", "study_points")
    assert [told[key] for key in lists] == [[]] * len(lists)
    assert (told["exams"], told["person"]) == ({}, "")
    (question,) = told["rounds"][0]["questions"]
    assert (question["grade"], question["next_time"]) == (None, [])
    (kept,), (shown,) = found.questions, as_shown(found, recorder.state).questions
    assert kept.lines
    assert (shown.grade, shown.lines, shown.lessons) == (None, (), ())
    assert shown.turns == kept.turns
    recorder.finish()
    assert as_shown(found, recorder.state) is found


DOUBTFUL = Verdict(
    "beta",
    Rating.PARTIAL,
    "beta comes second",
    2,
    (0, 17),
    further=(Evidence("and so on", 4, (3, 12)),),
    votes=(Rating.MET, Rating.PARTIAL),
    doubt="whether the order was meant",
    alternative=Rating.MET,
)


def test_a_grade_has_the_documented_shape() -> None:
    rubric = a_rubric(
        a_criterion("alpha", must_have=True), a_criterion("beta", weight=5), a_criterion("gamma")
    )
    made = [Verdict("alpha", Rating.NOT_MET, missing="all of it"), DOUBTFUL]
    made.append(unjudged("gamma", "It failed."))
    grade = grade_question(rubric, [made], examiner="tiny")
    told = json.loads(json.dumps(grade_json(grade, tuple(criterion_lines(rubric, grade)))))
    alpha, beta, gamma = told["verdicts"]
    assert set(told) == GRADE
    assert set(alpha) == set(beta) == set(gamma) == POINT | VERDICT
    assert set(beta["quotes"][0]) == {"text", "turn", "span"}
    assert alpha["must_have"]
    assert [quote["turn"] for quote in beta["quotes"]] == [2, 4]
    assert beta["doubt"] == {"alternative": "met", "why": "whether the order was meant"}
    assert (gamma["verdict"], gamma["reason"]) == (None, "It failed.")
    assert told["interval"][0] < told["interval"][1]
