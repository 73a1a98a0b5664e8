"""What the doctor is told about an endpoint."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from support.fake_endpoint import FakeEndpoint, chunk, refusal, said, streamed

from interviewer.examiner.llm.check import CheckLine, check
from interviewer.examiner.llm.endpoint import Endpoint

READY = '{"criteria": [{"id": "ready", "evidence": "", "verdict": "met", "missing": ""}]}'


async def checked(endpoint: Endpoint) -> list[CheckLine]:
    return [line async for line in check(endpoint)]


def listing(*ids: str) -> httpx.Response:
    """A model list as LM Studio sends it, without dates."""
    return httpx.Response(200, json={"data": [{"id": each, "object": "model"} for each in ids]})


def by_name(lines: list[CheckLine]) -> dict[str, CheckLine]:
    return {line.name: line for line in lines}


async def test_all_is_well(server: FakeEndpoint) -> None:
    server.will_list(listing("tiny", "large"))
    server.will(said(READY), said("rea", "dy"))
    lines = await checked(server.endpoint())
    names = ["address", "key", "model", "structured output", "streaming"]
    assert [line.name for line in lines] == names
    assert all(line.ok for line in lines)
    told = by_name(lines)
    assert told["model"].message == "tiny replies."
    assert "a JSON schema" in told["structured output"].message
    assert "the first after" in told["streaming"].message


@pytest.mark.parametrize(
    ("changes", "told"), [({}, "is the server running there?"), ({"base_url": "localhost:1"}, "")]
)
async def test_an_address_where_nobody_listens_or_that_is_none_ends_the_check(
    server: FakeEndpoint, changes: dict[str, Any], told: str
) -> None:
    server.router.get(path="/v1/models").mock(side_effect=httpx.ConnectError("refused"))
    (line,) = await checked(server.endpoint(**changes))
    assert (line.name, line.ok) == ("address", False)
    assert told in line.message


@pytest.mark.parametrize("at", ["list", "chat"])
async def test_a_refused_key_ends_the_check(server: FakeEndpoint, at: str) -> None:
    server.will_list(refusal(401, "bad key") if at == "list" else listing("tiny"))
    server.will(refusal(401, "bad key"))
    lines = await checked(server.endpoint())
    assert [(line.name, line.ok) for line in lines] == [("address", True), ("key", False)]
    assert "OPENAI_API_KEY" in lines[1].message


async def test_an_unknown_model_is_told_with_those_that_are_there(server: FakeEndpoint) -> None:
    server.will_list(listing(*(f"model-{n}" for n in range(7))))
    server.will(refusal(404, "no such model"))
    line = by_name(await checked(server.endpoint()))["model"]
    assert not line.ok
    assert "model-0, model-1, model-2, model-3, model-4 and 2 more" in line.message


@pytest.mark.parametrize(
    "reply", [refusal(404, "no list"), httpx.Response(200, html="<html>"), refusal(501, "no")]
)
async def test_a_server_without_a_list_is_checked_all_the_same(
    server: FakeEndpoint, reply: httpx.Response
) -> None:
    server.will_list(reply)
    server.will(said(READY))
    assert all(line.ok for line in await checked(server.endpoint(key=None)))


async def test_what_had_to_be_done_differently_is_told(server: FakeEndpoint) -> None:
    server.will_list(listing("tiny"))
    server.will(refusal(400, "json_schema is unsupported"), said(READY))
    lines = await checked(server.endpoint())
    assert "json_object" in by_name(lines)["structured output"].message
    assert [line.message for line in lines if line.name == "adapted"] == [
        "tiny at http://model.test/v1 takes no JSON schema; json_object is asked for instead."
    ]


@pytest.mark.parametrize(
    ("replies", "name", "told"),
    [
        ([said("Sure! I am ready.")], "structured output", "no valid JSON"),
        ([said(READY), streamed(chunk("rea"), done=False)], "streaming", "half-way"),
    ],
)
async def test_a_model_that_sends_no_json_or_breaks_off_is_told(
    server: FakeEndpoint, replies: list[httpx.Response], name: str, told: str
) -> None:
    server.will_list(listing("tiny"))
    server.will(*replies)
    line = by_name(await checked(server.endpoint()))[name]
    assert not line.ok
    assert told in line.message
