"""What a failed call means: a word for the log, a sentence for people, and whether to try again.

What the server says counts before its status: both are looked up in ``failures.yaml``.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import cache
from math import ceil
from time import time
from typing import Any
from urllib.parse import quote

from interviewer.examiner.llm.endpoint import Endpoint, found
from interviewer.examiner.llm.replies import PAGE, Complaint, NoReply, values_in, words_of
from interviewer.rubric.text import table
from interviewer.settings.web_address import proxy_of, secrets_in, without_password

LONGEST_WAIT = 90.0
"""Seconds; if a server asks for more, the call fails at once."""
SMALLEST_CAP = 64
"""Tokens; a reply with less room says nothing."""
DETAIL_CHARACTERS = 300
MOST_CHARACTERS_READ = 50 * DETAIL_CHARACTERS
"""Of what is said: a long text has so many words that they take fifty times its size."""
SHORTEST_SECRET = 4
"""Characters; what is shorter, such as a number in a query, stands in ordinary words too."""

_SIZES = (0.001, 1, 60, 3600, 86_400)
_DURATION = (
    r"(\d+(?:\.\d+)?)\s*(?:(ms|milli\w*)|(s|secs?|seconds?|秒)|(m|mins?|minutes?|分钟?)"
    r"|(h|hrs?|hours?|小时)|(d|days?|天))(?![a-z])"
)
_TOLD_WAIT = re.compile(
    rf"(?:(?:again|retry|wait|available|resets?)\b|请)[^\d.;!?]{{0,40}}((?:{_DURATION}[\s,and]*)+)",
    re.IGNORECASE,
)
_KEY_LIKE = re.compile(r"\b(sk-|Bearer )[\w*.-]{6,}|[\w.-]{0,60}\*{3,}[\w.-]{0,60}")


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
    status: int = 200
    teaches: bool = False
    """The words may name what the server does not take."""

    @property
    def is_busy(self) -> bool:
        """It is the pace that the server minds."""
        named = self.server_named_wait and self.wait is not None
        return named or self.word in ("http 429", "rate")


@dataclass(frozen=True)
class _Kind:
    """An entry of the table, which tells what its fields are."""

    kind: str
    says: str
    proxied: str = ""
    word: str = ""
    words: str | None = None
    unless: str = "(?!)"
    status: str | int = "(?!)"
    wait: float | None = None
    final: bool = False
    teaches: bool = False
    page: bool = False
    keyless: str = ""

    def is_meant(self, said: str) -> bool:
        """Its words are among these."""
        is_among = self.words is not None and found(self.words, said)
        return is_among and not found(self.unless, said)

    def failure(
        self,
        endpoint: Endpoint,
        said: tuple[str, str] = ("", ""),
        *,
        status: int = 200,
        asked: float | None = None,
        why: str = "",
    ) -> Failure:
        """What people are told, with the server's words; ``asked`` is the wait that it names."""
        says = self.says if endpoint.key or not self.keyless else self.keyless
        proxy, variable = proxy_of(endpoint.url) or ("", "")
        # Through a secure connection only the server itself is heard, once there is one.
        is_heard = endpoint.url.startswith("http:") or self in _kinds("raised")
        if proxy and self.proxied and is_heard:
            says = self.proxied
        message = says.format(
            place=endpoint.address,
            route=endpoint.route,
            model=endpoint.model,
            name=repr(endpoint.model),
            timeout=f"{endpoint.timeout:g}",
            http=f" (HTTP {status})" if status >= 300 else "",
            when=f"in {ceil(asked)} seconds" if asked else "in a moment",
            why=redacted(why, endpoint),
            proxy=proxy,
            variable=variable,
        )
        words = redacted(said[0] or said[1], endpoint)
        wait = self.wait if asked is None or self.wait is None else asked
        return Failure(
            self.word or (self.kind if status < 300 else f"http {status}"),
            f"{message} It says: {words}" if words else message,
            retryable=not self.final,
            wait=wait if wait is None or wait <= LONGEST_WAIT else None,
            server_named_wait=asked is not None,
            said=" ".join(filter(None, said)),
            status=status,
            teaches=self.teaches,
        )


@cache
def _table() -> Any:
    return table("failures", __package__)


@cache
def _kinds(group: str) -> tuple[_Kind, ...]:
    return tuple(_Kind(**each) for each in _table()[group])


def of(kind: str, endpoint: Endpoint, *, why: str = "") -> Failure:
    """The failure of this kind, which nobody said and nothing raised."""
    kinds = (*_kinds("raised"), *_kinds("others"))
    return next(each for each in kinds if each.kind == kind).failure(endpoint, why=why)


def explain(error: Exception, endpoint: Endpoint, *, begun: bool = False) -> Failure:
    """The failure behind whatever a call raised; ``begun``: some of the reply was there."""
    import openai

    chain = list(_chain(error))
    for cause in chain:
        match cause:
            case openai.APIStatusError(response=response):
                said = words_of(values_in(response.content))
                said = said if any(said) else (response.text, "")
                return _refusal(said, response.status_code, response.headers, endpoint)
            case Complaint(args=said):
                return _refusal(said, 200, {}, endpoint)
            case NoReply(args=(words,)):
                said = "" if "\ufffd" in words else words, ""
                return _refusal(said, 0, {}, endpoint)
    raised = " ".join(f"{type(each).__name__} {each}" for each in chain)
    kind = next(each for each in _kinds("raised") if each.is_meant(raised))
    if begun and kind.kind == "connection":
        return of("broken stream", endpoint)
    is_known = kind.kind != "unexpected"
    return kind.failure(endpoint, why=str(chain[-1]) if is_known else type(error).__name__)


def _refusal(
    said: tuple[str, str], status: int, headers: Mapping[str, str], endpoint: Endpoint
) -> Failure:
    """What the server says counts before its status."""
    said = said[0][:MOST_CHARACTERS_READ], said[1][:MOST_CHARACTERS_READ]
    everything = " ".join(said)
    asked = _asked_wait(headers, everything)
    kinds = [each for each in _kinds("refusals") if not (each.kind == "quota" and asked)]
    meant = next((each for each in kinds if each.is_meant(everything)), None)
    by_status = (
        each
        for each in kinds
        if re.fullmatch(str(each.status), str(status))
        if not each.page or said[0].startswith(PAGE)
    )
    return (meant or next(by_status)).failure(endpoint, said, status=status, asked=asked)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its causes; an exception that was raised again may be its own cause."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


# -- what is asked for -------------------------------------------------------------------


def lowered_cap(said: str, cap: int) -> int | None:
    """Half the cap where a refusal says that the reply may be too long, else None."""
    is_too_much = cap // 2 >= SMALLEST_CAP and found(_table()["too much"], said)
    return cap // 2 if is_too_much else None


def _asked_wait(headers: Mapping[str, str], said: str) -> float | None:
    """The seconds that the server asks to wait, in its head or its words; None if it does not."""
    told = _TOLD_WAIT.search(said)
    resets = [
        _seconds(value)
        for name, value in headers.items()
        if "ratelimit" in name and "reset" in name
        if headers.get(name.replace("reset", "remaining"), "0") == "0"
    ]
    ways = (
        *(
            _seconds(headers[name] + ("ms" if name.endswith("ms") else ""))
            for name in sorted(headers, reverse=True)
            if "retry-after" in name
        ),
        _seconds(told[1]) if told else None,
        max((each for each in resets if each is not None), default=None),
    )
    return next((each for each in ways if each is not None), None)


def _seconds(text: str) -> float | None:
    """Of "20", "18.5s", "1m20s", or a moment: a date, or since 1970 in seconds or milliseconds."""
    now = time()
    if re.fullmatch(r"\d{1,15}(\.\d+)?s?", text.strip()):
        number = float(text.strip(" s"))
        if number < now / 2:
            return number
        return max(0.0, (number / 1000 if number > 100 * now else number) - now)
    if parts := re.findall(_DURATION, text.lower()):
        return sum(
            float(number) * size
            for number, *units in parts
            for unit, size in zip(units, _SIZES, strict=True)
            if unit
        )
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        with suppress(ValueError):
            return max(0.0, read(text).timestamp() - now)
    return None


# -- secrets -----------------------------------------------------------------------------


def redacted(text: str, endpoint: Endpoint) -> str:
    """Someone else's words made fit for one line of the log: short, and without a secret."""
    secrets = (endpoint.key or "", *secrets_in(endpoint.url))
    forms = {form for each in secrets if len(each) >= SHORTEST_SECRET for form in _forms(each)}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, "[key]")
    text = _KEY_LIKE.sub("[key]", without_password(text))[:MOST_CHARACTERS_READ]
    line = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return line if len(line) <= DETAIL_CHARACTERS else f"{line[:DETAIL_CHARACTERS]}…"


def _forms(secret: str) -> Iterator[str]:
    yield from (secret, quote(secret), quote(secret, safe=""))
    yield b64encode(secret.encode()).decode().rstrip("=")
