"""``interviewer sessions regrade --batch-api``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result
from support.batch_endpoint import BatchEndpoint
from support.command_line import SAID, call, finished_session, json_lines
from support.endpoint import StubEndpoint
from support.sessions import logged_calls

from interviewer.examiner.llm import endpoint
from interviewer.store.store import Store


@pytest.fixture
def finished(config: Path, tmp_path: Path) -> list[str]:
    """Two sessions, the first of two answers."""
    script = tmp_path / "script.yaml"
    return [finished_session(script, *texts) for texts in (SAID[:2], SAID[2:])]


@pytest.fixture
def stub() -> Iterator[BatchEndpoint]:
    endpoint.forget()
    with BatchEndpoint() as found:
        yield found


def regrade(stub: BatchEndpoint | StubEndpoint, *options: str) -> Result:
    by = ("--base-url", stub.base_url, "sessions", "regrade", "--all", "--model", "stub", "--json")
    return call(*by, "--yes", "--batch-api", *options)


def test_all_answers_go_out_in_one_batch(
    finished: list[str], stub: BatchEndpoint, tmp_path: Path
) -> None:
    result = regrade(stub)
    assert result.exit_code == 0, result.stderr
    done = {line["session"]: line["regrade"] for line in json_lines(result.stdout)}
    assert done == dict.fromkeys(finished, 1)
    assert (len(stub.batches), len(stub.requests)) == (1, 3)
    assert "3 of 3 answered" in result.stderr
    assert not any(body["stream"] for body in stub.requests)
    with closing(Store(tmp_path / "data" / "sessions.db")) as store:
        calls = [call for each in finished for call in logged_calls(store, each)]
    assert [call["prompt_tokens"] for call in calls] == [1000] * 3
    assert "2 sessions left out" in regrade(stub).stderr
    assert len(stub.batches) == 1


@pytest.mark.parametrize(
    "fault",
    ["POST /batches", "GET /batches/batch", "GET /files/file"],
    ids=["created", "under way", "replies"],
)
def test_a_run_that_broke_off_picks_its_batch_up_again(
    finished: list[str], stub: BatchEndpoint, fault: str
) -> None:
    stub.fails = {fault}
    broken = regrade(stub)
    assert broken.exit_code == 1
    assert "HTTP 500" in broken.stderr
    assert broken.stdout == ""
    stub.fails = set()
    again = regrade(stub)
    assert again.exit_code == 0, again.stderr
    assert "of an earlier run is picked up" in again.stderr
    assert len(json_lines(again.stdout)) == 2
    assert (len(stub.batches), len(stub.requests)) == (1, 3)


def test_what_a_reply_calls_for_goes_out_in_the_next_batch(
    finished: list[str], stub: BatchEndpoint
) -> None:
    stub.judge = lambda _: "no JSON at all"
    result = regrade(stub)
    assert result.exit_code == 0, result.stderr
    assert len(stub.batches) > 1
    contents = [str(body["messages"]) for body in stub.requests]
    assert len({*contents}) == len(contents)


def test_an_endpoint_without_batches_is_named(finished: list[str], stub: BatchEndpoint) -> None:
    stub.missing = True
    result = regrade(stub)
    assert result.exit_code == 1
    assert "has no Batch API (HTTP 404): leave out --batch-api" in result.stderr


def test_batches_are_for_models(finished: list[str]) -> None:
    refused = call("sessions", "regrade", "--all", "--examiner", "offline", "--batch-api")
    assert refused.exit_code == 2
