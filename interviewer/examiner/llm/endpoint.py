"""Where the model is, what its server turned out not to support, and what a failure means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from enum import StrEnum
from time import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from interviewer.errors import SettingsError

if TYPE_CHECKING:
    import openai

    from interviewer.settings import Settings


OPENAI_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-5-mini"
"""For OpenAI's own endpoint when no model is named; other servers list theirs."""


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible server and the model to use there."""

    base_url: str | None
    """As http://localhost:11434/v1; None is OpenAI's own."""
    key: str | None = field(repr=False)
    """None for a server that wants none."""
    model: str
    timeout: float = 120.0
    """Seconds without a byte from the server before a call counts as failed."""
    extra_body: Mapping[str, object] = field(default_factory=dict, hash=False)
    """Further fields for every chat request, for what is special to a server."""
    http_client: object | None = field(default=None, repr=False, compare=False)
    """An httpx-like asynchronous client to use instead of openai's own."""

    @property
    def url(self) -> str:
        """The address that requests go to."""
        return self.base_url or OPENAI_URL

    @property
    def address(self) -> str:
        """The address for people to read: without a password or a query that may hold one."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))

    @property
    def is_openai(self) -> bool:
        """OpenAI's own host, where the newer parameter names hold."""
        return urlsplit(self.url).hostname == urlsplit(OPENAI_URL).hostname


def endpoint_of(settings: Settings) -> Endpoint:
    """The endpoint that the settings describe.

    Raises SettingsError when none is configured, or a server other than OpenAI's without a model.
    """
    if not settings.endpoint_configured:
        raise SettingsError(
            "No endpoint is configured for the LLM examiner: set OPENAI_API_KEY, or "
            "OPENAI_BASE_URL for a server of your own, or use the offline examiner."
        )
    model = settings.model or (None if settings.base_url else DEFAULT_MODEL)
    if model is None:
        raise SettingsError(
            f"No model is named for {settings.base_url}: set INTERVIEWER_MODEL to one that the "
            "server offers, or use the offline examiner."
        )
    return Endpoint(settings.base_url, settings.api_key, model, settings.timeout)


LOADING_WAIT, RATE_LIMIT_WAIT, TROUBLE_WAIT = 5.0, 2.0, 0.5
"""Seconds before the first further try, where the server does not say; doubled for the second."""
LONGEST_WAIT = 60.0
"""A server that asks for more is not waited for."""
DETAIL_CHARACTERS = 200

_CONTEXT = re.compile(
    r"context.{0,20}(length|size|window)|maximum context|exceeds?.{0,30}context"
    r"|prompt is too long|too many (input )?tokens",
    re.IGNORECASE | re.DOTALL,
)
_FILTERED = re.compile(
    r"content.?(filter|management|policy)|safety (system|filter)|moderation", re.IGNORECASE
)
_NO_CREDIT = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)
_LOADING = re.compile(r"loading|starting|warming", re.IGNORECASE)
_TLS = re.compile(r"certificate|\bssl\b|\btls\b|wrong version number", re.IGNORECASE)
_DNS = re.compile(
    r"name or service not known|name resolution|getaddrinfo|nodename nor servname"
    r"|no address associated",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"refused|all connection attempts failed|unreachable", re.IGNORECASE)
_KEY_LIKE = re.compile(r"\b(sk-|Bearer )[\w*.-]{6,}")


@dataclass(frozen=True)
class Failure:
    """Why a call brought nothing usable."""

    word: str
    """For the call log."""
    message: str
    """For the person: what, where, what to do."""
    retryable: bool = True
    wait: float | None = None
    """Seconds before the same request is sent again unasked; None: it is not."""
    server_named_wait: bool = False
    said: str = ""
    """The server's own words, in full: may hold anything, never shown or logged as it is."""


def explain(error: Exception, endpoint: Endpoint) -> Failure:
    """The failure behind an exception of openai, its HTTP client or a JSON decoder."""
    import openai

    match error:
        case openai.APITimeoutError():
            return _timeout(error, endpoint)
        case openai.APIConnectionError():
            return _connection(error, endpoint)
        case openai.APIStatusError():
            return _status(error, endpoint)
        case openai.APIError():
            return _error_event(error, endpoint)
        case _:
            return no_chat_reply(endpoint, str(error))


def no_chat_reply(endpoint: Endpoint, got: str) -> Failure:
    """HTTP 200 with something that a chat endpoint does not send: a web page, damaged JSON."""
    message = (
        f"{endpoint.address} answers with something that is no chat reply: try again, or check "
        "OPENAI_BASE_URL, which usually ends in /v1."
    )
    return Failure("no chat reply", message, said=got)


def broken_off(endpoint: Endpoint) -> Failure:
    """The reply stopped in the middle."""
    return Failure(
        "broken stream", f"The reply from {endpoint.address} broke off half-way; try again."
    )


def declined(endpoint: Endpoint) -> Failure:
    """The model, or a filter before it, would not answer."""
    return Failure(
        "refused",
        f"{endpoint.model} or its content filter declined to answer; try again, or go on offline.",
    )


def empty(endpoint: Endpoint, *, reasoned: bool) -> Failure:
    """Nothing to read in the reply."""
    if reasoned:
        why = "spent its whole reply on reasoning and said nothing; switch its thinking off or down"
    else:
        why = "sent an empty reply; try again"
    return Failure("empty", f"{endpoint.model} {why}, or go on offline.")


def while_answering(error: Exception, endpoint: Endpoint, *, begun: bool) -> Failure:
    """The same as :func:`explain`, after the server had accepted the request."""
    failure = explain(error, endpoint)
    if begun and failure.word in ("connection", "no chat reply"):
        return replace(broken_off(endpoint), said=failure.said)
    return failure


def redacted(text: str, endpoint: Endpoint) -> str:
    """Someone else's words made fit for one line of the log: short, and without the key."""
    if endpoint.key:
        text = text.replace(endpoint.key, "[key]")
    line = " ".join(_KEY_LIKE.sub("[key]", text).split())
    return line if len(line) <= DETAIL_CHARACTERS else f"{line[:DETAIL_CHARACTERS]}…"


def _timeout(error: openai.APITimeoutError, endpoint: Endpoint) -> Failure:
    if any(type(e).__name__ in ("ConnectTimeout", "PoolTimeout") for e in _chain(error)):
        message = (
            f"No connection to {endpoint.address} came about in time: is the server running there, "
            "is it http or https, and is the network up?"
        )
    else:
        message = (
            f"{endpoint.address} sent nothing for {endpoint.timeout:g} seconds: try again, or set "
            "INTERVIEWER_TIMEOUT higher for a slow server."
        )
    return Failure("timeout", message)


def _connection(error: openai.APIConnectionError, endpoint: Endpoint) -> Failure:
    told = " ".join(f"{type(e).__name__} {e}" for e in _chain(error))
    if _TLS.search(told):
        return Failure(
            "tls",
            f"No secure connection to {endpoint.address}: its certificate or protocol is not "
            "accepted; check https or http in OPENAI_BASE_URL, and the date of this machine.",
            retryable=False,
            said=told,
        )
    if _DNS.search(told):
        return Failure(
            "dns",
            f"The host name in {endpoint.address} cannot be resolved: check OPENAI_BASE_URL and "
            "the network.",
            said=told,
        )
    if _REFUSED.search(told):
        return Failure(
            "connection",
            f"Nothing accepts connections at {endpoint.address}: is the server running there?",
            wait=TROUBLE_WAIT,
            said=told,
        )
    return Failure(
        "connection",
        f"The connection to {endpoint.address} failed or broke off; try again.",
        wait=TROUBLE_WAIT,
        said=told,
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what lay behind it; an exception raised again may lie behind itself."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _status(error: openai.APIStatusError, endpoint: Endpoint) -> Failure:
    said = complaint(error)
    status, word = error.status_code, f"http {error.status_code}"
    if status in (401, 403):
        return Failure(word, _key_refused(status, endpoint), retryable=False, said=said)
    if status == 404:
        return Failure(word, _not_found(endpoint), retryable=False, said=said)
    if status == 429:
        return _rate_limited(error, endpoint, said)
    if _CONTEXT.search(said) or status == 413:
        return _too_long(endpoint, said)
    if status < 500 and _FILTERED.search(said):
        return declined(endpoint)
    if status >= 500:
        return _server_trouble(error, endpoint, said)
    if status < 400:
        message = f"{endpoint.address} redirects elsewhere ({word}): set OPENAI_BASE_URL to there."
        return Failure(word, message, retryable=False, said=said)
    told = redacted(said, endpoint)
    message = f"{endpoint.address} rejects the request ({word}): {told or 'no reason given'}"
    return Failure(word, message, retryable=status in (408, 409), said=said)


def _key_refused(status: int, endpoint: Endpoint) -> str:
    if not endpoint.key:
        return (
            f"{endpoint.address} asks for a key (HTTP {status}) and there is none: set "
            "OPENAI_API_KEY."
        )
    if status == 403:
        return (
            f"{endpoint.address} does not let this key use {endpoint.model} (HTTP 403): check the "
            "rights of OPENAI_API_KEY, or name another model in INTERVIEWER_MODEL."
        )
    return f"{endpoint.address} does not accept the key (HTTP {status}): check OPENAI_API_KEY."


def _not_found(endpoint: Endpoint) -> str:
    return (
        f"{endpoint.address} knows no chat or no model {endpoint.model!r} (HTTP 404): check "
        "OPENAI_BASE_URL, which usually ends in /v1, and INTERVIEWER_MODEL."
    )


def _rate_limited(error: openai.APIStatusError, endpoint: Endpoint, said: str) -> Failure:
    if _NO_CREDIT.search(said):
        message = (
            f"The account behind the key has no credit left at {endpoint.address} (HTTP 429): top "
            "it up, or go on offline."
        )
        return Failure("http 429", message, retryable=False, said=said)
    asked = retry_after(error.response.headers)
    when = f"in {asked:.0f} seconds" if asked else "in a moment"
    return Failure(
        "http 429",
        f"{endpoint.address} takes no more requests for now (HTTP 429): try again {when}.",
        wait=_bearable(asked, RATE_LIMIT_WAIT),
        server_named_wait=asked is not None,
        said=said,
    )


def _server_trouble(error: openai.APIStatusError, endpoint: Endpoint, said: str) -> Failure:
    asked = retry_after(error.response.headers)
    loading = error.status_code == 503 and bool(_LOADING.search(said))
    if loading:
        message = f"The server at {endpoint.address} is still loading the model; try again soon."
    else:
        message = (
            f"{endpoint.address} has trouble of its own (HTTP {error.status_code}): try again "
            "later, or go on offline."
        )
    return Failure(
        "loading" if loading else f"http {error.status_code}",
        message,
        wait=_bearable(asked, LOADING_WAIT if loading else TROUBLE_WAIT),
        server_named_wait=asked is not None,
        said=said,
    )


def _too_long(endpoint: Endpoint, said: str) -> Failure:
    message = (
        f"The conversation does not fit into the context of {endpoint.model} at "
        f"{endpoint.address}: give the server a larger context, or name another model."
    )
    return Failure("context", message, retryable=False, said=said)


def _error_event(error: openai.APIError, endpoint: Endpoint) -> Failure:
    said = complaint(error)
    if _CONTEXT.search(said):
        return _too_long(endpoint, said)
    told = redacted(said, endpoint)
    return Failure("broken stream", f"{endpoint.address} failed while answering: {told}", said=said)


def complaint(error: openai.APIError) -> str:
    """What the server said is wrong, without the request that some servers send back."""
    body: Any = error.body
    if isinstance(body, dict):
        parts = [body.get(name) for name in ("param", "code", "type", "message", "error")]
        parts += _details(body.get("detail"))
        return " ".join(str(part) for part in parts if isinstance(part, str | int) and part)
    return body if isinstance(body, str) else error.message


def _details(detail: object) -> list[object]:
    """FastAPI's list of problems, each with the place and what is wrong there."""
    if not isinstance(detail, list):
        return [detail]
    found: list[object] = []
    for problem in detail:
        if isinstance(problem, dict):
            place = problem.get("loc")
            found += place if isinstance(place, list) else []
            found.append(problem.get("msg"))
    return found


def retry_after(headers: Any) -> float | None:
    """The seconds that the server asks to wait; None where it does not say."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except ValueError:
        return None


def _bearable(asked: float | None, otherwise: float) -> float | None:
    if asked is None:
        return otherwise
    return asked if asked <= LONGEST_WAIT else None


class Structure(StrEnum):
    """How a JSON reply is asked for, best first. Every reply is validated here all the same."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


class Cap(StrEnum):
    """The name of the field that limits the reply."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"


Shape = tuple[Structure, Cap | None, bool, bool, bool, bool]
"""Of a request: how JSON is asked for, the cap's name, and four fields that are there or not."""

_STRUCTURE = re.compile(
    r"response_?format|json_schema|json_object|structured output|guided|grammar", re.IGNORECASE
)
_CAP = re.compile(r"max_(completion_)?tokens", re.IGNORECASE)
_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_STREAM_OPTIONS = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_STREAM = re.compile(r"\bstream(ing)?\b", re.IGNORECASE)
_ROLES = re.compile(
    r"\b(system|developer)\b['\"]? (role|messages?)\b|\broles?\b.{0,40}(alternat|support|allowed)"
    r"|(only|unsupported|unknown|invalid|unexpected).{0,30}\broles?\b",
    re.IGNORECASE | re.DOTALL,
)


@dataclass
class Capabilities:
    """What to send to one model at one address."""

    place: str
    structure: Structure = Structure.JSON_SCHEMA
    cap: Cap | None = Cap.MAX_TOKENS
    swapped_cap: bool = False
    temperature: bool = True
    streaming: bool = True
    stream_usage: bool = True
    separate_messages: bool = True
    """False: rules and data go into one user message."""
    thinks_aloud: bool = False
    """Replies begin with reasoning that only a closing tag ends."""
    cuts_prompts: str = ""
    """The counts that made it look so."""

    @property
    def shape(self) -> Shape:
        """All that decides which fields a request has."""
        return (
            self.structure,
            self.cap,
            self.temperature,
            self.streaming,
            self.stream_usage,
            self.separate_messages,
        )

    def learn(self, complaint: str, *, structured: bool, crashed: bool = False) -> bool:
        """Leave out what the refusal names; False where it names nothing that was sent.

        ``structured`` says whether the refused request asked for JSON. ``crashed`` is a refusal by
        HTTP 500, which is believed on grammars and chat templates only: those do crash servers.
        """
        asks_for_json = structured and self.structure is not Structure.PROMPT
        lessons: tuple[tuple[bool, re.Pattern[str], Callable[[], None]], ...] = (
            (asks_for_json, _STRUCTURE, self._step_down),
            (self.separate_messages, _ROLES, self._fold_messages),
            (self.stream_usage and not crashed, _STREAM_OPTIONS, self._drop_stream_usage),
            (self.cap is not None and not crashed, _CAP, self._change_cap),
            (self.temperature and not crashed, _TEMPERATURE, self._drop_temperature),
            (self.streaming and not crashed, _STREAM, self._drop_streaming),
        )
        for applies, named, lesson in lessons:
            if applies and named.search(complaint):
                lesson()
                return True
        return False

    def learned(self) -> tuple[str, ...]:
        """One sentence for each thing that had to be done differently."""
        lines = []
        if self.structure is Structure.JSON_OBJECT:
            lines.append(f"{self.place} takes no JSON schema; json_object is asked for instead.")
        if self.structure is Structure.PROMPT:
            lines.append(
                f"{self.place} takes no response_format; JSON is asked for in the prompt alone."
            )
        if self.cap is None:
            lines.append(f"{self.place} takes no token cap under either name; none is sent.")
        elif self.swapped_cap:
            lines.append(f"{self.place} wants the token cap as {self.cap}.")
        if not self.temperature:
            lines.append(f"{self.place} takes no temperature; its own default is used.")
        if not self.streaming:
            lines.append(f"{self.place} does not stream here; replies come whole.")
        if not self.stream_usage:
            lines.append(f"{self.place} takes no stream_options; token counts may be unknown.")
        if not self.separate_messages:
            lines.append(f"{self.place} takes user messages only; the rules go into the first.")
        if self.thinks_aloud:
            lines.append(f"{self.place} begins replies with its reasoning, which is cut off here.")
        if self.cuts_prompts:
            lines.append(
                f"{self.place} counted {self.cuts_prompts}: it may cut long prompts silently; "
                "give the model more context (Ollama: num_ctx in a Modelfile)."
            )
        return tuple(lines)

    def compare_prompt(self, counted: int | None, estimated: int) -> None:
        """Notice a server that counted far fewer prompt tokens than were sent."""
        if counted and estimated >= 1000 and counted < estimated // 2:
            self.cuts_prompts = f"{counted} prompt tokens of about {estimated}"

    def _step_down(self) -> None:
        schema = self.structure is Structure.JSON_SCHEMA
        self.structure = Structure.JSON_OBJECT if schema else Structure.PROMPT

    def _change_cap(self) -> None:
        if self.swapped_cap:
            self.cap = None
        else:
            old = self.cap
            self.cap = Cap.MAX_TOKENS if old is not Cap.MAX_TOKENS else Cap.MAX_COMPLETION_TOKENS
            self.swapped_cap = True

    def _drop_temperature(self) -> None:
        self.temperature = False

    def _drop_stream_usage(self) -> None:
        self.stream_usage = False

    def _drop_streaming(self) -> None:
        self.streaming = False

    def _fold_messages(self) -> None:
        self.separate_messages = False


_known: dict[tuple[str, str], Capabilities] = {}


def capabilities_of(endpoint: Endpoint) -> Capabilities:
    """What is known of this address and model, shared by all that use them."""
    key = (endpoint.url, endpoint.model)
    if key not in _known:
        cap = Cap.MAX_COMPLETION_TOKENS if endpoint.is_openai else Cap.MAX_TOKENS
        _known[key] = Capabilities(f"{endpoint.model} at {endpoint.address}", cap=cap)
    return _known[key]


def forget() -> None:
    """Start anew, as a new process would."""
    _known.clear()
