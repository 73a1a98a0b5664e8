"""Reads chat replies without trusting their shape: servers omit and add what they like."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import Any

_OPENING = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSING = re.compile(r"</(think|thinking|reasoning)>\s*", re.IGNORECASE)
_ANSWER = re.compile(r"\s*[{`]")
"""The reply begins with the judgement itself: a tag further on is part of a quote."""


def without_thinking(text: str) -> str:
    """What follows the reasoning; "" if the reasoning never ends."""
    if closes_unopened(text):
        text = _CLOSING.split(text, maxsplit=1)[-1]
    while _OPENING.match(text):
        closing = _CLOSING.search(text)
        text = text[closing.end() :] if closing else ""
    return text


def closes_unopened(text: str) -> bool:
    """The reasoning ends with a tag that nothing opened, since the server's template did."""
    begins_otherwise = _OPENING.match(text) or _ANSWER.match(text)
    return bool(_CLOSING.search(text)) and not begins_otherwise


@dataclass(frozen=True)
class Usage:
    """Token counts; None if the server sent none."""

    prompt: int | None = None
    cached: int | None = None
    completion: int | None = None


@dataclass(frozen=True)
class Part:
    """One chunk of a stream, or a whole plain reply."""

    text: str = ""
    finish: str | None = None
    refused: bool = False
    reasoned: bool = False
    """Reasoning came in a field of its own, which is never taken for the answer."""
    model: str | None = None
    usage: Usage | None = None


@dataclass(frozen=True)
class Reply:
    """A whole reply. ``text`` is without leading reasoning."""

    text: str
    cut_off: bool
    refused: bool
    reasoned: bool
    unopened_thinking: bool
    rambled: bool
    """It is endless JSON: more tokens would only bring more of it."""


def read_part(chunk: object) -> Part:
    """The first choice of a chunk or a plain reply; an empty part if there is none."""
    usage, named = _usage(_field(chunk, "usage")), _field(chunk, "model")
    model = named if isinstance(named, str) and named else None
    choices = _field(chunk, "choices")
    if not isinstance(choices, list) or not choices:
        return Part(model=model, usage=usage)
    said = _field(choices[0], "delta") or _field(choices[0], "message")
    finish = _field(choices[0], "finish_reason")
    return Part(
        text=_text(_field(said, "content")),
        finish=finish if isinstance(finish, str) and finish else None,
        refused=bool(_field(said, "refusal")) or finish == "content_filter",
        reasoned=bool(_field(said, "reasoning_content") or _field(said, "reasoning")),
        model=model,
        usage=usage,
    )


async def parts_of(answer: Any) -> AsyncGenerator[Part]:
    """The parts of openai's answer as they arrive, whether the server streams or not.

    Raises ValueError if the answer is no chat reply, and whatever openai raises.
    """
    if not hasattr(answer, "response"):
        yield _whole(answer)
        return
    kind = answer.response.headers.get("content-type", "")
    if "json" in kind or "html" in kind:  # asked to stream, answered plainly
        yield _whole(json.loads(await answer.response.aread()))
        return
    async for chunk in answer:
        yield read_part(chunk)


def _whole(answer: object) -> Part:
    if not isinstance(_field(answer, "choices"), list):
        raise ValueError(f"no choices in {answer}")
    part = read_part(answer)
    return replace(part, finish=part.finish or "stop")


def joined(whole: Part, part: Part) -> Part:
    """The reply so far with its next part."""
    return Part(
        text=whole.text + part.text,
        finish=part.finish or whole.finish,
        refused=whole.refused or part.refused,
        reasoned=whole.reasoned or part.reasoned,
    )


def rambles(text: str, longest: int) -> bool:
    """It is JSON longer than any answer can be. Reasoning is not limited."""
    return len(text) > longest and text.lstrip().startswith(("{", "`"))


def as_reply(part: Part, longest: int) -> Reply:
    """The part as a whole reply, without its reasoning."""
    text = without_thinking(part.text)
    return Reply(
        text=text.strip(),
        cut_off=part.finish == "length" or rambles(part.text, longest),
        refused=part.refused,
        reasoned=part.reasoned or text != part.text,
        unopened_thinking=closes_unopened(part.text),
        rambled=rambles(part.text, longest),
    )


def _text(content: object) -> str:
    """Some servers send a list of typed parts instead of a string."""
    if isinstance(content, list):
        return "".join(_text(_field(part, "text")) for part in content)
    return content if isinstance(content, str) else ""


def _usage(usage: object) -> Usage | None:
    if usage is None:
        return None
    details = _field(usage, "prompt_tokens_details")
    return Usage(
        prompt=_count(_field(usage, "prompt_tokens")),
        cached=_count(_field(details, "cached_tokens")),
        completion=_count(_field(usage, "completion_tokens")),
    )


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
