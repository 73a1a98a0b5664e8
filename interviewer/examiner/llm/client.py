"""Talks to the endpoint: connection, requests, retries, the log of calls."""

from __future__ import annotations

import asyncio
import random
import threading
from asyncio import sleep
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.request import getproxies

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import failures, replies
from interviewer.examiner.llm.endpoint import Endpoint, capabilities_of
from interviewer.examiner.llm.failures import Failure
from interviewer.examiner.llm.messages import Message, estimated_tokens
from interviewer.examiner.protocol import CallStage, ModelCall, Retrying
from interviewer.settings.web_address import is_usable, shown

if TYPE_CHECKING:
    import httpx2
    import openai

T = TypeVar("T")
RETRIES = 2
LOWERED = 3
"""How often the cap of a request is lowered."""
AFTER_THE_END = 2.0
"""Seconds in which a reply that is complete may still bring its token counts."""
MOST_CHARACTERS_PER_TOKEN = 8
"""A reply longer than its token cap allows for counts as cut off."""
PATIENCE = 600.0
"""Seconds of nothing but refusals after which a call gives up."""
LONGEST_ERROR = 64 << 10
"""Bytes of an error's body that are read: far more than the reason takes."""
CONNECT_SECONDS = 10.0
PLACEHOLDER_KEY = "none-needed"
"""openai insists on a key; local servers ignore it."""
_CODINGS = ("", "identity", "gzip", "deflate")


class Pace:
    """Lets so many calls be under way ``at_once``; one that is refused holds all of them back."""

    def __init__(
        self,
        at_once: int,
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clock, self._sleep = clock, sleep
        self.places = asyncio.Semaphore(at_once)
        self._answered, self._open_from = clock(), -inf

    async def start(self) -> None:
        """Wait until calls are no longer held back."""
        while (wait := self._open_from - self._clock()) > 0:
            await self._sleep(wait)

    def answered(self) -> None:
        """A call was not refused."""
        self._answered = self._clock()

    def refused(self, wait: float) -> bool:
        """Hold all calls back; False if they have been refused for so long that it is in vain."""
        now = self._clock()
        self._open_from = max(self._open_from, now + wait)
        return now - self._answered < PATIENCE


# -- the connection: no reply without end, none from somewhere else, one sentence each ---


class Elsewhere(Exception):
    """The server redirects to another origin, which is the argument."""


def connect(endpoint: Endpoint) -> openai.AsyncOpenAI:
    """A connection. Raises ExaminerError for settings that would fail later or show the key."""
    import openai

    key = endpoint.key or ""
    if not is_usable(endpoint.url):
        raise _unfit("no address", endpoint)
    if not (endpoint.base_url or key):
        raise _unfit("no key", endpoint)
    if not (key.isascii() and key.isprintable()):
        raise _unfit("odd key", endpoint)
    return openai.AsyncOpenAI(
        api_key=key or PLACEHOLDER_KEY,
        base_url=endpoint.url,
        timeout=openai.Timeout(
            endpoint.timeout, connect=min(CONNECT_SECONDS, endpoint.timeout / 2)
        ),
        max_retries=0,  # done by the client, where the screen can be told
        http_client=endpoint.http_client or new_client(endpoint),  # type: ignore[arg-type]
    )


def new_client(endpoint: Endpoint) -> httpx2.AsyncClient:
    """A client that bounds errors and redirects, else as openai's own. Raises ExaminerError."""
    import httpx2
    import openai

    try:
        return openai.DefaultAsyncHttpxClient(
            event_hooks={"request": [_ask_plain], "response": [_bound]},
            trust_env=not endpoint.is_local,  # no proxy for this machine
        )
    except OSError as error:
        raise _unfit("odd trust", endpoint, error.strerror or str(error)) from error
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        proxies = {name: getproxies().get(name) for name in ("http", "https", "all")}
        named = [f"{name.upper()}_PROXY ({shown(url)})" for name, url in proxies.items() if url]
        which = " or ".join(named) or "The proxy of this machine"
        kind = "socks proxy" if isinstance(error, ImportError) else "odd proxy"
        raise _unfit(kind, endpoint, which) from error


def _unfit(kind: str, endpoint: Endpoint, why: str = "") -> ExaminerError:
    return ExaminerError(failures.of(kind, endpoint, why=why).message)


async def _ask_plain(request: httpx2.Request) -> None:
    request.headers["Accept-Encoding"] = "identity"


async def _bound(response: httpx2.Response) -> None:
    """Of an error keep the beginning: openai reads whatever comes, and follows where it is sent.

    Raises Elsewhere, and DecodingError for a coding that nobody asked for.
    """
    import httpx2

    if response.has_redirect_location:
        target = response.request.url.join(response.headers["location"])
        if _origin(target) != _origin(response.request.url):
            raise Elsewhere(_origin(target))
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding not in _CODINGS:
        raise httpx2.DecodingError(coding, request=response.request)
    if response.is_error:
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        begun = b""
        async with aclosing(response.stream):
            async for data in response.stream:
                begun += data
                if len(begun) > LONGEST_ERROR:
                    break
        response.stream = httpx2.ByteStream(begun)


def _origin(url: httpx2.URL) -> str:
    return str(url.copy_with(raw_path=b"/", userinfo=b"", fragment=None)).rstrip("/")


# -- requests ------------------------------------------------------------------------


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


def _arguments(request: ChatRequest, endpoint: Endpoint, use: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments for openai's ``chat.completions.create``."""
    messages = request.messages if use["separate_messages"] else _folded(request.messages)
    fields: dict[str, Any] = {
        "model": endpoint.model,
        "messages": [{"role": m.role, "content": m.content} for m in messages],
        "stream": use["streaming"],
    }
    if use["streaming"] and use["stream_usage"]:
        fields["stream_options"] = {"include_usage": True}
    if use["cap"]:
        fields[use["cap"]] = request.cap
    if use["temperature"]:
        fields["temperature"] = request.temperature
    if request.schema is not None and use["structure"]:
        fields["response_format"] = {"type": use["structure"]}
        if use["structure"] == "json_schema":
            named = {"name": "reply", "strict": True, "schema": dict(request.schema)}
            fields["response_format"]["json_schema"] = named
    if endpoint.extra_body:
        fields["extra_body"] = dict(endpoint.extra_body)
    return fields


def _folded(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    by_role = groupby(messages, lambda each: each.role == "assistant")
    return tuple(
        Message("assistant" if is_own else "user", "\n\n".join(each.content for each in group))
        for is_own, group in by_role
    )


@dataclass
class CallInProgress:
    """A request under way, with its entry for the log."""

    entry: ModelCall
    started: float = field(default_factory=monotonic)
    heard: bool = False
    """Some byte has come."""

    def note(self, part: replies.Part) -> None:
        """Keep the model and token counts that a part names, and when text came."""
        told: dict[str, Any] = dict(part.usage)
        if part.model:
            told["model"] = part.model
        if part.text and self.entry.first_token_milliseconds is None:
            told["first_token_milliseconds"] = self.elapsed
        self.entry = replace(self.entry, **told) if told else self.entry

    async def listening(self, body: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
        """The body as it comes."""
        async for data in body:
            self.heard = True
            yield data

    @property
    def elapsed(self) -> int:
        """Milliseconds since it began."""
        return round((monotonic() - self.started) * 1000)


class CallLog:
    """The calls since it was last drained, oldest first."""

    def __init__(self) -> None:
        self._calls: list[ModelCall] = []

    def end(self, call: CallInProgress, outcome: str, detail: str = "") -> ModelCall:
        """Write the entry of a call that is over."""
        entry = replace(call.entry, outcome=outcome, detail=detail, milliseconds=call.elapsed)
        self._calls.append(entry)
        return entry

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
    """Chat Completions at one endpoint; clients that share a ``pace`` are slowed together."""

    def __init__(self, endpoint: Endpoint, *, pace: Pace | None = None) -> None:
        self.endpoint = endpoint
        self._pace = pace
        self.capabilities = capabilities_of(endpoint)
        self.log = CallLog()
        self.on_retry: Callable[[Retrying], None] | None = None
        """Called before a retry."""
        self._opening = threading.Lock()
        self._opened: openai.AsyncOpenAI | None = None

    async def complete(self, request: ChatRequest) -> tuple[replies.Reply, ModelCall]:
        """The reply with its log entry; once more, with twice the cap. Raises ExaminerError."""
        return await self._roomy(request, lambda reply: reply.cut_off and not reply.rambled)

    async def speak(self, request: ChatRequest) -> str:
        """The words of the reply, up to its longest. Raises ExaminerError if there are none."""

        def is_all_reasoning(reply: replies.Reply) -> bool:
            hidden = self.capabilities.thinks_aloud and not reply.unopened_thinking
            return reply.cut_off and not reply.refused and (hidden or not reply.text)

        reply, call = await self._roomy(request, is_all_reasoning)
        if reply.text and not reply.refused and not is_all_reasoning(reply):
            return reply.text[: request.longest]
        kind = "reasoned" if reply.reasoned or reply.cut_off else "empty"
        kind = "refused" if reply.refused else kind
        failure = failures.of(kind, self.endpoint, why=reply.refused)
        self.log.correct(call, failure.word)
        raise ExaminerError(failure.message, retryable=True)

    async def _roomy(
        self, request: ChatRequest, lacks: Callable[[replies.Reply], bool]
    ) -> tuple[replies.Reply, ModelCall]:
        """The reply, asked for again with twice the cap if something is lacking."""
        reply, call = await self._whole_reply(request)
        if lacks(reply):
            self.log.correct(call, "cut off")
            reply, call = await self._whole_reply(replace(request, cap=2 * request.cap))
        return reply, call

    async def models(self) -> tuple[str, ...]:
        """The model ids that the endpoint lists. Raises ExaminerError, also if it has no list."""

        async def listed(
            client: openai.AsyncOpenAI, call: CallInProgress, _: ChatRequest
        ) -> tuple[str, ...]:
            async with client.models.with_streaming_response.list() as response:
                async for value in replies.values_of(
                    call.listening(response.iter_bytes()), replies.Values()
                ):
                    entries = value.get("data") if isinstance(value, dict) else value
                    if isinstance(entries, list):
                        ids = [entry.get("id") for entry in entries if isinstance(entry, dict)]
                        return tuple(each for each in ids if isinstance(each, str))
                    raise replies.NoReply(replies.words_of(value)[0])
            raise replies.NoReply("")

        found, call = await self._attempt(ChatRequest("check", "models", (), 0, 0.0, 0), listed)
        self.log.end(call, "ok")
        return found

    async def aclose(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            await self._opened.close()
            self._opened = None

    def _open(self) -> openai.AsyncOpenAI:
        """The connection. Raises ExaminerError, whatever is wrong with it."""
        with self._opening:
            try:
                self._opened = self._opened or connect(self.endpoint)
                return self._opened
            except ExaminerError:
                raise
            except Exception as error:
                raise ExaminerError(failures.explain(error, self.endpoint).message) from error

    async def _whole_reply(self, request: ChatRequest) -> tuple[replies.Reply, ModelCall]:
        async with self._pace.places if self._pace else nullcontext():
            whole, call = await self._attempt(request, self._chat)
        reply = replies.as_reply(whole, request.longest)
        if reply.refused:
            reply = replace(reply, refused=failures.redacted(reply.refused, self.endpoint))
        self.capabilities.compare_prompt(
            call.entry.prompt_tokens, estimated_tokens(request.messages)
        )
        self.capabilities.thinks_aloud |= reply.unopened_thinking
        return reply, self.log.end(call, "ok")

    async def _chat(
        self, client: openai.AsyncOpenAI, call: CallInProgress, request: ChatRequest
    ) -> replies.Part:
        """All parts of the reply. Raises whatever the server makes of it."""
        arguments = _arguments(request, self.endpoint, self.capabilities.format)
        asking = client.chat.completions.with_streaming_response.create(**arguments)
        whole, count = replies.Part(), 0
        async with (
            asking as response,
            aclosing(replies.parts_of(call.listening(response.iter_bytes()))) as parts,
        ):
            while not (rambles := replies.rambles(whole.text, request.longest)):
                try:
                    async with asyncio.timeout(AFTER_THE_END if whole.finish else None):
                        part = await anext(parts, None)
                except Exception:
                    if whole.finish is None:
                        raise
                    break  # it is complete, however the connection ends
                if part is None:
                    break
                call.note(part)
                whole += part
                count = max(count + 1, len(whole.text))
                if count > request.cap * MOST_CHARACTERS_PER_TOKEN:  # it ignores the cap
                    return replace(whole, finish="length")
        if not (whole.finish or rambles or replies.is_whole(whole)):
            raise replies.BrokenOff
        return whole

    async def _attempt(
        self,
        request: ChatRequest,
        send: Callable[[openai.AsyncOpenAI, CallInProgress, ChatRequest], Awaitable[T]],
    ) -> tuple[T, CallInProgress]:
        """Send until it is answered, or nothing is left to learn and no retry either."""
        until = None if self._pace else monotonic() + self.endpoint.timeout
        client = await asyncio.to_thread(self._open)
        retries = lowered = 0
        while True:
            if self._pace:
                await self._pace.start()
            entry = ModelCall(request.stage, request.prompt_version, self.endpoint.model, "", 0)
            call = CallInProgress(entry)
            ends = until or call.started + self.endpoint.timeout
            sent = self.capabilities.format
            try:
                async with asyncio.timeout_at(ends):
                    answer = await send(client, call, request)
                if self._pace:
                    self._pace.answered()
                return answer, call
            except TimeoutError:
                failure = failures.of("late" if call.heard else "timeout", self.endpoint)
            except asyncio.CancelledError:
                self.log.end(call, "cancelled")
                raise
            except Exception as error:  # noqa: BLE001  (whatever it is, the interview goes on)
                begun = call.entry.first_token_milliseconds is not None
                failure = failures.explain(error, self.endpoint, begun=begun)
            self.log.end(call, failure.word, failures.redacted(failure.said, self.endpoint))
            may_be_lowered = sent["cap"] and not failure.is_busy
            cap = failures.lowered_cap(failure.said, request.cap) if may_be_lowered else None
            if cap and lowered < LOWERED:
                request, lowered = replace(request, cap=cap), lowered + 1
                continue
            if self._learned_from(failure, request, sent) or self._slows_all(failure):
                continue
            is_in_time = failure.wait is not None and monotonic() + failure.wait < ends
            if retries == RETRIES or request.optional or not is_in_time:
                raise ExaminerError(failure.message, retryable=failure.retryable)
            retries += 1
            await self._wait(failure, retries)

    def _slows_all(self, failure: Failure) -> bool:
        if self._pace is None or not failure.is_busy or failure.wait is None:
            return False
        return self._pace.refused(failure.wait)

    def _learned_from(
        self, failure: Failure, request: ChatRequest, sent: Mapping[str, Any]
    ) -> bool:
        """The next try will differ from the refused request, which was sent in this format."""
        learned_meanwhile = sent != self.capabilities.format  # from a concurrent request
        structured, crashed = request.schema is not None, failure.status >= 500
        learn = self.capabilities.learn
        return failure.teaches and (
            learned_meanwhile or learn(failure.said, structured=structured, crashed=crashed)
        )

    async def _wait(self, failure: Failure, attempt: int) -> None:
        seconds = failure.wait or 0.0
        if not failure.server_named_wait:
            seconds *= 2 ** (attempt - 1) * random.uniform(1.0, 1.25)
        if self.on_retry:
            self.on_retry(Retrying(attempt, RETRIES, seconds, failure.message))
        await sleep(seconds)


async def ask_for(
    client: ChatClient, request: ChatRequest, read: Callable[[str], replies.Read[T]]
) -> tuple[replies.Read[T], replies.Reply]:
    """Ask once, and note in the log what of the reply cannot be used. Raises ExaminerError."""
    reply, call = await client.complete(request)
    found = read("" if reply.refused else reply.text)
    if found.problems:
        found = _explained(found, reply)
        detail = failures.redacted("; ".join(found.problems), client.endpoint)
        client.log.correct(call, found.outcome, detail)
    return found, reply


def _explained(found: replies.Read[T], reply: replies.Reply) -> replies.Read[T]:
    """With a better reason than the reader could know."""
    if reply.refused:
        return replies.Read(found.value, (reply.refused,), "refused")
    if reply.text and (not reply.cut_off or found.outcome != "unparsable"):
        return found
    if reply.text:
        return replies.Read(found.value, ("it ran into its length limit",), "cut off")
    reasoned = reply.reasoned or reply.cut_off
    why = "it holds reasoning and no answer" if reasoned else "it is empty"
    return replies.Read(found.value, (why,), "empty")
