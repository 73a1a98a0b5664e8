"""``interviewer sessions mark``: the candidate's own verdict, beside the examiner's."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import PLAN, RUBRIC, call, called, json_lines, typed, write_script
from support.endpoint import StubEndpoint

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


MODES = ("text", "json")


@pytest.fixture
def practised(config: Path) -> None:
    """A plan of two questions for a practice in plain text."""
    from support.command_line import write_plan, write_rubric

    write_rubric(config, "second-one")
    write_plan(config, RUBRIC, "second-one")


def practise(form: str, *lines: str) -> str:
    """What a practice with these lines of input says."""
    options = ("run", "--plan", PLAN, "--mode", "practice", *(["--json"] * (form == "json")))
    sent = [json.dumps(line) for line in lines] if form == "json" else lines
    return typed(*options, stdin="".join(f"{line}\n" for line in sent)).stdout


@pytest.mark.parametrize("form", MODES)
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
        assert "○ not heard · you: ● said" in debriefed
        assert "with your own verdicts" in debriefed


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("/mark sigma said", f"has no criterion 'sigma'; there are: {MADE}, {MISSED}."),
        ("/mark", f"there are: {MADE}, {MISSED}."),
        (f"/mark {MADE} maybe", "is said or not or none, not 'maybe'."),
    ],
)
def test_a_command_that_settles_nothing_says_why(practised: None, line: str, sentence: str) -> None:
    told = practise("text", GAP, "", "/skip", line, "/end")
    assert sentence in " ".join(told.split())
    assert "you: " not in told


@pytest.mark.parametrize("mode", ["exam", "practice"])
def test_before_verdicts_are_shown_there_is_nothing_to_settle(
    config: Path, tmp_path: Path, mode: str
) -> None:
    path = write_script(tmp_path / "script.yaml", f"/mark {MADE} said", GAP)
    told = called("run", "--plan", PLAN, "--mode", mode, "--script", path, "--json").stdout
    [refused] = [each for each in json_lines(told) if each["event"] == "refused"]
    assert "shows no verdicts, so none can be settled" in refused["message"]


def test_an_answer_that_is_being_typed_stays_as_it_is(practised: None) -> None:
    told = practise("json", GAP, "/skip", "/pause")
    session = json_lines(told)[0]["session"]
    resumed = typed(
        *("run", "--resume", session), stdin=f"{GAP}\n/mark {MISSED} not\nAnd more.\n\n/end\n"
    ).stdout
    assert "you did not say it" in resumed
    shown = called("sessions", "show", session).stdout
    assert f"{GAP}\nAnd more." in shown


def test_a_finished_session_is_not_resumed_but_shown_with_them(finished: str) -> None:
    mark(finished, MISSED, "said")
    refused = call("run", "--resume", finished)
    assert refused.exit_code == 1
    assert f"sessions show {finished}" in " ".join(refused.stderr.split())
    assert "you: ● said" in called("sessions", "show", finished).stdout


REMARK = "The width of a head is the width I mean; the loss begins at 11.5 nats then."


def judging(verdict: str, evidence: str) -> Callable[[dict[str, Any]], str]:
    """A model that says this of every point."""

    def judge(body: dict[str, Any]) -> str:
        return json.dumps(
            {
                "criteria": [
                    {"id": name, "evidence": [evidence], "verdict": verdict, "missing": ""}
                    for name in (MADE, MISSED)
                ]
            }
        )

    return judge


def appeal(stub: StubEndpoint, session: str, *options: str) -> str:
    point = ("sessions", "appeal", session, "1", MISSED, "--remark", REMARK)
    return called("--base-url", stub.base_url, "--model", "stub", *point, *options).stdout


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
    assert after["grade"]["final"] == before["grade"]["final"]
    assert after["own"]["final"] == before["grade"]["final"]


def test_the_latest_appeal_is_told_wherever_the_session_is(finished: str) -> None:
    with StubEndpoint(judge=judging("partial", GAP[:-1])) as stub:
        appeal(stub, finished)
        stub.judge = judging("met", "grows with the width of a head")
        called(
            *("--base-url", stub.base_url, "--model", "stub", "sessions", "appeal", finished),
            *("1", MISSED, "--remark", "And again: 11.5 nats."),
        )
    mark(finished, MISSED, "said")
    # The number asked for was never said, which code knows.
    told = "○ not heard · on appeal: ◐ partial (“grows with the width of a head”) · you: ● said"
    for arguments in (("show", finished), ("show", finished, "--full"), ("export", finished)):
        assert told in called("sessions", *arguments).stdout
    assert told in called("sessions", "export", finished, "--format", "html").stdout
    table = called("sessions", "export", finished, "--format", "csv").stdout
    found = {each["criterion"]: each["appeal"] for each in csv.DictReader(io.StringIO(table))}
    assert found == {MADE: "", MISSED: "on appeal: ◐ partial (“grows with the width of a head”)"}
    called("sessions", "regrade", finished, "--examiner", "offline")
    assert told in called("sessions", "show", finished).stdout


@pytest.mark.parametrize("evidence", [REMARK, "the loss begins at 11.5 nats", "nobody said this"])
def test_the_remark_is_no_evidence(finished: str, evidence: str) -> None:
    with StubEndpoint(judge=judging("met", evidence)) as stub:
        told = appeal(stub, finished)
    assert "on appeal: ○ not met (The quote is not in any of your answers.)" in told


def test_an_appeal_is_paid_for_like_every_call(finished: str) -> None:
    with StubEndpoint(judge=judging("met", GAP[:-1])) as stub:
        appeal(stub, finished)
    assert "Asked of models: 1 call" in called("sessions", "show", finished).stdout


def failing(finished: str, *before: str, options: tuple[str, ...] = ()) -> str:
    point = ("sessions", "appeal", finished, "1", MISSED, "--remark", REMARK)
    result = call(*before, *point, *options)
    assert result.exit_code == 1
    assert question_of(finished)["grade"]["verdicts"][1]["appeal"] is None
    return " ".join(result.stderr.split())


def test_a_model_that_cannot_be_reached_or_used_changes_nothing(finished: str) -> None:
    nobody = ("--base-url", "http://127.0.0.1:9/v1", "--model", "stub")
    assert "127.0.0.1:9" in failing(finished, *nobody)
    with StubEndpoint(judge=lambda body: "no idea") as stub:
        told = failing(finished, "--base-url", stub.base_url, "--model", "stub")
    assert "The model's reply could not be used" in told


def test_offline_an_appeal_says_what_it_would_need(finished: str) -> None:
    assert "The offline examiner hears no appeal; '--examiner llm'" in failing(finished)
    assert "No endpoint is configured" in failing(finished, options=("--examiner", "llm"))


def test_an_appeal_of_what_an_exam_still_hides_is_refused(config: Path, tmp_path: Path) -> None:
    session = hold(tmp_path, GAP)
    with StubEndpoint() as stub:
        result = call(
            *("--base-url", stub.base_url, "--model", "stub", "sessions", "appeal", session, "1"),
            *(MADE, "--remark", REMARK),
        )
        assert not stub.requests
    assert result.exit_code == 1
    assert "an exam shows them once it is finished" in " ".join(result.stderr.split())
