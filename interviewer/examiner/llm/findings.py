"""Reads findings from a model's reply: what can be used, and what is wrong with the rest.

Nothing is guessed: unknown ids are dropped, other fields never read, and a verdict is one of four
words or none.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from interviewer.examiner.llm.messages import as_json_text
from interviewer.grading.verdicts import Finding
from interviewer.rubric.rubric import Verdict

MISSING_CHARACTERS = 300
PROBLEMS = 6
"""At most this many are reported to the model; more would not help it."""
MOST_OBJECTS = 200
"""Opening braces that are tried before a reply counts as unreadable."""


def schema_for(criteria: Sequence[str]) -> dict[str, object]:
    """The JSON schema of a reply on these criteria.

    It uses only what every server with structured output knows. The fields are written in this
    order, so the evidence comes before the verdict.
    """
    fields = {
        "id": {"type": "string", "enum": list(criteria)},
        "evidence": {"type": "string"},
        "verdict": {"type": "string", "enum": [verdict.value for verdict in Verdict]},
        "missing": {"type": "string"},
    }
    finding = object_of(fields)
    return object_of({"criteria": {"type": "array", "items": finding}})


def object_of(fields: dict[str, Any]) -> dict[str, object]:
    """The JSON schema of an object with exactly these fields."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


@dataclass(frozen=True)
class Reading:
    """Findings by criterion id, and sentences on what could not be used."""

    findings: Mapping[str, Finding]
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


_Words = Annotated[str, BeforeValidator(as_text)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    id: str
    evidence: _Words = ""
    verdict: Annotated[Verdict, Field(strict=False), BeforeValidator(as_written)]
    missing: _Words = ""


def read_findings(text: str, wanted: Sequence[str], known: Collection[str] = ()) -> Reading:
    """The valid findings in the text on wanted or known criteria.

    Only a missing wanted one is a problem.
    """
    entries, problems = _entries(text)
    found: dict[str, Finding] = {}
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
        missing = entry.missing[:MISSING_CHARACTERS]
        finding = Finding(entry.id, entry.evidence, entry.verdict, missing)
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


def _entries(text: str) -> tuple[list[Any], list[str]]:
    """The list under "criteria", and what is wrong if there is not exactly one.

    Of two different lists one may be quoted from the candidate, so neither counts.
    """
    lists: list[list[Any]] = []
    for value in json_objects(text):
        entries = value.get("criteria")
        if isinstance(entries, list) and entries not in lists:
            lists.append(entries)
    if len(lists) == 1:
        return lists[0], []
    if lists:
        return [], ['the reply holds more than one object with a list "criteria"']
    return [], ['the reply holds no complete JSON object with a list "criteria"']


def json_objects(text: str) -> Iterator[dict[str, Any]]:
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
