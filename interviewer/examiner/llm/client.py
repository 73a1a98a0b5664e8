"""Talks to the endpoint: connection, requests, retries, the log of calls."""

from __future__ import annotations

import asyncio
import random
import threading
from asyncio import sleep
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import failures
from interviewer.examiner.llm.endpoint import Endpoint, RequestFormat, Structure, capabilities_of
from interviewer.examiner.llm.failures import Failure
from interviewer.examiner.llm.messages import Message, Role, estimated_tokens
from interviewer.examiner.llm.pace import Pace
from interviewer.examiner.llm.replies import (
    Part,
    Reply,
    Usage,
    as_reply,
    joined,
    parts_of,
    rambles,
)
from interviewer.examiner.protocol import CallStage, ModelCall, Retrying
from interviewer.web_address import is_usable

if TYPE_CHECKING:
    import openai


RETRIES = 2
CONNECT_SECONDS = 10.0
PLACEHOLDER_KEY = "none-needed"
"""openai insists on a key; local servers ignore it."""
MOST_CHARACTERS_PER_TOKEN = 8
"""A reply longer than its token cap allows for counts as cut off."""
_TEACHING = frozenset({"http 400", "http 422", "http 500"})


@dataclass(frozen=True)
class ChatRequest:
    """One request to the model."""

    stage: CallStage
    prompt_version: str
    messages: tuple[Message, ...]
    cap: int
    """The most tokens of the reply, reasoning included."""
    temperature: float
    longest: int
    """Characters of the answer after which it counts as endless."""
    schema: Mapping[str, object] | None = None
    """The JSON schema of the reply; None for plain words."""
    optional: bool = False
    """Not worth waiting for: it is not retried."""
    until: float | None = None
    """When it has failed, by the clock of ``monotonic``; None: as late as any call may."""


def _arguments(request: ChatRequest, endpoint: Endpoint, use: RequestFormat) -> dict[str, Any]:
    """The arguments for openai's ``chat.completions.create``."""
    messages = request.messages if use.separate_messages else _folded(request.messages)
    fields: dict[str, Any] = {
        "model": endpoint.model,
        "messages": [{"role": m.role, "content": m.content} for m in messages],
        "stream": use.streaming,
    }
    if use.streaming and use.stream_usage:
        fields["stream_options"] = {"include_usage": True}
    if use.cap is not None:
        fields[use.cap.value] = request.cap
    if use.temperature:
        fields["temperature"] = request.temperature
    if request.schema is not None and use.structure is not Structure.PROMPT:
        fields["response_format"] = _response_format(request.schema, use.structure)
    if endpoint.extra_body:
        fields["extra_body"] = dict(endpoint.extra_body)
    return fields


def _folded(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The system message made a user's, and neighbours joined so that roles alternate."""
    joined: list[Message] = []
    for message in messages:
        role: Role = "assistant" if message.role == "assistant" else "user"
        if joined and joined[-1].role == role:
            joined[-1] = Message(role, f"{joined[-1].content}\n\n{message.content}")
        else:
            joined.append(Message(role, message.content))
    return tuple(joined)


def _response_format(schema: Mapping[str, object], structure: Structure) -> dict[str, object]:
    if structure is Structure.JSON_OBJECT:
        return {"type": "json_object"}
    named = {"name": "reply", "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": named}


@dataclass
class CallInProgress:
    """A request under way; ends in exactly one log entry."""

    stage: CallStage
    prompt_version: str
    model: str
    record: Callable[[ModelCall], None]
    started: float = field(default_factory=monotonic)
    until: float = inf
    """When it has failed, by the same clock."""
    first_token: int | None = None
    usage: Usage = field(default_factory=Usage)
    entry: ModelCall | None = None
    """Set once the call has ended."""

    def note(self, part: Part) -> None:
        """Keep the model and token counts that a chunk or reply names."""
        self.model = part.model or self.model
        self.usage = part.usage or self.usage

    def spoke(self) -> None:
        """Some of the reply's text is here."""
        if self.first_token is None:
            self.first_token = self._elapsed()

    def end(self, outcome: str, detail: str = "") -> ModelCall:
        """Write the entry."""
        self.entry = ModelCall(
            stage=self.stage,
            prompt_version=self.prompt_version,
            model=self.model,
            outcome=outcome,
            milliseconds=self._elapsed(),
            first_token_milliseconds=self.first_token,
            prompt_tokens=self.usage.prompt,
            cached_tokens=self.usage.cached,
            completion_tokens=self.usage.completion,
            detail=detail,
        )
        self.record(self.entry)
        return self.entry

    def _elapsed(self) -> int:
        return round((monotonic() - self.started) * 1000)


class CallLog:
    """The calls since it was last drained, oldest first."""

    def __init__(self) -> None:
        self._calls: list[ModelCall] = []

    def begin(self, stage: CallStage, prompt_version: str, model: str) -> CallInProgress:
        """A request goes out."""
        return CallInProgress(stage, prompt_version, model, self._calls.append)

    def correct(self, call: ModelCall, outcome: str, detail: str = "") -> None:
        """Note that the reply, once read, turned out to be of no use."""
        for place, logged in enumerate(self._calls):
            if logged is call:
                self._calls[place] = replace(call, outcome=outcome, detail=detail)

    def drain(self) -> tuple[ModelCall, ...]:
        """Return the calls and forget them."""
        drained, self._calls = tuple(self._calls), []
        return drained


class ChatClient:
    """Chat Completions at one endpoint.

    With a ``pace``, which other clients may share, calls wait for their turn, and one that the
    endpoint refuses for going too fast slows all of them down.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        on_retry: Callable[[Retrying], None] | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.endpoint = endpoint
        self._pace = pace
        self.capabilities = capabilities_of(endpoint)
        self.log = CallLog()
        self.on_retry = on_retry
        """Called before a retry."""
        self._opening = threading.Lock()
        self._opened: openai.AsyncOpenAI | None = None

    async def complete(self, request: ChatRequest) -> tuple[Reply, ModelCall]:
        """The whole reply, with its log entry.

        If the token cap cut it off, it is asked for again with twice the cap. Raises ExaminerError.
        """
        request = replace(request, until=request.until or self.deadline())
        reply, call = await self._complete_once(request)
        if not reply.cut_off or reply.rambled:
            return reply, call
        self.log.correct(call, "cut off")
        return await self._complete_once(replace(request, cap=2 * request.cap))

    async def once(self, request: ChatRequest) -> tuple[Reply, ModelCall]:
        """As :meth:`complete`, but nothing is asked for again. Raises ExaminerError."""
        return await self._complete_once(replace(request, optional=True))

    async def speak(self, request: ChatRequest) -> str:
        """The words of the reply, up to the request's longest.

        If reasoning takes up the token cap, they are asked for again with twice the cap. Raises
        ExaminerError, also if the reply says nothing.
        """
        until = request.until or self.deadline()
        for cap in (request.cap, 2 * request.cap):
            reply, call = await self._complete_once(replace(request, cap=cap, until=until))
            if reply.refused:
                raise self._useless(call, failures.declined(self.endpoint))
            reasoning = self.capabilities.thinks_aloud and not reply.unopened_thinking
            if reply.text and not (reasoning and reply.cut_off):
                break
            if not reply.cut_off or cap > request.cap:
                reasoned = reply.reasoned or reply.cut_off
                raise self._useless(call, failures.empty(self.endpoint, reasoned=reasoned))
            self.log.correct(call, "cut off")
        return reply.text[: request.longest]

    def deadline(self) -> float | None:
        """When a call that begins now has failed, along with all that are made in its stead.

        None with a pace: those calls wait for their turn, and nobody waits for them.
        """
        if self._pace:
            return None
        return monotonic() + self.endpoint.longest_call

    async def models(self) -> tuple[str, ...]:
        """The model ids that the endpoint lists. Raises ExaminerError, also if it has no list."""
        request = ChatRequest("check", "models", (), 0, 0.0, 0)
        page, call = await self._attempt(
            request, lambda client: client.get("/models", cast_to=object)
        )
        entries = page.get("data") if isinstance(page, dict) else None
        if not isinstance(entries, list):
            raise self._failed(call, failures.no_chat_reply(self.endpoint, str(page)))
        call.end("ok")
        ids = [entry.get("id") for entry in entries if isinstance(entry, dict)]
        return tuple(each for each in ids if isinstance(each, str))

    async def aclose(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            await self._opened.close()
            self._opened = None

    def _open(self) -> openai.AsyncOpenAI:
        with self._opening:
            if self._opened is None:
                self._opened = connect(self.endpoint)
            return self._opened

    async def _complete_once(self, request: ChatRequest) -> tuple[Reply, ModelCall]:
        async with self._pace.place() if self._pace else nullcontext():
            return await self._whole_reply(request)

    async def _whole_reply(self, request: ChatRequest) -> tuple[Reply, ModelCall]:
        answer, call = await self._post(request)
        whole = Part()
        async with aclosing(self._parts(answer, call, request.cap)) as parts:
            async for part in parts:
                whole = joined(whole, part)
                if part.text:
                    call.spoke()
                if rambles(whole.text, request.longest):
                    break
        reply = as_reply(whole, request.longest)
        self.capabilities.compare_prompt(call.usage.prompt, estimated_tokens(request.messages))
        self.capabilities.thinks_aloud |= reply.unopened_thinking
        return reply, call.entry or call.end("ok")

    async def _parts(self, answer: Any, call: CallInProgress, cap: int) -> AsyncGenerator[Part]:
        """The parts of a reply. A complete one is left to the caller to log.

        Raises ExaminerError with the call logged.
        """
        received, parts, finish, failure = 0, 0, None, None
        try:
            async for part in self._until_late(parts_of(answer), call):
                call.note(part)
                received += len(part.text)
                parts += 1
                finish = part.finish or finish
                yield part
                if max(received, parts) > cap * MOST_CHARACTERS_PER_TOKEN:  # it ignores the cap
                    yield Part(finish="length")
                    return
        except TimeoutError:
            failure = failures.overdue(self.endpoint)
        except failures.causes() as error:
            failure = failures.while_answering(error, self.endpoint, begun=received > 0)
        except asyncio.CancelledError:
            call.end("cancelled")
            raise
        except GeneratorExit:
            call.end("stopped")
            raise
        finally:
            if hasattr(answer, "response"):
                await answer.close()
        if failure or finish is None:
            raise self._failed(call, failure or failures.broken_off(self.endpoint))

    async def _until_late(
        self, parts: AsyncGenerator[Part], call: CallInProgress
    ) -> AsyncGenerator[Part]:
        """The parts. Raises TimeoutError once the call takes longer than any may."""
        async with aclosing(parts):
            while True:
                async with asyncio.timeout_at(call.until):
                    part = await anext(parts, None)
                if part is None:
                    return
                yield part

    async def _post(self, request: ChatRequest) -> tuple[Any, CallInProgress]:
        def send(client: openai.AsyncOpenAI) -> Awaitable[Any]:
            arguments = _arguments(request, self.endpoint, self.capabilities.format)
            return client.chat.completions.create(**arguments)

        return await self._attempt(request, send)

    async def _attempt(
        self, request: ChatRequest, send: Callable[[openai.AsyncOpenAI], Awaitable[Any]]
    ) -> tuple[Any, CallInProgress]:
        """Send until it is answered, or nothing is left to learn and no retry either."""
        client = self._opened
        if client is None:
            client = await asyncio.to_thread(self._open)
        retries = 0
        while True:
            started = await self._pace.start() if self._pace else 0.0
            call = self.log.begin(request.stage, request.prompt_version, self.endpoint.model)
            call.until = request.until or call.started + self.endpoint.longest_call
            sent = self.capabilities.format
            try:
                async with asyncio.timeout_at(call.until):
                    answer = await send(client)
                    if self._pace:
                        self._pace.answered()
                    return answer, call
            except TimeoutError:
                raise self._failed(call, failures.overdue(self.endpoint)) from None
            except asyncio.CancelledError:
                call.end("cancelled")
                raise
            except failures.causes() as error:
                failure = failures.explain(error, self.endpoint)
            if self._learned_from(failure, request, sent) or self._slows_all(failure, started):
                self._log_failure(call, failure)
            elif retries < RETRIES and not request.optional and _in_time(failure, call):
                self._log_failure(call, failure)
                retries += 1
                await self._wait(failure, retries)
            else:
                raise self._failed(call, failure)

    def _slows_all(self, failure: Failure, started: float) -> bool:
        """All calls are held back, and this one is to be sent again after that."""
        busy = failure.word == "http 429" or failure.server_named_wait
        if self._pace is None or not busy or failure.wait is None:
            return False
        return self._pace.refused(started, failure.wait)

    def _learned_from(self, failure: Failure, request: ChatRequest, sent: RequestFormat) -> bool:
        """The next try will differ from the refused request, which was sent in this format."""
        if failure.word not in _TEACHING:
            return False
        if sent != self.capabilities.format:  # learned from a concurrent request
            return True
        return self.capabilities.learn(
            failure.said,
            structured=request.schema is not None,
            crashed=failure.word == "http 500",
        )

    async def _wait(self, failure: Failure, attempt: int) -> None:
        seconds = failure.wait or 0.0
        if not failure.server_named_wait:
            seconds *= 2 ** (attempt - 1) * random.uniform(1.0, 1.25)
        if self.on_retry:
            self.on_retry(Retrying(attempt, RETRIES, seconds, failure.message))
        await sleep(seconds)

    def _log_failure(self, call: CallInProgress, failure: Failure) -> None:
        call.end(failure.word, failures.redacted(failure.said, self.endpoint))

    def _useless(self, call: ModelCall, failure: Failure) -> ExaminerError:
        """The error for a whole reply that brought nothing."""
        self.log.correct(call, failure.word, failures.redacted(failure.said, self.endpoint))
        return ExaminerError(failure.message, retryable=failure.retryable)

    def _failed(self, call: CallInProgress, failure: Failure) -> ExaminerError:
        self._log_failure(call, failure)
        return ExaminerError(failure.message, retryable=failure.retryable)


def _in_time(failure: Failure, call: CallInProgress) -> bool:
    """There is something to wait for, and then still time for another try."""
    return failure.wait is not None and monotonic() + failure.wait < call.until


def connect(endpoint: Endpoint) -> openai.AsyncOpenAI:
    """A connection to it. Raises ExaminerError where the settings cannot do."""
    _check_settings(endpoint)
    import httpx2
    import openai

    from interviewer.examiner.llm.transport import new_client

    try:
        client = endpoint.http_client or new_client(proxies=not endpoint.is_local)
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        message = "HTTP_PROXY, HTTPS_PROXY or ALL_PROXY cannot be used: write http://HOST:PORT."
        raise ExaminerError(message) from error
    return openai.AsyncOpenAI(
        api_key=endpoint.key or PLACEHOLDER_KEY,
        base_url=endpoint.url,
        timeout=openai.Timeout(endpoint.timeout, connect=min(CONNECT_SECONDS, endpoint.timeout)),
        max_retries=0,  # done here, where the screen can be told and timeouts are not repeated
        http_client=client,  # type: ignore[arg-type]
    )


def _check_settings(endpoint: Endpoint) -> None:
    """Refuse what would fail later with an obscure error, or with one that shows the key."""
    if not is_usable(endpoint.url):
        raise ExaminerError(
            f"OPENAI_BASE_URL is {endpoint.address!r}, which is no web address: write it like "
            "http://localhost:11434/v1."
        )
    if endpoint.base_url is None and not endpoint.key:
        raise ExaminerError(
            "No key is set for OpenAI: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server."
        )
    if endpoint.key and not (endpoint.key.isascii() and endpoint.key.isprintable()):
        raise ExaminerError(
            "OPENAI_API_KEY holds characters that no key has, such as a line break: copy it again."
        )
