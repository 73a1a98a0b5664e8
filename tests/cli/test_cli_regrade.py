"""``interviewer sessions regrade``, of one session and of many, and ``diff``."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.command_line import (
    GAP,
    SAID,
    call,
    called,
    hold,
    json_lines,
)
from support.endpoint import Body, StubEndpoint, judge_nothing
from support.sessions import logged_calls

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.store.store import Store

NOBODY = ("--base-url", "http://127.0.0.1:9/v1", "--model", "stub", "--examiner", "llm")


@pytest.fixture
def stub() -> Iterator[StubEndpoint]:
    """A model that finds nothing."""
    with StubEndpoint() as endpoint:
        yield endpoint


def by_model(stub: StubEndpoint, *options: str) -> tuple[str, ...]:
    endpoint = ("--base-url", stub.base_url, "--model", "stub", "--examiner", "llm")
    return (*endpoint, "sessions", "regrade", *options)


def regraded(session: str, *options: str) -> dict[str, Any]:
    command = ("sessions", "regrade", session, "--examiner", "offline", *options, "--json")
    values: dict[str, Any] = json.loads(called(*command).stdout)
    return values


def compared(session: str) -> dict[str, Any]:
    command = ("sessions", "diff", session, "--json")
    values: dict[str, Any] = json.loads(called(*command).stdout)
    return values


def test_the_same_examiner_moves_nothing_and_show_tells_that_there_are_regrades(
    finished: str,
) -> None:
    assert "Graded again" not in called("sessions", "show", finished).stdout
    told = called("sessions", "regrade", finished[:6], "--examiner", "offline").stdout
    assert "Nothing changed" in told
    assert "(regrade 1, " in told
    assert "Graded again: " in called("sessions", "show", finished).stdout
    assert regraded(finished)["regrade"] == 2
    assert compared(finished)["changes"] == []


def test_a_model_moves_verdicts_the_diff_shows_both_and_the_sessions_grades_stay(
    finished: str, stub: StubEndpoint, tmp_path: Path
) -> None:
    export = ("sessions", "export", finished, "--format", "json")
    kept = called(*export).stdout
    assert "graded again by stub" in called(*by_model(stub, finished)).stdout
    with closing(Store(tmp_path / "data" / "sessions.db")) as store:
        assert len(logged_calls(store, finished)) == len(stub.requests) > 0
    assert called(*export).stdout == kept
    [question] = compared(finished)["changes"]
    before, after = (question[side]["grade"] for side in ("before", "after"))
    assert (before["examiner"], after["examiner"]) == (OfflineExaminer.name, "stub")
    assert before["final"] > after["final"] == 0
    [point] = question["points"]
    assert point["criterion"] == "variance"
    assert (point["before"]["verdict"], point["after"]["verdict"]) == ("met", "not_met")
    shown = called("sessions", "diff", finished).stdout
    assert "● heard → ○ not met: The dot product's variance grows" in shown
    assert f"Before: “{GAP[:-1]}" in shown
    assert "Judged by offline-v3, then stub." in shown


def test_an_endpoint_that_refuses_stores_nothing(finished: str) -> None:
    result = call(*NOBODY, "sessions", "regrade", finished)
    assert result.exit_code == 1
    assert "127.0.0.1:9" in result.stderr
    assert call("sessions", "diff", finished).exit_code == 1


@pytest.fixture
def three(config: Path, tmp_path: Path) -> list[str]:
    """Three sessions, the latest first."""
    return [hold(tmp_path, text, "/skip") for text in SAID][::-1]


def test_all_are_regraded_once(three: list[str], stub: StubEndpoint) -> None:
    refused = call(*by_model(stub, "--all"))
    assert refused.exit_code == 2
    assert "Have 3 sessions regraded by stub?" in refused.stderr
    assert "--yes" in refused.stderr
    assert stub.requests == []
    all_ = by_model(stub, "--all", "--yes", "--json")
    done = json_lines(called(*all_).stdout)
    assert {(line["session"], line["regrade"]) for line in done} == {(each, 1) for each in three}
    again = called(*all_)
    assert again.stdout == ""
    assert "3 sessions left out" in again.stderr
    # Today's rubrics are what they were.
    assert "left out" in called(*all_, "--rubrics", "current").stderr
    assert len(stub.requests) == 3


def test_a_session_that_fails_stops_no_other(three: list[str], stub: StubEndpoint) -> None:
    def judge(body: Body) -> str:
        if SAID[1] in json.dumps(body):
            raise ConnectionError  # the handler ends without a reply
        return judge_nothing(body)

    stub.judge = judge
    all_ = by_model(stub, "--all", "--yes", "--json")
    result = call(*all_)
    assert result.exit_code == 1
    assert "1 session could not be regraded" in result.stderr
    lines = {line["session"]: line for line in json_lines(result.stdout)}
    assert [lines[each]["regrade"] for each in three] == [1, None, 1]
    assert "127.0.0.1" in lines[three[1]]["problem"]
    stub.judge = judge_nothing
    asked = len(stub.requests)
    assert [line["session"] for line in json_lines(called(*all_).stdout)] == [three[1]]
    assert len(stub.requests) == asked + 1


def test_after_an_interruption_it_goes_on_where_it_was(
    three: list[str], stub: StubEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge(body: Body) -> str:
        if len(stub.requests) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return judge_nothing(body)

    stub.judge = judge
    all_ = by_model(stub, "--all", "--yes", "--json")
    monkeypatch.setattr("interviewer.cli.sessions.AT_ONCE", 1)
    stopped = call(*all_)
    assert stopped.exit_code == 1
    assert "The same command goes on from there" in stopped.stderr
    before = [line["session"] for line in json_lines(stopped.stdout)]
    assert 1 <= len(before) < 3
    after = [line["session"] for line in json_lines(called(*all_).stdout)]
    assert sorted([*before, *after]) == sorted(three)
