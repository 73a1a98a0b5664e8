"""``sessions mark`` and ``appeal``: the candidate's own verdict beside the examiner's."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import (
    GAP,
    PLAN,
    RUBRIC,
    call,
    called,
    hold,
    json_lines,
    typed,
    write_plan,
    write_rubric,
    write_script,
)
from support.endpoint import StubEndpoint
from support.tables import table

CASES = table("cli_own_verdicts", __file__)

MADE, MISSED = "variance", "initial-loss"
REMARK = "The width of a head is the width I mean; the loss begins at 11.5 nats then."
HIDDEN = "an exam shows them once it is finished"


def question_of(session: str) -> dict[str, Any]:
    values = json.loads(called("sessions", "show", session, "--json").stdout)
    found: dict[str, Any] = values["debrief"]["rounds"][0]["questions"][0]
    return found


def mark(session: str, criterion: str, verdict: str) -> str:
    return called("sessions", "mark", session, "1", criterion, verdict).stdout


def own_of(question: dict[str, Any]) -> dict[str, str | None]:
    return {each["criterion"]: each["own"] for each in question["grade"]["verdicts"]}


def rows_of(session: str) -> dict[str, dict[str, str]]:
    table = called("sessions", "export", session, "--format", "csv").stdout
    return {each["criterion"]: each for each in csv.DictReader(io.StringIO(table))}


def told_of(session: str) -> list[str]:
    """The session in every form that tells it in words."""
    forms = (("show",), ("show", "--full"), ("export",), ("export", "--format", "html"))
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


@pytest.fixture
def practised(config: Path) -> None:
    """A plan of two questions for a practice in plain text."""
    write_rubric(config, "second-one")
    write_plan(config, RUBRIC, "second-one")


@pytest.mark.parametrize(("point", "code", "sentence"), CASES["what_is_not_there_is_told_with"])
def test_what_is_not_there_is_told_with_what_is(
    finished: str, point: list[str], code: int, sentence: str
) -> None:
    result = call("sessions", "mark", finished, *point)
    assert result.exit_code == code
    assert sentence in " ".join(result.stderr.split())
    assert own_of(question_of(finished)) == {MADE: None, MISSED: None}


def test_what_an_exam_still_hides_cannot_be_settled(config: Path, tmp_path: Path) -> None:
    session = hold(tmp_path, GAP)
    with StubEndpoint() as stub:
        endpoint = ("--base-url", stub.base_url, "--model", "stub")
        for command in (("mark",), ("appeal", "--remark", REMARK)):
            verdict = ("said",) if command == ("mark",) else ()
            asked = ("sessions", command[0], session, "1", MADE, *verdict, *command[1:])
            result = call(*endpoint, *asked)
            assert result.exit_code == 1
            assert HIDDEN in " ".join(result.stderr.split())
            assert MISSED not in result.stderr
        assert not stub.requests


def practise(form: str, *lines: str) -> str:
    """What a practice with these lines of input says."""
    options = ("run", "--plan", PLAN, "--mode", "practice", *(["--json"] * (form == "json")))
    sent = [json.dumps(line) for line in lines] if form == "json" else lines
    return typed(*options, stdin="".join(f"{line}\n" for line in sent)).stdout


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_command_settles_a_point_of_the_question_graded_last(practised: None, form: str) -> None:
    empty = () if form == "json" else ("",)
    told = practise(form, GAP, *empty, "/skip", f"/mark {MISSED} said", "/end")
    if form == "json":
        [marked] = [each for each in json_lines(told) if each["event"] == "marked"]
        assert marked["message"].startswith(f"Your verdict on question 1, {MISSED} (“")
        first, *_, last = json_lines(told)
        question = last["debrief"]["rounds"][0]["questions"][0]
        assert own_of(question) == own_of(question_of(first["session"]))
        assert own_of(question) == {MADE: None, MISSED: "said"}
    else:
        assert f"/mark POINT said, not or none. Points: {MADE}, {MISSED}.)" in told
        assert f"(Your verdict on question 1, {MISSED} (“" in told
        debriefed = told[told.index("Debrief: ") :]
        assert "○ yours to mark · you: ● said" in debriefed
        assert "with your own verdicts" in debriefed


@pytest.mark.parametrize("mode", ["exam", "practice"])
def test_before_verdicts_are_shown_there_is_nothing_to_settle(
    config: Path, tmp_path: Path, mode: str
) -> None:
    path = write_script(tmp_path / "script.yaml", f"/mark {MADE} said", GAP)
    told = called("run", "--plan", PLAN, "--mode", mode, "--script", path, "--json").stdout
    [refused] = [each for each in json_lines(told) if each["event"] == "refused"]
    assert "shows no verdicts, so none can be settled" in refused["message"]


def judging(verdict: str, evidence: str) -> Callable[[dict[str, Any]], str]:
    """A model that says this of every point."""
    same = {"evidence": [evidence], "verdict": verdict, "missing": ""}
    return lambda body: json.dumps({"criteria": [{"id": each} | same for each in (MADE, MISSED)]})


def appeal(stub: StubEndpoint, session: str, remark: str = REMARK) -> str:
    point = ("sessions", "appeal", session, "1", MISSED, "--remark", remark)
    return called("--base-url", stub.base_url, "--model", "stub", *point).stdout


def test_on_appeal_one_call_judges_the_point_alone_with_the_remark(finished: str) -> None:
    before = question_of(finished)
    mark(finished, MISSED, "not")
    with StubEndpoint(judge=judging("partial", GAP[:-1])) as stub:
        told = appeal(stub, finished)
        [sent] = stub.requests
    assert told.startswith(f"Question 1, {MISSED} (“")
    assert f"on appeal: ◐ partial (“{GAP[:-1]}”)" in told
    asked = json.dumps(sent["messages"])
    assert REMARK in asked
    assert f'"id\\": \\"{MADE}' not in asked
    after = question_of(finished)
    made, missed = after["grade"]["verdicts"]
    assert (made["appeal"], missed["own"], missed["verdict"]) == (None, "not", "not_met")
    found = missed["appeal"]
    assert (found["verdict"], found["evidence"], found["turn"]) == ("partial", GAP[:-1], 2)
    assert (found["remark"], found["examiner"]) == (REMARK, "stub")
    assert after["grade"]["final"] == after["own"]["final"] == before["grade"]["final"]
    assert "Asked of models: 1 call" in called("sessions", "show", finished).stdout


def test_marks_both_scores_and_the_latest_appeal_are_told_wherever_the_session_is(
    finished: str,
) -> None:
    with StubEndpoint(judge=judging("partial", GAP[:-1])) as stub:
        appeal(stub, finished)
        stub.judge = judging("met", "grows with the width of a head")
        appeal(stub, finished, "And again: 11.5 nats.")
    mark(finished, MISSED, "said")
    mark(finished, MADE, "not")
    called("sessions", "regrade", finished, "--examiner", "offline")
    # The number asked for was never said, which code knows.
    appealed = "on appeal: ◐ partial (“grows with the width of a head”)"
    *texts, page = told_of(finished)
    for told in (*texts, page):
        assert f"○ yours to mark · {appealed} · you: ● said" in told
    for told in texts:
        assert "● heard · you: ○ not said" in told
        assert ", with your own verdicts: band " in told
        assert "· with your own verdicts 0." in told
        assert "Examiner: band " in told
    rows = rows_of(finished)
    assert {name: row["appeal"] for name, row in rows.items()} == {MADE: "", MISSED: appealed}
    assert {name: row["own"] for name, row in rows.items()} == {MADE: "not", MISSED: "said"}
    assert {name: row["verdict"] for name, row in rows.items()} == {MADE: "met", MISSED: "not_met"}
    refused = call("run", "--resume", finished)
    assert refused.exit_code == 1
    assert f"sessions show {finished}" in " ".join(refused.stderr.split())


@pytest.mark.parametrize("evidence", [REMARK, "the loss begins at 11.5 nats", "nobody said this"])
def test_the_remark_is_no_evidence(finished: str, evidence: str) -> None:
    with StubEndpoint(judge=judging("met", evidence)) as stub:
        told = appeal(stub, finished)
    assert "on appeal: ○ not met (The quote is not in any of your answers.)" in told


def test_an_appeal_that_cannot_be_judged_changes_nothing_and_says_why(finished: str) -> None:
    with StubEndpoint(judge=lambda body: "no idea") as stub:
        for endpoint, options, why in (
            (("http://127.0.0.1:9/v1", "stub"), (), "127.0.0.1:9"),
            ((stub.base_url, "stub"), (), "The model's reply could not be used"),
            ((), (), "The offline examiner hears no appeal; '--examiner llm'"),
            ((), ("--examiner", "llm"), "No endpoint is configured"),
        ):
            before = ("--base-url", endpoint[0], "--model", endpoint[1]) if endpoint else ()
            point = ("sessions", "appeal", finished, "1", MISSED, "--remark", REMARK)
            result = call(*before, *point, *options)
            assert result.exit_code == 1
            assert why in " ".join(result.stderr.split())
            assert question_of(finished)["grade"]["verdicts"][1]["appeal"] is None
