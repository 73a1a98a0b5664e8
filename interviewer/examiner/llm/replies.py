"""Reads chat replies without trusting their shape: servers omit and add what they like."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from interviewer.examiner.llm.bodies import DONE, Values, readable, values_of, words_of

_OPENING = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSING = re.compile(r"</(think|thinking|reasoning)>\s*", re.IGNORECASE)
_ANSWER = re.compile(r"\s*[{`]")
"""The reply begins with the judgement itself: a tag further on is part of a quote."""
_CUT = frozenset({"length", "max_tokens", "model_length"})
_FILTERED = frozenset({"content_filter", "safety", "recitation", "prohibited_content"})
_BROKEN = frozenset({"error", "insufficient_system_resource"})


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


class Complaint(Exception):
    """What the server says went wrong, under a status that says all is well."""

    def __init__(self, value: object) -> None:
        super().__init__(*words_of(value))


class NoReply(Exception):
    """The body holds no chat reply, but perhaps the words that are the argument."""


class BrokenOff(Exception):
    """The reply stopped in the middle."""


@dataclass(frozen=True)
class Part:
    """One chunk of a stream, or a whole plain reply."""

    text: str = ""
    called: str = ""
    """The arguments of a call to a tool: some models put their JSON there."""
    finish: str | None = None
    refused: bool = False
    reasoning: str = ""
    """Reasoning in a field of its own. Only where it is all there is, and JSON, is it the answer:
    some servers put the answer there when thinking is off."""
    model: str = ""
    usage: Mapping[str, int | None] = field(default_factory=dict)
    """Token counts by their names in the log."""

    def __add__(self, later: Part) -> Part:
        """The reply so far with its next part."""
        return Part(
            text=self.text + later.text,
            called=self.called + later.called,
            finish=later.finish or self.finish,
            refused=self.refused or later.refused,
            reasoning=self.reasoning + later.reasoning,
        )


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


async def parts_of(body: AsyncIterable[bytes]) -> AsyncGenerator[Part]:
    """The parts of a reply as they arrive, whether the server streams or not.

    Raises Complaint, NoReply, BrokenOff and Endless.
    """
    values, aside, is_reply, finish = Values(), "", False, None
    async for found in values_of(body, values):
        for value in found if isinstance(found, list) else (found,):
            if value == DONE:
                yield Part(finish=finish or "stop")
                return
            if _is_complaint(value):
                raise Complaint(value)
            for name in ("data", "result", "response"):  # some put the reply into another object
                value = inner if _first_choice(inner := _field(value, name)) else value
            if isinstance(_field(value, "choices"), list):
                is_reply = True
            else:
                aside = aside or words_of(value)[0]
            part = read_part(value)
            finish = part.finish or finish
            yield part
    if '"choices"' in values.stray and not is_reply:
        raise BrokenOff
    if not (is_reply or values.is_empty):
        raise NoReply(aside or readable(values.stray))


def _is_complaint(value: object) -> bool:
    choice = _first_choice(value)
    holders = (value, choice, _field(choice, "message"), _field(choice, "delta"))
    if any(_field(holder, name) for holder in holders for name in ("error", "errors")):
        return True
    said = _field(choice, "finish_reason")
    is_alone = isinstance(value, dict) and "choices" not in value
    worded = any(_field(value, name) for name in ("detail", "message", "msg"))
    return said in _BROKEN if isinstance(said, str) else is_alone and worded


def read_part(value: object) -> Part:
    """The first choice of a chunk or a plain reply; an empty part if there is none."""
    usage, named = _usage(_field(value, "usage")), _field(value, "model")
    model = named if isinstance(named, str) else ""
    choice = _first_choice(value)
    if choice is None:
        return Part(model=model, usage=usage)
    whole = _field(choice, "message")
    said = _field(choice, "delta") or whole or {"content": _field(choice, "text")}
    told = _field(choice, "finish_reason")
    finish = told.lower() if isinstance(told, str) and told else "stop" if whole else None
    return Part(
        text=_text(_field(said, "content")),
        called=_called(said),
        finish="length" if finish in _CUT else finish,
        refused=bool(_field(said, "refusal")) or finish in _FILTERED,
        reasoning=_text(_field(said, "reasoning_content") or _field(said, "reasoning")),
        model=model,
        usage=usage,
    )


def rambles(text: str, longest: int) -> bool:
    """It is JSON longer than any answer can be. Reasoning is not limited."""
    return len(text) > longest and text.lstrip().startswith(("{", "`"))


def as_reply(part: Part, longest: int) -> Reply:
    """The part as a whole reply, without its reasoning."""
    text = without_thinking(part.text)
    aside = part.reasoning.strip() if _is_json(part.reasoning) else ""
    return Reply(
        text=text.strip() or part.called.strip() or aside,
        cut_off=part.finish == "length" or rambles(part.text, longest),
        refused=part.refused,
        reasoned=bool(part.reasoning) or text != part.text,
        unopened_thinking=closes_unopened(part.text),
        rambled=rambles(part.text, longest),
    )


def is_whole(part: Part) -> bool:
    """Nothing told its end, but it is JSON and complete."""
    return _is_json(without_thinking(part.text) or part.called)


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _first_choice(value: object) -> object:
    choices = _field(value, "choices")
    return choices[0] if isinstance(choices, list) and choices else None


def _text(content: object) -> str:
    """Some servers send a list of typed parts, or the object itself, instead of a string."""
    if isinstance(content, list):
        return "".join(map(_text, content))
    if isinstance(content, dict):
        is_part = "type" in content or "text" in content
        return _text(content.get("text")) if is_part else json.dumps(content)
    return content if isinstance(content, str) else ""


def _called(said: object) -> str:
    calls = _field(said, "tool_calls")
    first: Any = calls[0] if isinstance(calls, list) and calls else None
    if _field(first, "index"):  # a second call
        return ""
    return _text(_field(_field(first, "function") or _field(said, "function_call"), "arguments"))


def _usage(usage: object) -> dict[str, int | None]:
    details = _field(usage, "prompt_tokens_details")
    counts = {
        "prompt_tokens": _field(usage, "prompt_tokens"),
        "cached_tokens": _field(details, "cached_tokens"),
        "completion_tokens": _field(usage, "completion_tokens"),
    }
    return {name: each for name, each in counts.items() if type(each) is int}


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
