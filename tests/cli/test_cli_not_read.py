"""What the offline examiner does not read: said at once, no number, settled by hand, exported."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support.command_line import FULL_ANSWER, PLAN, RUBRIC, called, json_lines, typed, write_script

from interviewer.practice.attempts import read_past
from interviewer.practice.progress import progress
from interviewer.settings import load_settings

GERMAN = "Die Varianz des Skalarprodukts wächst mit der Breite, und der Loss beginnt bei 11,5 nats."
ENGLISH = "The variance of the dot product grows with the width of a head."
MADE, MISSED = "variance", "initial-loss"


@pytest.fixture
def session(config: Path, tmp_path: Path) -> str:
    path = write_script(tmp_path / "script.yaml", GERMAN, ENGLISH, "/skip")
    result = called("run", "--plan", PLAN, "--script", path, "--json")
    told = json_lines(result.stdout)
    assert [each["codes"] for each in told if each["event"] == "not_read"] == [["language"]]
    asked = [each["text"] for each in told if each["event"] == "follow_up"]
    assert "plain English" in asked[0]
    return str(told[0]["session"])


def question_of(session: str) -> dict[str, Any]:
    values = json.loads(called("sessions", "show", session, "--json").stdout)
    found: dict[str, Any] = values["debrief"]["rounds"][0]["questions"][0]
    return found


def test_grade_shows_the_reason_and_no_number(config: Path, tmp_path: Path) -> None:
    [graded] = json_lines(called("grade", RUBRIC, "--json", stdin=GERMAN).stdout)
    assert (graded["score"], graded["band"]) == (None, None)
    assert [each["verdict"] for each in graded["verdicts"]] == [None, None]
    assert all(each["reason"].startswith("language: ") for each in graded["verdicts"])
    assert "English" in graded["follow_up"]
    told = called("grade", RUBRIC, stdin=GERMAN).stdout
    assert "could not be graded" in told
    assert "– not judged, language: The dot product" in told
    batch = tmp_path / "batch.jsonl"
    lines = [{"rubric": RUBRIC, "answer": text} for text in (GERMAN, FULL_ANSWER)]
    batch.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    first, second = json_lines(called("grade", "--batch", batch).stdout)
    assert (first["verdicts"], first["score"]) == (graded["verdicts"], None)
    assert second["score"] == 1.0


def test_it_is_told_in_plain_text_too(config: Path) -> None:
    told = typed("run", "--plan", PLAN, stdin=f"{GERMAN}\n\n/end\n").stdout
    assert told.count("(The offline examiner reads English prose; it did not read what is") == 1
    assert "2 of 2 criteria could not be judged as they were not read" in told


def test_exports_hold_the_verdict_that_was_reached_and_the_reason(session: str) -> None:
    question = question_of(session)
    verdicts = {each["criterion"]: each for each in question["grade"]["verdicts"]}
    assert (question["grade"]["band"], question["grade"]["final"]) == (None, None)
    assert verdicts[MADE]["verdict"] == "met"
    assert (verdicts[MISSED]["verdict"], verdicts[MISSED]["reason"][:9]) == (None, "language:")
    table = called("sessions", "export", session, "--format", "csv").stdout
    rows = {each["criterion"]: each for each in csv.DictReader(io.StringIO(table))}
    assert (rows[MADE]["verdict"], rows[MISSED]["verdict"]) == ("met", "")
    assert rows[MISSED]["missing"].startswith("language: it may stand in what was not read")
    told = called("sessions", "export", session).stdout
    assert "could not be graded" in told
    assert "– not judged, language" in told


def test_ones_own_verdict_gives_the_score_that_is_missing(session: str) -> None:
    called("sessions", "mark", session, "1", MADE, "said")
    assert question_of(session)["own"] is None
    called("sessions", "mark", session, "1", MISSED, "said")
    assert question_of(session)["own"] == {"band": 4, "final": 1.0}
    assert question_of(session)["grade"]["final"] is None
    told = called("sessions", "show", session).stdout
    assert "examiner: could not be graded, with your own verdicts: band 4 of 4" in told


def test_practice_takes_it_for_not_attempted_until_it_is_settled(session: str) -> None:
    def found() -> tuple[int | None, int, int]:
        past = read_past(load_settings().database)
        shown = progress(past, datetime(2100, 1, 1, tzinfo=UTC))
        return past.attempts[0].band, len(shown.due), len(shown.topics)

    assert found() == (None, 0, 0)
    called("sessions", "mark", session, "1", MISSED, "not")
    assert found() == (2, 1, 1)
