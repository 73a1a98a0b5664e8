"""``interviewer sessions regrade --all``."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.command_line import (
    PLAN,
    SAID,
    call,
    called,
    finished_session,
    json_lines,
)
from support.endpoint import Body, StubEndpoint, judge_nothing


@pytest.fixture
def finished(config: Path, tmp_path: Path) -> list[str]:
    """Three sessions, the latest first."""
    script = tmp_path / "script.yaml"
    return [finished_session(script, text) for text in SAID][::-1]


@pytest.fixture
def stub() -> Iterator[StubEndpoint]:
    with StubEndpoint() as endpoint:
        yield endpoint


def command(stub: StubEndpoint, *options: str) -> tuple[str, ...]:
    model = ("--model", "stub", "--json")
    return ("--base-url", stub.base_url, "sessions", "regrade", *model, *options)


def regrades_of(session: str) -> list[Any]:
    shown = call("sessions", "diff", session, "--json")
    return [] if shown.exit_code else json.loads(shown.stdout)["changes"]


def test_all_are_regraded_and_stored(finished: list[str], stub: StubEndpoint) -> None:
    done = json_lines(called(*command(stub, "--all", "--yes")).stdout)
    assert {line["session"] for line in done} == set(finished)
    assert {line["regrade"] for line in done} == {1}
    assert len(stub.requests) == 3
    assert "Graded again once" in called("sessions", "show", finished[0]).stdout


def test_it_says_first_what_it_takes_and_does_not_go_on_unasked(
    finished: list[str], stub: StubEndpoint
) -> None:
    refused = call(*command(stub, "--all"))
    assert refused.exit_code == 2
    assert "3 sessions to regrade by stub: about 3 calls with " in refused.stderr
    assert "--yes" in refused.stderr
    assert stub.requests == []


def test_what_is_done_is_neither_judged_nor_stored_again(
    finished: list[str], stub: StubEndpoint
) -> None:
    called(*command(stub, "--all", "--yes"))
    again = called(*command(stub, "--all", "--yes"))
    assert again.stdout == ""
    assert "3 sessions left out" in again.stderr
    repeated = called(*command(stub, "--all", "--yes", "--again"))
    assert {line["regrade"] for line in json_lines(repeated.stdout)} == {2}
    assert "no calls" in repeated.stderr
    assert len(stub.requests) == 3


def test_other_rubrics_are_another_regrade(finished: list[str], stub: StubEndpoint) -> None:
    called(*command(stub, "--all", "--yes"))
    current = called(*command(stub, "--all", "--yes", "--rubrics", "current"))
    assert "left out" in current.stderr  # they are what they were


def test_filters_say_which(finished: list[str], stub: StubEndpoint) -> None:
    nobody = call(*command(stub, "--plan", "another"))
    assert nobody.exit_code == 1
    assert "there is none to regrade" in nobody.stderr
    assert call(*command(stub, "--until", "2001-01-01", "--yes")).exit_code == 1
    assert call(*command(stub, "--by", "someone", "--yes")).exit_code == 1
    since = called(*command(stub, "--since", "2001-01-01", "--plan", PLAN, "--yes"))
    assert len(json_lines(since.stdout)) == 3


@pytest.mark.parametrize("options", [(), ("abcd", "--all"), ("abcd", "--plan", PLAN)])
def test_one_session_or_many(options: tuple[str, ...]) -> None:
    assert call("sessions", "regrade", *options).exit_code == 2


def test_offline_costs_nothing_and_asks_nothing(finished: list[str]) -> None:
    told = called("sessions", "regrade", "--all", "--examiner", "offline")
    assert "3 of 3 sessions regraded by offline-" in told.stdout
    assert "calls" not in told.stderr
    assert "3 of 3 sessions, 0 failed." in told.stderr


def test_a_session_that_fails_stops_no_other(finished: list[str], stub: StubEndpoint) -> None:
    def judge(body: Body) -> str:
        if SAID[1] in json.dumps(body):
            raise ConnectionError  # the handler ends without a reply
        return judge_nothing(body)

    stub.judge = judge
    result = call(*command(stub, "--all", "--yes"))
    assert result.exit_code == 1
    assert "1 session could not be regraded" in result.stderr
    lines = {line["session"]: line for line in json_lines(result.stdout)}
    assert [lines[each]["regrade"] for each in finished] == [1, None, 1]
    assert "127.0.0.1" in lines[finished[1]]["problem"]
    stub.judge = judge_nothing
    asked = len(stub.requests)
    assert len(json_lines(called(*command(stub, "--all", "--yes")).stdout)) == 1
    assert len(stub.requests) == asked + 1


def test_an_endpoint_that_refuses_all_is_not_asked_for_all(
    finished: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(_: float) -> None:
        return

    monkeypatch.setattr("interviewer.examiner.llm.client.sleep", at_once)
    nobody = ("--base-url", "http://127.0.0.1:9/v1", "sessions", "regrade", "--model", "stub")
    result = call(*nobody, "--all", "--yes", "--parallel", "1")
    assert result.exit_code == 1
    assert "Stopped after 3 sessions" in result.stderr
    assert "127.0.0.1:9" in result.stderr


def test_an_interruption_lets_calls_end_and_nothing_is_paid_for_twice(
    finished: list[str], stub: StubEndpoint
) -> None:
    def judge(body: Body) -> str:
        if len(stub.requests) == 1:
            os.kill(os.getpid(), signal.SIGTERM)
        return judge_nothing(body)

    stub.judge = judge
    stopped = call(*command(stub, "--all", "--yes", "--parallel", "1"))
    assert stopped.exit_code == 1
    assert "The same command goes on from there" in stopped.stderr
    asked = len(stub.requests)
    assert asked < 3
    assert len(json_lines(stopped.stdout)) == asked
    called(*command(stub, "--all", "--yes"))
    assert len(stub.requests) == 3
