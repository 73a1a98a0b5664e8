"""``interviewer sessions regrade`` and ``diff``."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.command_line import PLAN, RUBRIC, call, called, json_lines, write_rubric, write_script
from support.endpoint import StubEndpoint
from support.rubric_writing import rubric_values
from support.sessions import logged_calls

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.store.store import Store

GAP = "The variance of the dot product grows with the width of a head."


def hold(tmp_path: Path, *script: Any) -> str:
    """Hold an interview and return the session's id."""
    path = write_script(tmp_path / "script.yaml", *script)
    result = called("run", "--plan", PLAN, "--script", path, "--json", "--examiner", "offline")
    session: str = json_lines(result.stdout)[0]["session"]
    return session


@pytest.fixture
def finished(config: Path, tmp_path: Path) -> str:
    return hold(tmp_path, GAP, "/skip")


def regraded(session: str, *options: str) -> dict[str, Any]:
    """A regrade's JSON."""
    values: dict[str, Any] = json.loads(
        called("sessions", "regrade", session, *options, "--json").stdout
    )
    return values


def compared(session: str, *names: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(
        called("sessions", "diff", session, *names, "--json").stdout
    )
    return values


def with_a_model(session: str, *options: str) -> Any:
    """A regrade by a model that finds nothing."""
    with StubEndpoint() as stub:
        return called(
            "--base-url", stub.base_url, "sessions", "regrade", session, "--model", "stub", *options
        )


def test_the_same_examiner_moves_nothing(finished: str) -> None:
    told = called("sessions", "regrade", finished[:6], "--examiner", "offline").stdout
    assert "Nothing changed" in told
    assert "Stored as regrade 1" in told
    assert regraded(finished, "--examiner", "offline")["regrade"] == 2
    assert compared(finished)["changes"] == []


def test_the_grades_of_the_session_stay(finished: str) -> None:
    before = called("sessions", "export", finished, "--format", "json").stdout
    with_a_model(finished)
    assert called("sessions", "export", finished, "--format", "json").stdout == before


def test_a_model_moves_verdicts_and_the_diff_says_why(finished: str) -> None:
    told = with_a_model(finished).stdout
    assert "graded again by stub" in told
    values = compared(finished)
    [question] = values["changes"]
    assert question["examiner"] == [OfflineExaminer.name, "stub"]
    assert question["examiner_kind"] == ["offline", "llm"]
    assert question["final"][0] > question["final"][1] == 0
    [point] = question["points"]
    assert point["criterion"] == "variance"
    assert (point["before"]["verdict"], point["after"]["verdict"]) == ("met", "not_met")
    assert point["reasons"] == ["other_quote", "other_examiner"]
    shown = called("sessions", "diff", finished).stdout
    assert "● heard → ○ not met: The dot product's variance grows" in shown
    assert f"Before: “{GAP[:-1]}" in shown
    assert "a different examiner judged" in shown


def test_model_calls_of_a_regrade_are_logged_and_kept_for_a_repeat(
    finished: str, tmp_path: Path
) -> None:
    with StubEndpoint() as stub:
        again = ("--base-url", stub.base_url, "sessions", "regrade", finished, "--model", "stub")
        called(*again)
        first = len(stub.requests)
        called(*again)
        assert len(stub.requests) == first > 0
    with closing(Store(tmp_path / "data" / "sessions.db")) as store:
        assert len(logged_calls(store, finished)) == first


def test_any_two_gradings_can_be_compared(finished: str) -> None:
    with_a_model(finished)
    regraded(finished, "--examiner", "offline")
    assert compared(finished)["changes"] == []
    assert (compared(finished)["before"], compared(finished)["after"]) == ("original", "2")
    back = compared(finished, "1")
    assert (back["before"], back["after"]) == ("1", "2")
    assert back["changes"][0]["points"][0]["after"]["verdict"] == "met"
    assert compared(finished, "original", "1")["band"][1] == 0
    assert "regrade 1 (stub, " in called("sessions", "diff", finished, "1", "2").stdout


def test_gradings_that_do_not_exist_are_named(finished: str) -> None:
    alone = call("sessions", "diff", finished)
    assert alone.exit_code == 1
    assert f"sessions regrade {finished}" in alone.stderr
    regraded(finished, "--examiner", "offline")
    unknown = call("sessions", "diff", finished, "original", "7")
    assert unknown.exit_code == 1
    assert "'7'" in unknown.stderr
    assert call("sessions", "diff", finished, "1", "1").exit_code == 2


def test_todays_rubrics_bring_new_criteria(config: Path, finished: str) -> None:
    values = rubric_values(RUBRIC)
    variance, loss = values["criteria"]
    loss |= {"id": "head-width", "claim": "The width of a head decides it."}
    loss |= {"patterns": [["width of a head"]], "numbers": []}
    write_rubric(config, criteria=[variance, loss], samples=[], version=2)
    kept = regraded(finished, "--examiner", "offline")
    assert kept["changes"] == []
    current = regraded(finished, "--examiner", "offline", "--rubrics", "current")
    [question] = current["changes"]
    assert question["rubric_version"] == [1, 2]
    reasons = {point["criterion"]: point["reasons"] for point in question["points"]}
    assert reasons == {
        "initial-loss": ["criterion_removed"],
        "head-width": ["criterion_added"],
    }
    told = called("sessions", "diff", finished).stdout
    assert "Rubric version 1, then 2." in told
    assert "The criterion is new in the rubric." in told


def test_a_rubric_that_is_gone_is_said_to_be_the_sessions_own(config: Path, finished: str) -> None:
    (config / "rubrics" / f"{RUBRIC}.yaml").unlink()
    options = ("--examiner", "offline", "--rubrics", "current")
    told = called("sessions", "regrade", finished, *options).stdout
    assert f"judged by the session's own: {RUBRIC}." in told
    assert regraded(finished, *options)["kept_rubrics"] == [RUBRIC]


def test_a_session_that_is_not_finished_is_not_regraded(config: Path, tmp_path: Path) -> None:
    paused = hold(tmp_path, GAP, "/pause")
    refused = call("sessions", "regrade", paused, "--examiner", "offline")
    assert refused.exit_code == 1
    assert "not finished" in refused.stderr


def test_an_endpoint_that_refuses_stores_nothing(finished: str) -> None:
    result = call(
        *("--base-url", "http://127.0.0.1:9/v1", "sessions", "regrade", finished),
        *("--model", "stub"),
    )
    assert result.exit_code == 1
    assert "127.0.0.1:9" in result.stderr
    assert call("sessions", "diff", finished).exit_code == 1


def test_a_model_for_the_offline_examiner_is_wrong_usage(finished: str) -> None:
    result = call("sessions", "regrade", finished, "--model", "x", "--examiner", "offline")
    assert result.exit_code == 2


def test_show_tells_that_there_are_regrades(finished: str) -> None:
    assert "Graded again" not in called("sessions", "show", finished).stdout
    regraded(finished, "--examiner", "offline")
    assert "Graded again once: " in called("sessions", "show", finished).stdout
    regraded(finished, "--examiner", "offline")
    assert "Graded again 2 times: " in called("sessions", "show", finished).stdout
