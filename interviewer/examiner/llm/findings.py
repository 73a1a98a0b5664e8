"""Reads findings from a model's reply: what can be used, and what is wrong with the rest.

Nothing is guessed: unknown ids are dropped, other fields never read, and a verdict is one of four
words or none.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from interviewer.examiner.llm.messages import as_json_text
from interviewer.grading.verdicts import MOST_QUOTES, Evidence, Verdict
from interviewer.rubric.rubric import Rating

NO_OTHER = "none"
"""In place of an alternative verdict; some servers take no empty word in an enumeration."""
MISSING_CHARACTERS = 300
PROBLEMS = 6
"""At most this many are reported to the model; more would not help it."""
MOST_OBJECTS = 200
"""Opening braces that are tried before a reply counts as unreadable."""


def object_of(fields: dict[str, Any]) -> dict[str, object]:
    """The JSON schema of an object with exactly these fields."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def schema_of(model: type[BaseModel], **one_of: Iterable[str]) -> dict[str, Any]:
    """The JSON schema of a model, using only what every server with structured output knows.

    ``one_of`` names the words of a field. Fields are written in this order.
    """
    whole = model.model_json_schema()

    def plain(node: dict[str, Any]) -> dict[str, Any]:
        node = whole["$defs"][node["$ref"].rpartition("/")[2]] if "$ref" in node else node
        if "properties" in node:
            fields = node["properties"].items()
            words = {name: {"type": "string", "enum": [*each]} for name, each in one_of.items()}
            return object_of({name: words.get(name) or plain(each) for name, each in fields})
        kept = {name: node[name] for name in ("type", "enum") if name in node}
        return kept | ({"items": plain(node["items"])} if "items" in node else {})

    return plain(whole)


@dataclass(frozen=True)
class Reading:
    """Findings by criterion id, and sentences on what could not be used."""

    findings: Mapping[str, Verdict]
    problems: tuple[str, ...]


def as_written(value: object) -> object:
    """The word spelt our way if the model's differs only in case, spaces or hyphens."""
    if not isinstance(value, str):
        return value
    return value.strip().lower().replace(" ", "_").replace("-", "_")


def as_text(value: object) -> object:
    """None as "", and no lone surrogate, which no file could hold."""
    if value is None:
        return ""
    return as_json_text(value) if isinstance(value, str) else value


def _as_texts(value: object) -> object:
    """A list of texts, also where there is only one, or none."""
    if value is None or value == "":
        return []
    return [as_text(each) for each in value] if isinstance(value, list) else [as_text(value)]


def _as_verdict(value: object) -> object:
    """None where there is none of the four words: a doubt that cannot be read is none."""
    written = as_written(value)
    return written if written in set(Rating) else None


def _as_remark(value: object) -> object:
    """A remark that is no text is left out: it decides nothing."""
    return as_text(value) if isinstance(value, str) else ""


def _as_sure(value: object) -> object:
    written = as_written(value)
    return written if written in get_args(_Sure) else "high"


_Sure = Literal["high", "medium", "low"]
_Words = Annotated[str, BeforeValidator(as_text)]


M = TypeVar("M", bound=BaseModel)


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    id: str
    evidence: Annotated[list[str], BeforeValidator(_as_texts)] = []
    verdict: Annotated[Rating, Field(strict=False), BeforeValidator(as_written)]
    missing: _Words = ""
    sure: Annotated[_Sure, BeforeValidator(_as_sure)] = "high"
    otherwise: Annotated[Rating | None, Field(strict=False), BeforeValidator(_as_verdict)] = None
    doubt: Annotated[str, BeforeValidator(_as_remark)] = ""

    def finding(self) -> Verdict:
        """What it says about its criterion."""
        first, *further = [quote for quote in self.evidence if quote.strip()] or [""]
        is_doubtful = self.sure != "high" and self.otherwise not in (None, self.verdict)
        return Verdict(
            self.id,
            self.verdict,
            first,
            missing=self.missing[:MISSING_CHARACTERS],
            further=tuple(map(Evidence, further[: MOST_QUOTES - 1])),
            doubt=self.doubt[:MISSING_CHARACTERS] if is_doubtful else "",
            alternative=self.otherwise if is_doubtful else None,
        )


def schema_for(criteria: Sequence[str]) -> dict[str, object]:
    """The JSON schema of a reply on these criteria: the evidence comes before the verdict."""
    finding = schema_of(_Entry, id=criteria, otherwise=[*(each.value for each in Rating), NO_OTHER])
    return object_of({"criteria": {"type": "array", "items": finding}})


def read_findings(text: str, wanted: Sequence[str], known: Collection[str] = ()) -> Reading:
    """The valid findings in the text on wanted or known criteria.

    Only a missing wanted one is a problem.
    """
    reply = only_object(text, "criteria")
    entries, problems = ([], [reply]) if isinstance(reply, str) else (reply["criteria"], [])
    found: dict[str, Verdict] = {}
    disputed: set[str] = set()
    for number, raw in enumerate(entries, start=1):
        try:
            entry = _Entry.model_validate(raw)
        except ValidationError as error:
            problems.append(f"entry {number}: {first_fault(error)}")
            continue
        if entry.id not in wanted and entry.id not in known:
            problems.append(f"entry {number}: the answer key has no id {entry.id[:60]!r}")
            continue
        finding = entry.finding()
        if found.setdefault(entry.id, finding).verdict is not finding.verdict:
            disputed.add(entry.id)
    problems += [f"{each} has two different verdicts" for each in sorted(disputed)]
    problems += [
        f"{criterion} has no usable entry" for criterion in wanted if criterion not in found
    ]
    usable = {each: finding for each, finding in found.items() if each not in disputed}
    return Reading(usable, tuple(problems[:PROBLEMS]))


def first_fault(error: ValidationError) -> str:
    """Where the first error is, and what."""
    fault = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, fault['loc'])) or 'the entry'}: {fault['msg']}"


def the_object(text: str, model: type[M]) -> M | str:
    """The only object with a list "criteria" as a model, or a few words on why there is none."""
    found = only_object(text, "criteria")
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
    """The JSON objects in the text, whatever surrounds them."""
    decoder = json.JSONDecoder(strict=False)
    start = text.find("{")
    for _ in range(MOST_OBJECTS):
        if start < 0:
            return
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):  # ValueError alone: a number of thousands of digits
            start = text.find("{", start + 1)
        else:
            yield value
            start = text.find("{", end)
