"""What a failed call means: a word for the log, a sentence for people, and whether to try again."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from time import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.web_address import secrets_in, without_password

if TYPE_CHECKING:
    import openai

    from interviewer.examiner.llm.transport import Refused

LOADING_WAIT, RATE_LIMIT_WAIT, TROUBLE_WAIT = 5.0, 2.0, 0.5
"""Seconds before the first retry, unless the server names some; doubled for the second."""
LONGEST_WAIT = 60.0
"""If a server asks for more, the call fails at once."""
DETAIL_CHARACTERS = 200
MOST_CHARACTERS_READ = 50 * DETAIL_CHARACTERS
"""Of which the line is made: a long text has so many words that they take fifty times its size."""
SHORTEST_SECRET = 4
"""Characters; what is shorter, such as a number in a query, stands in ordinary words too."""

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
    """For people: what, where, what to do."""
    retryable: bool = True
    wait: float | None = None
    """Seconds before the same request is retried automatically; None if it is not."""
    server_named_wait: bool = False
    said: str = ""
    """The server's own words in full. They may hold anything: never show or log them as is."""


def causes() -> tuple[type[Exception], ...]:
    """What openai, its HTTP client and a JSON decoder raise for a call that brings nothing.

    openai lets some of it through: the client's errors where a body is read here, and the decoder's
    RecursionError for brackets nested by the thousand.
    """
    import httpx2
    import openai

    return openai.OpenAIError, httpx2.HTTPError, ValueError, RecursionError


def explain(error: Exception, endpoint: Endpoint) -> Failure:
    """The failure behind one of the :func:`causes`."""
    import httpx2
    import openai

    from interviewer.examiner.llm.transport import Refused

    for cause in _chain(error):
        if isinstance(cause, Refused):
            return _refused(cause, endpoint)
    match error:
        case openai.APITimeoutError() | httpx2.TimeoutException():
            return _timeout(error, endpoint)
        case openai.APIConnectionError() | httpx2.HTTPError():
            return _connection(error, endpoint)
        case openai.APIStatusError():
            return _status(error, endpoint)
        case openai.APIError():
            return _error_event(error, endpoint)
        case _:
            return no_chat_reply(endpoint, str(error))


def while_answering(error: Exception, endpoint: Endpoint, *, begun: bool) -> Failure:
    """As :func:`explain`, for an error after the server had accepted the request."""
    failure = explain(error, endpoint)
    if begun and failure.word in ("connection", "no chat reply"):
        return replace(broken_off(endpoint), said=failure.said)
    return failure


def no_chat_reply(endpoint: Endpoint, got: str) -> Failure:
    """HTTP 200 with something other than a chat reply: a web page, damaged JSON."""
    message = (
        f"{endpoint.address} answers with something other than a chat reply: try again, or check "
        "OPENAI_BASE_URL, which usually ends in /v1."
    )
    return Failure("no chat reply", message, said=got)


def broken_off(endpoint: Endpoint) -> Failure:
    """The reply stopped in the middle."""
    return Failure(
        "broken stream", f"The reply from {endpoint.address} broke off half-way; try again."
    )


def declined(endpoint: Endpoint) -> Failure:
    """The model, or a filter in front of it, would not answer."""
    return Failure(
        "refused",
        f"{endpoint.model} or its content filter declined to answer; try again, or "
        "continue offline.",
    )


def empty(endpoint: Endpoint, *, reasoned: bool) -> Failure:
    """The reply has no text."""
    if reasoned:
        why = "spent its whole reply on reasoning and said nothing; turn its thinking off or down"
    else:
        why = "sent an empty reply; try again"
    return Failure("empty", f"{endpoint.model} {why}, or continue offline.")


def overdue(endpoint: Endpoint) -> Failure:
    """The server kept the call alive and did not finish."""
    message = (
        f"{endpoint.address} did not finish its reply within {endpoint.longest_call:g} seconds: "
        "try again, or set INTERVIEWER_TIMEOUT higher for a slow server."
    )
    return Failure("timeout", message)


def redacted(text: str, endpoint: Endpoint) -> str:
    """Someone else's words made fit for one line of the log: short, and without a secret.

    A server that refuses a request may repeat who asked, as it was sent or as it reads it.
    """
    secrets = (endpoint.key or "", *secrets_in(endpoint.url))
    forms = {form for each in secrets if len(each) >= SHORTEST_SECRET for form in _forms(each)}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, "[key]")
    text = _KEY_LIKE.sub("[key]", without_password(text))
    line = " ".join(text[:MOST_CHARACTERS_READ].split())
    return line if len(line) <= DETAIL_CHARACTERS else f"{line[:DETAIL_CHARACTERS]}…"


def _forms(secret: str) -> Iterator[str]:
    """The secret as it is, in an address and in a header."""
    yield from (secret, quote(secret), quote(secret, safe=""))
    yield b64encode(secret.encode()).decode().rstrip("=")


def _refused(reason: Refused, endpoint: Endpoint) -> Failure:
    from interviewer.examiner.llm import transport

    match reason:
        case transport.Elsewhere():
            message = (
                f"{endpoint.address} redirects to {reason}, and answers are sent only where you "
                "said: set OPENAI_BASE_URL to there if you trust it."
            )
            return Failure("redirect", message, retryable=False)
        case transport.Undecodable():
            message = (
                f"{endpoint.address} sends its reply compressed in a way that was not asked for: "
                "try again, or turn compression off there."
            )
            return Failure("no chat reply", message, said=str(reason))
        case _:
            message = (
                f"{endpoint.address} sends a reply without end, and it was stopped: try again, or "
                "check what answers there."
            )
            return Failure("endless", message)


def _timeout(error: Exception, endpoint: Endpoint) -> Failure:
    if any(type(e).__name__ in ("ConnectTimeout", "PoolTimeout") for e in _chain(error)):
        message = (
            f"Connecting to {endpoint.address} timed out: is the server running there, is it http "
            "or https, and is the network up?"
        )
    else:
        message = (
            f"{endpoint.address} sent nothing for {endpoint.timeout:g} seconds: try again, or set "
            "INTERVIEWER_TIMEOUT higher for a slow server."
        )
    return Failure("timeout", message)


def _connection(error: Exception, endpoint: Endpoint) -> Failure:
    said = " ".join(f"{type(e).__name__} {e}" for e in _chain(error))
    if _TLS.search(said):
        message = (
            f"No secure connection to {endpoint.address}: its certificate or protocol is not "
            "accepted; check https or http in OPENAI_BASE_URL, and the date of this machine."
        )
        return Failure("tls", message, retryable=False, said=said)
    if _DNS.search(said):
        message = (
            f"The host name in {endpoint.address} cannot be resolved: check OPENAI_BASE_URL and "
            "the network."
        )
        return Failure("dns", message, said=said)
    if "TooManyRedirects" in said:
        message = (
            f"{endpoint.address} redirects in circles: check OPENAI_BASE_URL, which usually ends "
            "in /v1."
        )
        return Failure("redirect", message, retryable=False, said=said)
    if _REFUSED.search(said):
        message = f"Nothing accepts connections at {endpoint.address}: is the server running there?"
    else:
        message = f"The connection to {endpoint.address} failed or broke off; try again."
    return Failure("connection", message, wait=TROUBLE_WAIT, said=said)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its causes; an exception that was raised again may be its own cause."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _status(error: openai.APIStatusError, endpoint: Endpoint) -> Failure:
    said = _complaint(error)
    status, word = error.status_code, f"http {error.status_code}"
    if status in (401, 403):
        return Failure(word, _key_refused(status, endpoint), retryable=False, said=said)
    if status == 404:
        message = (
            f"{endpoint.address} has no chat endpoint or no model {endpoint.model!r} (HTTP 404): "
            "check OPENAI_BASE_URL, which usually ends in /v1, and INTERVIEWER_MODEL."
        )
        return Failure(word, message, retryable=False, said=said)
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
    reason = redacted(said, endpoint) or "no reason given"
    message = f"{endpoint.address} rejects the request ({word}): {reason}"
    return Failure(word, message, retryable=status in (408, 409), said=said)


def _key_refused(status: int, endpoint: Endpoint) -> str:
    if not endpoint.key:
        return (
            f"{endpoint.address} wants a key (HTTP {status}) and none is set: set OPENAI_API_KEY."
        )
    if status == 403:
        return (
            f"{endpoint.address} does not let this key use {endpoint.model} (HTTP 403): check the "
            "rights of OPENAI_API_KEY, or name another model in INTERVIEWER_MODEL."
        )
    return f"{endpoint.address} does not accept the key (HTTP {status}): check OPENAI_API_KEY."


def _rate_limited(error: openai.APIStatusError, endpoint: Endpoint, said: str) -> Failure:
    if _NO_CREDIT.search(said):
        message = (
            f"The account behind the key has no credit left at {endpoint.address} (HTTP 429): top "
            "it up, or continue offline."
        )
        return Failure("http 429", message, retryable=False, said=said)
    asked = _retry_after(error.response.headers)
    when = f"in {asked:.0f} seconds" if asked else "in a moment"
    message = f"{endpoint.address} is limiting requests (HTTP 429): try again {when}."
    return _waiting("http 429", message, asked, RATE_LIMIT_WAIT, said)


def _server_trouble(error: openai.APIStatusError, endpoint: Endpoint, said: str) -> Failure:
    asked = _retry_after(error.response.headers)
    if error.status_code == 503 and _LOADING.search(said):
        message = f"The server at {endpoint.address} is still loading the model; try again soon."
        return _waiting("loading", message, asked, LOADING_WAIT, said)
    word = f"http {error.status_code}"
    message = (
        f"The server at {endpoint.address} failed (HTTP {error.status_code}): try again later, or "
        "continue offline."
    )
    return _waiting(word, message, asked, TROUBLE_WAIT, said)


def _waiting(word: str, message: str, asked: float | None, otherwise: float, said: str) -> Failure:
    """A failure that is retried after the wait that the server asked for, if it is not too long."""
    wait = otherwise if asked is None else asked
    return Failure(
        word,
        message,
        wait=wait if wait <= LONGEST_WAIT else None,
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
    said = _complaint(error)
    if _CONTEXT.search(said):
        return _too_long(endpoint, said)
    message = f"{endpoint.address} failed while answering: {redacted(said, endpoint)}"
    return Failure("broken stream", message, said=said)


def _complaint(error: openai.APIError) -> str:
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


def _retry_after(headers: Any) -> float | None:
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
