"""What servers do not take: learnt from one refusal, remembered, and told."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from support.fake_endpoint import (
    ALL,
    URL,
    FakeEndpoint,
    chunk,
    context_of,
    refusal,
    said,
    streamed,
    usage,
)
from support.tables import table

from interviewer.errors import ExaminerError
from interviewer.examiner.protocol import Move, MoveKind

CASES = table("cases", __file__)["llm_quirks"]

WORDS = said("Which beta?")


async def ask(server: FakeEndpoint) -> None:
    await server.examiner().ask(context_of(), Move(MoveKind.PROBE, "beta"))


def format_of(body: dict[str, Any]) -> str | None:
    found = body.get("response_format")
    return found and found["type"]


async def test_extra_fields_of_the_settings_are_sent(server: FakeEndpoint) -> None:
    server.will(said(ALL))
    extra = {"seed": 7, "chat_template_kwargs": {"enable_thinking": False}}
    await server.examiner(extra_body=extra).judge(context_of())
    assert server.bodies[0].items() >= extra.items()


SCHEMA_REFUSALS = [
    refusal(400, "'response_format.type' must be 'text'"),
    httpx.Response(422, json={"detail": [{"loc": ["body", "response_format"], "msg": "Extra"}]}),
    refusal(500, "failed to parse grammar"),
]


@pytest.mark.parametrize("reply", SCHEMA_REFUSALS)
async def test_structured_output_steps_down_where_it_is_refused_and_stays_down(
    server: FakeEndpoint, reply: httpx.Response
) -> None:
    server.will(reply, reply, said(ALL))
    examiner = server.examiner()
    judgement = await examiner.judge(context_of())
    await server.examiner().judge(context_of())
    formats = [format_of(body) for body in server.bodies]
    assert formats == ["json_schema", "json_object", None, None]
    assert judgement.flags == frozenset()
    assert [lesson for lesson in server.learned() if "response_format" in lesson]


@pytest.mark.parametrize(
    ("base_url", "first"),
    [
        (None, "max_completion_tokens"),
        ("https://api.openai.com/v1", "max_completion_tokens"),
        (URL, "max_tokens"),
        ("http://api.openai.com.evil.test/v1", "max_tokens"),
    ],
)
async def test_the_cap_has_the_name_that_the_host_is_likely_to_know(
    server: FakeEndpoint, base_url: str | None, first: str
) -> None:
    server.will(said(ALL))
    await server.examiner(base_url=base_url).judge(context_of())
    body = server.bodies[0]
    assert body.keys() & {"max_tokens", "max_completion_tokens"} == {first}


async def test_the_cap_takes_its_other_name_once_refused(server: FakeEndpoint) -> None:
    message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    server.will(refusal(400, message, param="max_tokens"), WORDS)
    await ask(server)
    await ask(server)
    caps = [b.keys() & {"max_tokens", "max_completion_tokens"} for b in server.bodies]
    assert caps == [{"max_tokens"}, {"max_completion_tokens"}, {"max_completion_tokens"}]
    assert "wants the token cap as max_completion_tokens" in server.learned()[0]


EXTRA_CAP = {"detail": [{"loc": ["body", "max_tokens"], "msg": "Extra inputs"}]}
NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0 with this model."
LEFT_OUT = {
    "both caps": (
        [httpx.Response(422, json=EXTRA_CAP), refusal(422, "no max_completion_tokens here")],
        {"max_tokens", "max_completion_tokens"},
        "no token cap",
    ),
    "temperature": (
        [refusal(400, NO_TEMPERATURE, param="temperature", code="unsupported_value")],
        {"temperature"},
        "takes no temperature",
    ),
    "stream options": (
        [refusal(400, "Unrecognized request argument: stream_options")],
        {"stream_options"},
        "stream_options",
    ),
}


@pytest.mark.parametrize(("refusals", "fields", "lesson"), LEFT_OUT.values(), ids=LEFT_OUT)
async def test_what_is_refused_is_left_out(
    server: FakeEndpoint, refusals: list[httpx.Response], fields: set[str], lesson: str
) -> None:
    server.will(*refusals, said(ALL))
    await server.examiner().judge(context_of())
    assert fields & server.bodies[0].keys()
    assert not fields & server.bodies[-1].keys()
    assert server.bodies[-1]["stream"] is True
    assert lesson in server.learned()[0]


def whole(content: str, finish: str = "stop") -> httpx.Response:
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    counts = {"prompt_tokens": 700, "completion_tokens": 20}
    return httpx.Response(200, json={"model": "tiny", "choices": [choice], "usage": counts})


async def test_replies_come_whole_where_streaming_is_refused(server: FakeEndpoint) -> None:
    message = "Your organization must be verified to stream this model."
    server.will(refusal(400, message, param="stream", code="unsupported_value"), whole(ALL))
    examiner = server.examiner()
    await examiner.judge(context_of())
    assert [body["stream"] for body in server.bodies] == [True, False]
    assert "stream_options" not in server.bodies[-1]
    assert examiner.drain_calls()[-1].prompt_tokens == 700
    assert "does not stream" in server.learned()[0]
    server.will(whole("Which beta?"))
    assert await examiner.ask(context_of(), Move(MoveKind.PROBE, "beta")) == "Which beta?"


@pytest.mark.parametrize("message", CASES["roles"])
async def test_rules_move_into_the_user_message_where_roles_are_refused(
    server: FakeEndpoint, message: str
) -> None:
    server.will(refusal(500, f"Jinja Exception: {message}"), said("no"), said(ALL))
    examiner = server.examiner()
    await examiner.judge(context_of())
    separate, single, repair = ([m["role"] for m in b["messages"]] for b in server.bodies)
    assert (separate, single) == (["system", "user", "user", "user"], ["user"])
    assert repair == ["user", "assistant", "user"]
    before = [message["content"] for message in server.bodies[0]["messages"]]
    after = server.bodies[1]["messages"][0]["content"]
    assert after.index(before[0]) < after.index(before[1]) < after.index("The transcript to judge")
    assert "the rules go into the first" in server.learned()[0]


ECHO = {"temperature": 0, "max_tokens": 5, "response_format": {}}
CRASH = "stream closed, temperature of the GPU, max_tokens, system error"
PROBLEM = {"loc": ["body", "messages"], "msg": "too many", "input": ECHO}
TEACH_NOTHING = {
    "names nothing sent": (refusal(400, "n must be 1"), "n must be 1"),
    "a crash": (refusal(500, CRASH), "HTTP 500"),
    "an echo of the request": (httpx.Response(422, json={"detail": [PROBLEM]}), "too many"),
}


@pytest.mark.parametrize(("reply", "told"), TEACH_NOTHING.values(), ids=TEACH_NOTHING)
async def test_what_names_nothing_that_was_sent_teaches_nothing(
    server: FakeEndpoint, reply: httpx.Response, told: str
) -> None:
    server.will(reply)
    with pytest.raises(ExaminerError, match=told):
        await server.examiner().judge(context_of())
    assert server.learned() == ()


async def test_endless_refusals_are_not_asked_for_ever(server: FakeEndpoint) -> None:
    server.will(refusal(400, "response_format temperature max_tokens system role stream"))
    with pytest.raises(ExaminerError):
        await server.examiner().judge(context_of())
    assert len(server.requests) <= 10


async def test_what_was_learnt_belongs_to_address_and_model(server: FakeEndpoint) -> None:
    server.will(refusal(400, "temperature is not supported"), WORDS)
    await ask(server)
    assert server.learned()
    assert server.learned(model="other") == ()
    assert server.learned(base_url="http://elsewhere.test/v1") == ()


async def test_a_server_without_a_key_gets_a_placeholder(
    server: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-this-server")
    server.will(said(ALL))
    await server.examiner(key=None).judge(context_of())
    header = server.requests[0].headers["authorization"]
    assert header.startswith("Bearer ")
    assert "sk-" not in header


async def test_reasoning_is_the_answer_only_if_it_is_all_json(server: FakeEndpoint) -> None:
    server.will(streamed(chunk(None, reasoning_content=f"So: {ALL}"), chunk(finish="stop")))
    with pytest.raises(ExaminerError, match="reasoning and no answer"):
        await server.examiner().judge(context_of())
    server.will(streamed(chunk(None, reasoning_content=ALL), chunk(finish="stop")))
    assert len((await server.examiner().judge(context_of())).findings) == 3


async def test_a_server_that_seems_to_cut_long_prompts_is_told(server: FakeEndpoint) -> None:
    server.will(streamed(chunk(ALL), chunk(finish="stop"), usage(300, 90)))
    await server.examiner().judge(context_of("Some omega follows other terms. " * 200))
    assert any("cut long prompts" in each for each in server.learned())
