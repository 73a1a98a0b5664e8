"""One way to ask a model for JSON: the schema, the call, and what of the reply can be used.

Models write what they like. What hangs on nothing has a default, an entry that cannot be read is
left out alone, and nothing is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from interviewer.examiner.llm.client import ChatClient, ChatRequest
from interviewer.examiner.llm.failures import redacted
from interviewer.examiner.llm.messages import as_json
from interviewer.examiner.llm.replies import Reply

MOST_OBJECTS = 200
"""Opening braces that are tried before a reply counts as unreadable."""
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Read(Generic[T]):
    """What a reply says, as far as it can be used, and why the rest cannot.

    ``outcome`` is the word for the log where there are problems.
    """

    value: T
    problems: tuple[str, ...] = ()
    outcome: str = "unparsable"


async def ask_for(
    client: ChatClient, request: ChatRequest, read: Callable[[str], Read[T]]
) -> tuple[Read[T], Reply]:
    """Ask once, and note in the log what of the reply cannot be used. Raises ExaminerError."""
    reply, call = await client.complete(request)
    found = read("" if reply.refused else reply.text)
    if found.problems:
        found = _explained(found, reply)
        detail = redacted("; ".join(found.problems), client.endpoint)
        client.log.correct(call, found.outcome, detail)
    return found, reply


def _explained(found: Read[T], reply: Reply) -> Read[T]:
    """With a better reason than the reader could know."""
    if reply.refused:
        return Read(found.value, (reply.refused,), "refused")
    if reply.text and (not reply.cut_off or found.outcome != "unparsable"):
        return found
    if reply.text:
        return Read(found.value, ("it ran into its length limit",), "cut off")
    reasoned = reply.reasoned or reply.cut_off
    why = "it holds reasoning and no answer" if reasoned else "it is empty"
    return Read(found.value, (why,), "empty")


def schema_of(model: type[BaseModel], **one_of: Iterable[str]) -> dict[str, Any]:
    """The JSON schema of a model, using only what every server with structured output knows.

    ``one_of`` names the words of a field. Fields are written in this order.
    """
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

    An object that comes again counts once. Of two different ones one may be quoted from the
    candidate, so neither counts.
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
