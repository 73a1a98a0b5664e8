"""Reads chat replies without trusting their shape: servers omit and add what they like.

What hangs on nothing has a default, an entry that cannot be read is left out, nothing is guessed.
"""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from io import IncrementalNewlineDecoder
from typing import Annotated, Any, Generic, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from interviewer.examiner.llm.messages import as_json
from interviewer.rubric.text import table

LONGEST_BODY = 32 << 20
"""Bytes of a stream; a long one, token by token, has about three million."""
LONGEST_VALUE = 2 << 20
"""Characters of one line or value; parsed as JSON, it may take thirty times that."""
LONGEST_WORDS, WORDS_OF_PAGE = 10_000, 300
"""Characters that are kept of what is no JSON, and of a web page: its title and headings."""
DEEPEST, MOST_TORN = 10, 20
"""How deep words may lie in a value; how many frames of a line may be torn off."""
DONE, PAGE = "[DONE]", "web page: "
_FIELD = re.compile(r"\s*(?:data: ?)*(data|error|event|id|retry)\s*: ?")
_TAG = re.compile(r"<(script|style)\b.*?</\1>|</?[a-z!?][^<>]*>", re.IGNORECASE | re.DOTALL)
_OF_PAGE = re.compile(r"<(!doctype html|html|head|title|body|center|h1|p|div)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:[\s,\x1e]|data:)*")
_NEXT_FRAME = re.compile(r"data: ?(?=[{\[])")
_OBJECT = re.compile(r"\s*(\[\s*)?\{")


class Endless(ValueError):
    """The body, or a value in it, is longer than any that makes sense."""


class Values:
    """Makes JSON values of bytes that arrive split anywhere, stream or body. Raises Endless."""

    def __init__(self) -> None:
        self.stray = ""
        """What is neither JSON nor a stream's own."""
        self.is_empty = True
        utf8 = getincrementaldecoder("utf-8-sig")("replace")
        self._decoder = IncrementalNewlineDecoder(utf8, translate=True)
        self._line: list[str] = []
        self._begun: list[str] = []
        self._size = self._held = self._total = 0
        self._framed = False

    def of(self, data: bytes) -> Iterator[Any]:
        """The values that these bytes complete; :data:`DONE` is one of them."""
        self._total += len(data)
        *ended, rest = self._decoder.decode(data).split("\n")
        for end in ended:
            yield from self._of_line("".join((*self._line, end)))
            self._line, self._size = [], self._held
        self._line.append(rest)
        self._size += len(rest)
        if self._size > LONGEST_VALUE or self._total > LONGEST_BODY:
            raise Endless

    def rest(self) -> list[Any]:
        """The values of what nothing ended."""
        last = "".join((*self._line, self._decoder.decode(b"", final=True)))
        return [*self._of_line(last), *self._joined()]

    def _of_line(self, line: str) -> list[Any]:
        field = _FIELD.match(line)
        if line.startswith(":") or (field and field[1] not in ("data", "error")):
            return []
        if not line.strip():
            return self._joined() if self._framed else []
        self._framed, self.is_empty = bool(field), False
        said = line[field.end() :] if field else line
        if said.strip() in (DONE, "DONE"):
            return [*self._joined(), DONE]
        if self.stray.startswith("<") and not field:  # what a page holds is no reply
            return self._aside(line)
        if not self._begun and (found := _decoded(said)):
            return [*found, DONE] if said.rstrip().endswith(DONE) else found
        if self._begun or said.lstrip().startswith(("{", "[")):
            self._begun.append(said)
            self._held += len(said)
            return []
        return self._aside(said)

    def _joined(self) -> list[Any]:
        """What was begun on earlier lines: one value over all of them, or else one on each."""
        begun, self._begun, self._held = self._begun, [], 0
        found = _decoded("\n".join(begun)) or [one for each in begun for one in _decoded(each)]
        return found or self._aside("\n".join(begun))

    def _aside(self, words: str) -> list[Any]:
        if words and len(self.stray) < LONGEST_WORDS:
            self.stray += f"{words[:LONGEST_WORDS]}\n"
        return []


async def values_of(body: AsyncIterable[bytes], values: Values) -> AsyncGenerator[Any]:
    """The values as they come. Raises Endless."""
    async for data in body:
        for value in values.of(data):
            yield value
    for value in values.rest():
        yield value


def values_in(body: bytes) -> list[Any]:
    """The values of a whole body; where it holds none, its words."""
    values = Values()
    return [*values.of(body), *values.rest()] or [readable(values.stray)]


def _decoded(text: str) -> list[Any]:
    """The JSON values one after the other; behind a torn one it goes on with the next frame."""
    decoder, found, at, torn = json.JSONDecoder(strict=False), [], 0, 0
    while (at := _BETWEEN.match(text, at).end()) < len(text):  # type: ignore[union-attr]
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):  # the latter for brackets nested by the thousand
            frame = _NEXT_FRAME.search(text, at)
            if not frame or torn == MOST_TORN:
                break
            at, torn = frame.end(), torn + 1
        else:
            found += _packed(value) or [value]
    return [each for each in found if isinstance(each, dict | list | str)]


def _packed(value: object) -> list[Any]:
    return _decoded(value) if isinstance(value, str) and _OBJECT.match(value) else []


def readable(text: str) -> str:
    """The words of a page, which is named as one; other text without tags."""
    words = " ".join(unescape(_TAG.sub(" ", text)).split()) if _TAG.search(text) else text.strip()
    return f"{PAGE}{words[:WORDS_OF_PAGE]}" if _OF_PAGE.search(text) else words


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    texts = table("replies", __package__).items()
    return {name: re.compile(text.replace("\n", ""), re.IGNORECASE) for name, text in texts}


def _is(kind: str, text: object) -> bool:
    return isinstance(text, str) and bool(_patterns()[kind].fullmatch(text))


def words_of(value: object) -> tuple[str, str]:
    """What a server says in a value of any shape, less what it repeats: sentences, and codes."""
    texts: list[str] = []
    codes: list[str] = []
    _gather(value, texts, codes)
    return "; ".join(dict.fromkeys(map(readable, texts))), " ".join(codes)


def _gather(value: object, texts: list[str], codes: list[str], depth: int = 0) -> None:
    if depth > DEEPEST:
        return
    if isinstance(value, str):
        if inner := _packed(value):
            _gather(inner, texts, codes, depth + 1)
        elif value.strip():
            texts.append(value.strip())
    elif isinstance(value, list):
        for each in value[:DEEPEST]:
            _gather(each, texts, codes, depth + 1)
    elif isinstance(value, dict):
        for name, each in value.items():
            if _is("texts", name):
                _gather(each, texts, codes, depth + 1)
            elif _is("codes", name):
                told = each if isinstance(each, list) else [each]
                codes += [str(one) for one in told if isinstance(one, str | int)]
            elif _is("waits", name):
                unit = "ms" if name.lower().endswith("ms") else "s"
                codes.append(f"retry in {each}{unit if str(each)[-1:].isdigit() else ''}")


_OPENING = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSING = re.compile(r"</(think|thinking|reasoning)>\s*", re.IGNORECASE)
_ANSWER = re.compile(r"\s*[{`]")
"""The reply begins with the judgement itself: a tag further on is part of a quote."""
_MARK = re.compile(r"^.*<\|message\|>|(<\|\w+\|>|</s>)\s*$", re.DOTALL)
"""What a template leaves around the answer."""


def without_thinking(text: str) -> str:
    """What follows the reasoning; "" if the reasoning never ends."""
    if closes_unopened(text):
        text = _CLOSING.split(text, maxsplit=1)[-1]
    while _OPENING.match(text):
        closing = _CLOSING.search(text)
        text = text[closing.end() :] if closing else ""
    return text if _ANSWER.match(text) else _MARK.sub("", text)


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
    refused: str
    """Why the answer was withheld; "" where it was not."""
    reasoned: bool
    unopened_thinking: bool
    rambled: bool
    """It is endless JSON: more tokens would only bring more of it."""


async def parts_of(body: AsyncIterable[bytes]) -> AsyncGenerator[Part]:
    """The parts of a reply as they arrive. Raises Complaint, NoReply, BrokenOff and Endless."""
    values, aside, is_reply, finish = Values(), "", False, None
    async for found in values_of(body, values):
        for value in found if isinstance(found, list) else (found,):
            if value == DONE:
                yield Part(finish=finish or "stop")
                return
            if _is_complaint(value):
                raise Complaint(value)
            for name in ("data", "result", "response", "output"):  # some wrap the reply once more
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
    if isinstance(value, dict) and "choices" not in value:
        return any(_field(value, name) for name in ("detail", "message", "msg"))
    return _is("broken", _field(choice, "finish_reason"))


def read_part(value: object) -> Part:
    """The first choice of a chunk or a plain reply; an empty part if there is none."""
    choice, named = _first_choice(value), _field(value, "model")
    whole, change = _field(choice, "message"), _field(choice, "delta")
    said = change if change is not None else whole
    said = {"content": said or _field(choice, "text")} if not isinstance(said, dict) else said
    told = _field(choice, "finish_reason")
    is_told = isinstance(told, str) and told and not _is("going on", told)
    finish = str(told) if is_told else "stop" if whole else None
    return Part(
        text=_text(_field(said, "content")),
        called=_called(said),
        finish="length" if _is("cut", finish) else finish,
        refused=bool(_field(said, "refusal")),
        reasoning=_text(_field(said, "reasoning_content") or _field(said, "reasoning")),
        model=named if isinstance(named, str) else "",
        usage=_usage(_field(value, "usage")),
    )


def rambles(text: str, longest: int) -> bool:
    """It is JSON longer than any answer can be. Reasoning is not limited."""
    return len(text) > longest and text.lstrip().startswith(("{", "`"))


def as_reply(part: Part, longest: int) -> Reply:
    """The part as a whole reply, without its reasoning."""
    text, end = without_thinking(part.text), part.finish or "stop"
    aside = part.reasoning.strip() if _is_json(part.reasoning) else ""
    said = text.strip() or part.called.strip() or aside
    rambled = rambles(part.text, longest)
    is_cut = end == "length" or rambled
    is_withheld = _is("withheld", end) or not (said or is_cut or _is("whole", end))
    why = f"the server stopped the reply: {end}" if is_withheld else ""
    return Reply(
        text=said,
        cut_off=is_cut,
        refused="it declined to answer" if part.refused else why,
        reasoned=bool(part.reasoning) or text != part.text,
        unopened_thinking=closes_unopened(part.text),
        rambled=rambled,
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


# -- the JSON of a model ---------------------------------------------------------------

MOST_OBJECTS = 200
"""Opening braces that are tried before a reply counts as unreadable."""
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Read(Generic[T]):
    """What of a reply can be used, and why the rest cannot; ``outcome`` is the word for the log."""

    value: T
    problems: tuple[str, ...] = ()
    outcome: str = "unparsable"


def schema_of(model: type[BaseModel], **one_of: Iterable[str]) -> dict[str, Any]:
    """The JSON schema of a model as any server knows it; ``one_of`` names the words of a field."""
    whole = model.model_json_schema()

    def plain(node: dict[str, Any]) -> dict[str, Any]:
        node = whole["$defs"][node["$ref"].rpartition("/")[2]] if "$ref" in node else node
        if "properties" in node:
            words = {name: {"type": "string", "enum": [*each]} for name, each in one_of.items()}
            fields = {n: words.get(n) or plain(each) for n, each in node["properties"].items()}
            closed = {"required": [*fields], "additionalProperties": False}
            return {"type": "object", "properties": fields, **closed}
        kept = {name: node[name] for name in ("type", "enum") if name in node}
        return kept | ({"items": plain(node["items"])} if "items" in node else {})

    return plain(whole)


def as_written(value: object) -> object:
    """The word spelt our way if the model's differs only in case, spaces or hyphens."""
    if not isinstance(value, str):
        return value
    return value.strip().lower().replace(" ", "_").replace("-", "_")


def or_else(default: object) -> WrapValidator:
    """Where nothing hangs on a value, what cannot be read is the default."""

    def read(value: object, valid: ValidatorFunctionWrapHandler) -> object:
        try:
            return valid(value)
        except ValidationError:
            return default

    return WrapValidator(read)


def _usable(value: object, valid: ValidatorFunctionWrapHandler) -> list[Any]:
    kept: list[Any] = []
    for each in value if isinstance(value, list) else [value]:
        with suppress(ValidationError):
            kept += valid([each])
    return kept


Usable = Annotated[list[T], WrapValidator(_usable)]
"""The entries that can be read; one alone need not stand in a list."""
Words = Annotated[str, or_else("")]
Name = Annotated[str, BeforeValidator(as_written)]


def first_fault(error: ValidationError) -> str:
    """Where the first error is, and what."""
    fault = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, fault['loc'])) or 'the entry'}: {fault['msg']}"


def read_as(text: str, model: type[M], key: str) -> M | str:
    """The only object with a list under the key as a model, or why there is none."""
    found = only_object(text, key)
    if isinstance(found, str):
        return found
    try:
        return model.model_validate(found)
    except ValidationError as error:
        return first_fault(error)


def only_object(text: str, *keys: str, kind: type = list) -> dict[str, Any] | str:
    """The only object in the text with a ``kind`` under one of the keys, or why there is none.

    Of two different ones one may be quoted from the candidate, so neither counts.
    """
    found: list[dict[str, Any]] = []
    for value in _json_objects(text):
        holds = any(key in value and isinstance(value[key], kind) for key in keys)
        if holds and value not in found:
            found.append(value)
    if len(found) == 1:
        return found[0]
    which = " or ".join(f'"{key}"' for key in keys)
    return f"the reply holds {'more than one' if found else 'no complete'} JSON object with {which}"


def _json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in the text, whatever surrounds them, without what no file can hold."""
    decoder = json.JSONDecoder(strict=False)
    start = text.find("{")
    for _ in range(MOST_OBJECTS):
        if start < 0:
            return
        try:
            value, end = decoder.raw_decode(text, start)
            value = json.loads(as_json(value))
        except (ValueError, RecursionError):  # ValueError alone: a number of thousands of digits
            start = text.find("{", start + 1)
        else:
            yield value
            start = text.find("{", end)
