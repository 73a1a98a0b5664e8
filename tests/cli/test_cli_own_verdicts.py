"""``interviewer sessions mark``: the candidate's own verdict, beside the examiner's."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from support.command_line import PLAN, RUBRIC, call, called, json_lines, typed, write_script

GAP = "The variance of the dot product grows with the width of a head."
MADE, MISSED = "variance", "initial-loss"


def hold(tmp_path: Path, *script: str, mode: str = "exam") -> str:
    path = write_script(tmp_path / "script.yaml", *script)
    result = called("run", "--plan", PLAN, "--mode", mode, "--script", path, "--json")
    return str(json_lines(result.stdout)[0]["session"])


@pytest.fixture
def finished(config: Path, tmp_path: Path) -> str:
    return hold(tmp_path, GAP, "/skip")


def question_of(session: str) -> dict[str, Any]:
    values = json.loads(called("sessions", "show", session, "--json").stdout)
    found: dict[str, Any] = values["debrief"]["rounds"][0]["questions"][0]
    return found


def mark(session: str, criterion: str, verdict: str) -> str:
    return called("sessions", "mark", session, "1", criterion, verdict).stdout


def own_of(question: dict[str, Any]) -> dict[str, str | None]:
    return {each["criterion"]: each["own"] for each in question["grade"]["verdicts"]}


def test_one_sentence_says_what_is_kept(finished: str) -> None:
    told = mark(finished[:4], MISSED, "said")
    assert told.startswith(f"Your verdict on question 1, {MISSED} (“")
    assert told.endswith("”): you said it.\n")
    assert "you did not say it." in mark(finished, MISSED, "not")
    assert "none of your own." in mark(finished, MISSED, "none")


def test_it_stands_beside_the_examiners_verdict_and_score(finished: str) -> None:
    before = question_of(finished)
    assert (before["place"], before["own"]) == (1, None)
    assert own_of(before) == {MADE: None, MISSED: None}
    mark(finished, MISSED, "said")
    after = question_of(finished)
    assert own_of(after) == {MADE: None, MISSED: "said"}
    assert after["own"] == {"band": 4, "final": 1.0}
    for each in after["grade"]["verdicts"]:
        each["own"] = None
    assert after["grade"] == before["grade"]
    mark(finished, MISSED, "none")
    assert question_of(finished) == before


def test_both_scores_are_named_wherever_the_session_is_told(finished: str) -> None:
    mark(finished, MISSED, "said")
    mark(finished, MADE, "not")
    for arguments in (("show", finished), ("show", finished, "--full"), ("export", finished)):
        told = called("sessions", *arguments).stdout
        assert "○ not heard · you: ● said" in told
        assert "● heard · you: ○ not said" in told
        assert "examiner: band " in told
        assert ", with your own verdicts: band " in told
        assert "Score: examiner " in told
        assert "· with your own verdicts 0." in told
        assert "Examiner: band " in told
    page = called("sessions", "export", finished, "--format", "html").stdout
    assert "○ not heard · you: ● said" in page
    table = called("sessions", "export", finished, "--format", "csv").stdout
    found = {each["criterion"]: each for each in csv.DictReader(io.StringIO(table))}
    assert {name: row["own"] for name, row in found.items()} == {MADE: "not", MISSED: "said"}
    assert {name: row["verdict"] for name, row in found.items()} == {MADE: "met", MISSED: "not_met"}


def test_a_regrade_keeps_it(finished: str) -> None:
    mark(finished, MISSED, "said")
    called("sessions", "regrade", finished, "--examiner", "offline")
    assert own_of(question_of(finished)) == {MADE: None, MISSED: "said"}


def test_it_survives_that_the_interview_goes_on(config: Path, tmp_path: Path) -> None:
    """A question of an open practice session is settled, then the session is finished."""
    from support.command_line import write_plan, write_rubric

    write_rubric(config, "second-one")
    write_plan(config, RUBRIC, "second-one")
    session = hold(tmp_path, GAP, "/skip", "/pause", mode="practice")
    mark(session, MISSED, "said")
    typed("run", "--resume", session, stdin=f"{GAP}\n\n/end\n")
    assert own_of(question_of(session)) == {MADE: None, MISSED: "said"}
    assert "There is no session" not in called("sessions", "show", session).stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("1", "sigma", "said"),
            f"({RUBRIC}) has no criterion 'sigma'; there are: {MADE}, {MISSED}.",
        ),
        (("7", MADE, "said"), f"has no question 7; there are: 1 ({RUBRIC})."),
    ],
)
def test_what_is_not_there_is_told_with_what_is(
    finished: str, arguments: tuple[str, ...], sentence: str
) -> None:
    result = call("sessions", "mark", finished, *arguments)
    assert result.exit_code == 1
    assert sentence in " ".join(result.stderr.split())
    assert own_of(question_of(finished)) == {MADE: None, MISSED: None}


def test_an_unknown_session_is_told_and_another_word_is_wrong_usage(finished: str) -> None:
    unknown = call("sessions", "mark", "nowhere-to-be-seen", "1", MADE, "said")
    assert (unknown.exit_code, "No session has the id" in unknown.stderr) == (1, True)
    assert call("sessions", "mark", finished, "1", MADE, "maybe").exit_code == 2
    assert call("sessions", "mark", finished, "0", MADE, "said").exit_code == 2


def test_what_an_exam_still_hides_cannot_be_settled(config: Path, tmp_path: Path) -> None:
    session = hold(tmp_path, GAP)
    result = call("sessions", "mark", session, "1", MADE, "said")
    assert result.exit_code == 1
    assert "an exam shows them once it is finished" in " ".join(result.stderr.split())
    assert MISSED not in result.stderr
