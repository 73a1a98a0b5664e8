"""``sessions mark``: the candidate's own verdict beside the examiner's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.command_line import (
    GAP,
    call,
    called,
    hold,
    question_of,
    verdict_rows,
)
from support.tables import table

CASES = table("cli_own_verdicts", __file__)

MADE, MISSED = "variance", "initial-loss"
HIDDEN = "an exam shows them once it is finished"


def mark(session: str, criterion: str, verdict: str) -> str:
    return called("sessions", "mark", session, "1", criterion, verdict).stdout


def own_of(question: dict[str, Any]) -> dict[str, str | None]:
    return {each["criterion"]: each["own"] for each in question["grade"]["verdicts"]}


def told_of(session: str) -> list[str]:
    """The session in every form that tells it in words."""
    forms = (("show",), ("export",), ("export", "--format", "html"))
    return [called("sessions", form, session, *options).stdout for form, *options in forms]


def test_it_stands_beside_the_examiners_verdict_and_score(finished: str) -> None:
    before = question_of(finished)
    assert (before["place"], before["own"]) == (1, None)
    assert own_of(before) == {MADE: None, MISSED: None}
    told = mark(finished[:4], MISSED, "said")
    assert told.startswith(f"Your verdict on question 1, {MISSED} (“")
    assert told.endswith("”): you said it.\n")
    after = question_of(finished)
    assert own_of(after) == {MADE: None, MISSED: "said"}
    assert after["own"] == {"band": 4, "final": 1.0}
    for each in after["grade"]["verdicts"]:
        each["own"] = None
    assert after["grade"] == before["grade"]
    called("sessions", "regrade", finished, "--examiner", "offline")
    assert own_of(question_of(finished)) == {MADE: None, MISSED: "said"}
    mark(finished, MISSED, "none")
    assert question_of(finished) == before


@pytest.mark.parametrize(("point", "code", "sentence"), CASES["what_is_not_there_is_told_with"])
def test_what_is_not_there_is_told_with_what_is(
    finished: str, point: list[str], code: int, sentence: str
) -> None:
    result = call("sessions", "mark", finished, *point)
    assert result.exit_code == code
    assert sentence in " ".join(result.stderr.split())
    assert own_of(question_of(finished)) == {MADE: None, MISSED: None}


@pytest.mark.parametrize("mode", ["exam", "practice"])
def test_before_verdicts_are_shown_there_is_nothing_to_settle(
    config: Path, tmp_path: Path, mode: str
) -> None:
    session = hold(tmp_path, GAP, mode=mode)
    result = call("sessions", "mark", session, "1", MADE, "said")
    assert result.exit_code == 1
    assert HIDDEN in " ".join(result.stderr.split())
    assert MISSED not in result.stderr


def test_marks_and_both_scores_are_told_wherever_the_session_is(finished: str) -> None:
    mark(finished, MISSED, "said")
    mark(finished, MADE, "not")
    called("sessions", "regrade", finished, "--examiner", "offline")
    *texts, page = told_of(finished)
    for told in (*texts, page):
        assert "○ yours to mark · you: ● said" in told
    for told in texts:
        assert "● heard · you: ○ not said" in told
        assert ", with your own verdicts: band " in told
        assert "· with your own verdicts 0." in told
        assert "Examiner: band " in told
    rows = {each["criterion"]: each for each in verdict_rows(finished)}
    assert {name: row["own"] for name, row in rows.items()} == {MADE: "not", MISSED: "said"}
    assert {name: row["verdict"] for name, row in rows.items()} == {MADE: "met", MISSED: "not_met"}
    refused = call("run", "--resume", finished)
    assert refused.exit_code == 1
    assert f"sessions show {finished}" in " ".join(refused.stderr.split())
