"""Checks step by step what works at an endpoint, for ``interviewer doctor``."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Literal

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.client import ChatClient, ChatRequest
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.judge import read_findings, schema_for
from interviewer.examiner.llm.messages import Message

CAP = 1024
"""Tokens: the replies need a handful, but some models reason first."""
LONGEST = 600
"""Characters, reasoning aside."""
LISTED = 5
"""How many of the server's models a message names."""
_UNREACHED = frozenset({"connection", "timeout", "dns", "tls", "proxy", "header", "settings"})
_NO_MODEL = "No model is named: choose one in Settings, or set INTERVIEWER_MODEL."
_NOT_LISTED = "The server does not list that name, but some servers do not mind."
_READ = "JSON replies work by {way}."
_UNREAD = (
    "{model} sent no valid JSON (asked for by {way}): judgements will often need repairs or fail; "
    "a larger model is likely to do better."
)
_KEY_REFUSED = frozenset({"http 401", "http 403"})
_BY = {
    "json_schema": "a JSON schema",
    "json_object": "json_object, without a schema",
    "": "the prompt alone",
}
_READY = (
    '{"criteria": [{"id": "ready", "evidence": [], "verdict": "met", "missing": "", '
    '"sure": "high", "otherwise": "none", "doubt": ""}]}'
)
_STRUCTURED = (
    Message("system", f"Reply with this JSON object and nothing around it: {_READY}"),
    Message("user", "Send the JSON object."),
)
_SPOKEN = (Message("user", "Say the word ready and nothing else."),)


async def list_models(endpoint: Endpoint) -> tuple[str, ...]:
    """The models that the server offers, in its order. Raises ExaminerError."""
    async with aclosing(ChatClient(endpoint)) as client:
        return await client.models()


@dataclass(frozen=True)
class CheckLine:
    """One thing tried at the endpoint, with the result in a sentence."""

    name: Literal["address", "key", "model", "structured output", "streaming", "adapted"]
    ok: bool
    message: str


async def check(endpoint: Endpoint) -> AsyncGenerator[CheckLine]:
    """Try the endpoint with two tiny requests, up to the first that leaves no hope for the rest."""
    async with aclosing(ChatClient(endpoint)) as client:
        async for line in _lines(client):
            yield line


async def _lines(client: ChatClient) -> AsyncGenerator[CheckLine]:
    endpoint = client.endpoint
    listed: tuple[str, ...] = ()
    problem = ""
    try:
        listed = await client.models()
    except ExaminerError as error:
        problem = str(error)
    word = _last_outcome(client)
    if word in _UNREACHED:
        yield CheckLine("address", False, problem)
        return
    yield CheckLine("address", True, f"{endpoint.route} answers.")
    if word in _KEY_REFUSED:
        yield CheckLine("key", False, problem)
        return
    if not endpoint.model:
        yield CheckLine("model", False, f"{_NO_MODEL}{_also(listed)}")
        return
    try:
        reply, _ = await client.complete(
            ChatRequest(
                "check", "check-json", _STRUCTURED, CAP, 0.0, LONGEST, schema_for(("ready",))
            )
        )
    except ExaminerError as error:
        key_refused = _last_outcome(client) in _KEY_REFUSED
        yield CheckLine("key" if key_refused else "model", False, f"{error}{_also(listed)}")
        return
    yield CheckLine("key", True, "The key is accepted." if endpoint.key else "None is set.")
    is_strange = listed and endpoint.model not in listed
    note = f" {_NOT_LISTED}{_also(listed)}" if is_strange else ""
    yield CheckLine("model", True, f"{endpoint.model} replies.{note}")
    yield _structured(client, reply.text)
    yield await _streaming(client)
    for lesson in client.capabilities.learned():
        yield CheckLine("adapted", True, lesson)


def _last_outcome(client: ChatClient) -> str:
    """How the latest call ended; "settings" if none was made."""
    calls = client.log.drain()
    return calls[-1].outcome if calls else "settings"


def _also(listed: tuple[str, ...]) -> str:
    more = f" and {len(listed) - LISTED} more" if len(listed) > LISTED else ""
    return f" The server lists {', '.join(listed[:LISTED])}{more}." if listed else ""


def _structured(client: ChatClient, text: str) -> CheckLine:
    way = _BY[client.capabilities.format["structure"]]
    is_read = bool(read_findings(text, ("ready",)).value)
    told = _READ if is_read else _UNREAD
    told = told.format(model=client.endpoint.model, way=way)
    return CheckLine("structured output", is_read, told)


async def _streaming(client: ChatClient) -> CheckLine:
    try:
        await client.speak(ChatRequest("check", "check-stream", _SPOKEN, CAP, 0.0, LONGEST))
    except ExaminerError as error:
        return CheckLine("streaming", False, str(error))
    first = client.log.drain()[-1].first_token_milliseconds or 0
    return CheckLine("streaming", True, f"Words arrive, the first after {first} ms.")
