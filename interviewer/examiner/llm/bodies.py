"""Reads the body of a reply, whatever its label says: event stream, JSON, lines of JSON, a page.

Servers put keep-alives where data belong, label streams as JSON and JSON as streams, join objects
and split them over lines. Here a body is a sequence of JSON values; what is none is kept as words.
"""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from collections.abc import AsyncGenerator, AsyncIterable, Iterable
from html import unescape
from io import IncrementalNewlineDecoder
from typing import Any

LONGEST_BODY = 32 << 20
"""Bytes of a stream; a long one, token by token, has about three million."""
LONGEST_VALUE = 2 << 20
"""Characters of one line or value; parsed as JSON, it may take thirty times that."""
LONGEST_WORDS = 10_000
"""Characters that are kept of what is no JSON."""
DONE = "[DONE]"
_FIELD = re.compile(r"\s*(?:data: ?)*(data|error|event|id|retry)\s*: ?")
_TITLE = re.compile(r"<(title|h1)\b[^>]*>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(script|style)\b.*?</\1>|<[^<>]*>", re.IGNORECASE | re.DOTALL)
_BETWEEN = re.compile(r"[\s,\x1e]*")


class Endless(ValueError):
    """The body, or a value in it, is longer than any that makes sense."""


class Values:
    """Makes JSON values of lines."""

    def __init__(self) -> None:
        self.stray = ""
        """What is neither JSON nor a stream's own."""
        self.is_empty = True
        self._begun: list[str] = []
        self._size = 0
        self._framed = False

    def of(self, line: str) -> list[Any]:
        """The values that this line completes; :data:`DONE` is one of them."""
        field = _FIELD.match(line)
        if line.startswith(":") or (field and field[1] not in ("data", "error")):
            return []
        if not line.strip():
            return self.rest() if self._framed else []
        self._framed, self.is_empty = bool(field), False
        said = line[field.end() :] if field else line
        if said.strip() in (DONE, "DONE"):
            return [*self.rest(), DONE]
        if not self._begun and (found := _decoded(said)):
            return found
        if self._begun or said.lstrip().startswith(("{", "[")):
            self._begun.append(said)
            self._size += len(said)
            if self._size > LONGEST_VALUE:
                raise Endless
        elif len(self.stray) < LONGEST_WORDS:
            self.stray += f"{said[:LONGEST_WORDS]}\n"
        return []

    def rest(self) -> list[Any]:
        """What was begun on earlier lines: one value over all of them, or else one on each."""
        begun, self._begun, self._size = self._begun, [], 0
        found = _decoded("\n".join(begun)) or [one for each in begun for one in _decoded(each)]
        if not found and len(self.stray) < LONGEST_WORDS:
            self.stray += "\n".join(begun)[:LONGEST_WORDS]
        return found


async def values_of(body: AsyncIterable[bytes], values: Values) -> AsyncGenerator[Any]:
    """The values as they come. Raises Endless."""
    text = _Text()
    async for data in body:
        for line in text.lines(data):
            for value in values.of(line):
                yield value
    for value in (*values.of(text.end()), *values.rest()):
        yield value


def values_in(body: bytes) -> list[Any]:
    """The values of a whole body; where it holds none, its words."""
    values, text = Values(), _Text()
    lines = [*text.lines(body), text.end()]
    found = [value for line in lines for value in values.of(line)] + values.rest()
    return found or [readable(values.stray or "\n".join(lines))]


class _Text:
    """Lines of bytes that arrive split anywhere, whatever ends a line."""

    def __init__(self) -> None:
        utf8 = getincrementaldecoder("utf-8-sig")("replace")
        self._decoder = IncrementalNewlineDecoder(utf8, translate=True)
        self._begun: list[str] = []
        self._size = self._total = 0

    def lines(self, data: bytes) -> Iterable[str]:
        """The lines that these bytes end. Raises Endless."""
        self._total += len(data)
        *ended, rest = self._decoder.decode(data).split("\n")
        for end in ended:
            yield "".join((*self._begun, end))
            self._begun, self._size = [], 0
        self._begun.append(rest)
        self._size += len(rest)
        if self._size > LONGEST_VALUE or self._total > LONGEST_BODY:
            raise Endless

    def end(self) -> str:
        """The last line, which nothing ends."""
        return "".join((*self._begun, self._decoder.decode(b"", final=True)))


def _decoded(text: str) -> list[Any]:
    """The JSON values that stand one after the other from the beginning on."""
    decoder, found = json.JSONDecoder(strict=False), []
    at = _BETWEEN.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):  # the latter for brackets nested by the thousand
            break
        found.append(value)
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
    return [each for each in found if isinstance(each, dict | list | str)]


def readable(text: str) -> str:
    """The title of a page, or its text; other text as it is."""
    if "<" not in text:
        return text.strip()
    title = _TITLE.search(text)
    return " ".join(unescape(_TAG.sub(" ", title[2] if title else text)).split())


_TEXTS = re.compile(
    r"choices|delta|message|msg|errors?|details?|title|reason|.*description|raw|metadata|response|innererror"
)
_CODES = re.compile(r"code|type|param|status|loc|error_(type|code)|n_ctx|n_prompt_tokens")
_WAITS = re.compile(r"retry_?(delay|after)(_seconds)?|estimated_time")
DEEPEST = 6


def words_of(value: object) -> tuple[str, str]:
    """What a server says in a value of any shape: its sentences, and the codes beside them.

    What it repeats of the request is left out.
    """
    texts: list[str] = []
    codes: list[str] = []
    _gather(value, texts, codes)
    return "; ".join(dict.fromkeys(map(readable, texts))), " ".join(codes)


def _gather(value: object, texts: list[str], codes: list[str], depth: int = 0) -> None:
    if isinstance(value, str) and value.strip():
        texts.append(value.strip())
    elif isinstance(value, list) and depth < DEEPEST:
        for each in value[:DEEPEST]:
            _gather(each, texts, codes, depth + 1)
    elif isinstance(value, dict) and depth < DEEPEST:
        for name, each in value.items():
            key = str(name).lower()
            if _TEXTS.fullmatch(key):
                _gather(each, texts, codes, depth + 1)
            elif _CODES.fullmatch(key):
                told = each if isinstance(each, list) else [each]
                codes += [str(one) for one in told if isinstance(one, str | int)]
            elif _WAITS.fullmatch(key):
                codes.append(f"retry in {each}" + ("s" if isinstance(each, int | float) else ""))
