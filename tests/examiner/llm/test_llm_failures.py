"""What every failure is told as, what is tried again by itself, and that no key leaks."""

from __future__ import annotations

import socket
import traceback
from email.utils import formatdate
from time import time
from typing import Any

import httpx
import pytest
from support.fake_endpoint import ALL, KEY, FakeEndpoint, context_of, events, refusal, said

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.protocol import Move, MoveKind, Retrying

REFUSED = httpx.ConnectError("[Errno 111] Connection refused")


async def failure_of(examiner: LlmExaminer) -> ExaminerError:
    with pytest.raises(ExaminerError) as caught:
        await examiner.judge(context_of())
    return caught.value


@pytest.mark.parametrize(
    ("reply", "words", "retryable", "outcome"),
    [
        (refusal(401, "bad key"), ["OPENAI_API_KEY", "401"], False, "http 401"),
        (refusal(403, "no access"), ["OPENAI_API_KEY", "tiny", "403"], False, "http 403"),
        (refusal(409, "model tiny is not allowed"), ["let this key use"], False, "http 409"),
        (refusal(404, "nothing here"), ["OPENAI_BASE_URL", "INTERVIEWER_MODEL"], False, "http 404"),
        (refusal(429, "slow down"), ["429", "try again in a moment"], True, "http 429"),
        (refusal(429, "no", code="insufficient_quota"), ["no credit"], False, "http 429"),
        (refusal(500, "oops"), ["HTTP 500", "offline"], True, "http 500"),
        (refusal(503, "Loading model"), ["still loading the model"], True, "loading"),
        (refusal(503, "overloaded"), ["HTTP 503"], True, "http 503"),
        (
            refusal(400, "the request exceeds the available context size (8192 tokens)"),
            ["does not fit into the context"],
            False,
            "context",
        ),
        (
            refusal(400, "This model's maximum context length is 4096; reduce max_tokens"),
            ["does not fit into the context"],
            False,
            "context",
        ),
        (refusal(400, "x", code="content_filter"), ["declined to answer"], True, "refused"),
        (
            refusal(400, "no such thing"),
            ["rejects the request", "no such thing"],
            False,
            "http 400",
        ),
        (refusal(418, "teapot"), ["HTTP 418", "teapot"], False, "http 418"),
        (httpx.Response(302, headers={"location": "/login"}), ["redirects"], False, "http 302"),
        (
            httpx.Response(200, html="<html>Hi</html>"),
            ["other than a chat reply", "/v1"],
            True,
            "no chat reply",
        ),
        (
            httpx.Response(200, content=b'{"choi', headers={"content-type": "application/json"}),
            ["other than a chat reply"],
            True,
            "no chat reply",
        ),
        (
            httpx.Response(200, json={"choices": None}),
            ["other than a chat reply"],
            True,
            "no chat reply",
        ),
        (httpx.Response(200, json=["hello"]), ["other than a chat reply"], True, "no chat reply"),
        (events("data: {nonsense\n\n"), ["other than a chat reply"], True, "no chat reply"),
        (REFUSED, ["is the server running there?"], True, "connection"),
        (httpx.ConnectError("All connection attempts failed"), ["running"], True, "connection"),
        (httpx.RemoteProtocolError("disconnected"), ["broke off"], True, "connection"),
        (
            httpx.ConnectError("[Errno -2] Name or service not known"),
            ["host name", "cannot be resolved"],
            True,
            "dns",
        ),
        (refusal(400, "The plain HTTP request was sent to HTTPS port"), ["https://"], False, "tls"),
        (refusal(407, "Cache Access Denied"), ["proxy", "name and a password"], False, "proxy"),
        (
            httpx.ConnectError("[SSL: TLSV1_ALERT_PROTOCOL_VERSION] tlsv1 alert protocol version"),
            ["agree on no secure connection"],
            False,
            "tls",
        ),
        (
            httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] certificate has expired"),
            ["has expired", "date of this machine"],
            False,
            "tls",
        ),
        (
            httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] Hostname mismatch"),
            ["another host", "OPENAI_BASE_URL"],
            False,
            "tls",
        ),
        (
            httpx.ConnectError("[SSL: WRONG_VERSION_NUMBER] wrong version number"),
            ["speaks no https", "http://"],
            False,
            "tls",
        ),
        (
            httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate"),
            ["certificate", "SSL_CERT_FILE"],
            False,
            "tls",
        ),
        (
            httpx.ConnectTimeout(""),
            ["Connecting to http://model.test/v1 timed out"],
            True,
            "timeout",
        ),
        (httpx.ReadTimeout(""), ["nothing for 120 seconds"], True, "timeout"),
    ],
)
async def test_each_failure_is_one_sentence_with_a_way_out(
    server: FakeEndpoint,
    reply: httpx.Response | Exception,
    words: list[str],
    retryable: bool,
    outcome: str,
) -> None:
    server.will(reply)
    examiner = server.examiner()
    error = await failure_of(examiner)
    assert [word for word in words if word not in str(error)] == []
    assert "\n" not in str(error)
    assert error.retryable is retryable
    assert {call.outcome for call in examiner.drain_calls()} == {outcome}


@pytest.mark.parametrize(
    "reply",
    [
        REFUSED,
        httpx.ReadError("reset"),
        refusal(429, "slow down"),
        refusal(500, "oops"),
        refusal(503, "Loading model"),
    ],
    ids=["refused", "reset", "429", "500", "loading"],
)
async def test_a_passing_trouble_is_retried_twice_and_told(
    server: FakeEndpoint, waits: list[float], reply: httpx.Response | Exception
) -> None:
    told: list[Retrying] = []
    server.will(reply, reply, said(ALL))
    examiner = server.examiner(on_retry=told.append)
    assert (await examiner.judge(context_of())).flags == frozenset()
    assert [(notice.attempt, notice.of) for notice in told] == [(1, 2), (2, 2)]
    assert [notice.seconds for notice in told] == waits
    assert waits[0] < waits[1]
    assert "model.test" in told[0].reason
    outcomes = [call.outcome for call in examiner.drain_calls()]
    assert len(outcomes) == 3
    assert outcomes[0] == outcomes[1] != outcomes[2] == "ok"


async def test_a_listener_that_comes_later_is_told_in_place_of_an_earlier_one(
    server: FakeEndpoint,
) -> None:
    earlier: list[Retrying] = []
    later: list[Retrying] = []
    server.will(refusal(500, "oops"), said(ALL))
    examiner = server.examiner(on_retry=earlier.append)
    examiner.on_retry(later.append)
    await examiner.judge(context_of())
    assert (len(earlier), len(later)) == (0, 1)


async def test_a_third_failure_is_final(server: FakeEndpoint) -> None:
    server.will(refusal(500, "oops"))
    await failure_of(server.examiner())
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "reply",
    [
        refusal(401, "bad key"),
        refusal(404, "no model"),
        refusal(429, "no", code="insufficient_quota"),
        httpx.ReadTimeout(""),
        httpx.ConnectTimeout(""),
    ],
    ids=["key", "not found", "no credit", "read timeout", "connect timeout"],
)
async def test_what_will_not_pass_is_sent_once(
    server: FakeEndpoint, reply: httpx.Response | Exception
) -> None:
    server.will(reply)
    await failure_of(server.examiner())
    assert len(server.requests) == 1


@pytest.mark.parametrize("after", ["7", "7.0", "date"])
async def test_a_wait_that_the_server_names_is_kept(
    server: FakeEndpoint, waits: list[float], after: str
) -> None:
    header = formatdate(time() + 7, usegmt=True) if after == "date" else after
    server.will(refusal(429, "slow down", headers={"retry-after": header}), said(ALL))
    await server.examiner().judge(context_of())
    assert waits == [pytest.approx(7, abs=2)]


async def test_a_wait_of_many_minutes_is_left_to_the_person(
    server: FakeEndpoint, waits: list[float]
) -> None:
    server.will(refusal(429, "slow down", headers={"retry-after": "900"}))
    error = await failure_of(server.examiner())
    assert (waits, error.retryable) == ([], True)
    assert "in 900 seconds" in str(error)


async def test_so_is_a_wait_longer_than_the_call_may_take(
    server: FakeEndpoint, waits: list[float]
) -> None:
    server.will(refusal(429, "slow down", headers={"retry-after": "50"}))
    error = await failure_of(server.examiner(timeout=9.0))
    assert (waits, error.retryable) == ([], True)
    assert "in 50 seconds" in str(error)


async def test_a_nonsensical_wait_is_ignored(server: FakeEndpoint, waits: list[float]) -> None:
    server.will(refusal(503, "busy", headers={"retry-after": "soon"}), said(ALL))
    await server.examiner().judge(context_of())
    assert len(waits) == 1


async def test_nobody_listening_is_told_from_a_real_socket() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    examiner = LlmExaminer(Endpoint(f"http://127.0.0.1:{port}/v1", None, "tiny"))
    error = await failure_of(examiner)
    assert f"Nothing accepts connections at http://127.0.0.1:{port}/v1" in str(error)
    await examiner.aclose()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"base_url": "localhost:11434/v1"}, "no web address"),
        ({"base_url": "ftp://model.test/v1"}, "no web address"),
        ({"base_url": "http://model.test:port/v1"}, "no web address"),
        ({"base_url": "http://"}, "no web address"),
        ({"base_url": None, "key": None}, "set OPENAI_API_KEY, or OPENAI_BASE_URL"),
        ({"key": f"{KEY}\n"}, "OPENAI_API_KEY holds characters"),
        ({"key": f"{KEY}…"}, "OPENAI_API_KEY holds characters"),
    ],
)
async def test_settings_that_cannot_work_are_told_before_any_call(
    server: FakeEndpoint, changes: dict[str, Any], words: str
) -> None:
    server.will(said(ALL))
    error = await failure_of(server.examiner(**changes))
    assert words in str(error)
    assert not error.retryable
    assert server.requests == []


async def test_without_a_key_a_refusal_says_that_none_is_set(server: FakeEndpoint) -> None:
    server.will(refusal(401, "who are you?"))
    assert "none is set" in str(await failure_of(server.examiner(key=None)))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 429, 500])
async def test_a_key_that_the_server_repeats_reaches_neither_error_nor_log(
    server: FakeEndpoint, status: int
) -> None:
    server.will(refusal(status, f"Bad key {KEY}, Authorization: Bearer {KEY}", param=KEY))
    examiner = server.examiner()
    error = await failure_of(examiner)
    shown = "".join(traceback.format_exception(error)) + repr(error) + repr(error.__context__)
    assert KEY not in shown
    assert KEY not in repr(examiner.drain_calls())


async def test_a_key_in_a_web_page_or_a_broken_stream_does_not_leak(server: FakeEndpoint) -> None:
    server.will(
        httpx.Response(200, json={"you sent": KEY}), events(f'data: {{"error": "{KEY}"}}\n\n')
    )
    examiner = server.examiner()
    errors = [await failure_of(examiner), await failure_of(examiner)]
    shown = "".join("".join(traceback.format_exception(error)) for error in errors)
    assert KEY not in shown + repr(examiner.drain_calls())


def test_neither_endpoint_nor_address_shows_secrets() -> None:
    endpoint = Endpoint(f"http://me:{KEY}@model.test:8000/v1?key={KEY}", KEY, "tiny")
    assert KEY not in repr(endpoint.address)
    assert endpoint.address == "http://model.test:8000/v1"


async def test_a_failing_follow_up_fails_like_a_judgement(server: FakeEndpoint) -> None:
    server.will(refusal(401, "bad key"))
    with pytest.raises(ExaminerError, match="OPENAI_API_KEY"):
        await server.examiner().ask(context_of(), Move(MoveKind.PROBE, "beta"))
