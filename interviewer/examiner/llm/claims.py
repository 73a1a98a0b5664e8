"""Has a model read the numbers of an answer: the messages, and what its reply reports.

The quantities are listed from the table that code converts by. What is reported counts only once
:mod:`interviewer.grading.claims.reported.quoted` has found it in the answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.findings import as_text, as_written, object_of, only_object
from interviewer.examiner.llm.messages import Message, fenced
from interviewer.grading.claims.circumstances import Circumstance, Stage
from interviewer.grading.claims.claim import PARTS, Measure
from interviewer.grading.claims.ledger import KnownRun
from interviewer.grading.claims.meanings import CIRCUMSTANCES, MEANINGS, Unit
from interviewer.grading.claims.reported.quoted import (
    OTHERS,
    OWN,
    STATUSES,
    ReportedClaim,
    ReportedRun,
)
from interviewer.grading.transcript import Turn

CLAIMS_CAP = 4096
CLAIMS_CHARACTERS = 20_000
"""What an honest reply stays within."""
ANSWER_CHARACTERS = 12_000
"""Of a longer answer only the beginning is read."""
MOST_CLAIMS = 80
M = TypeVar("M", bound=BaseModel)
_STAGES = ("", *(stage.value for stage in Stage))


@dataclass(frozen=True)
class Report:
    """What a reply reports. ``unusable`` counts the entries that could not be read."""

    claims: tuple[ReportedClaim, ...]
    runs: tuple[ReportedRun, ...]
    unusable: int = 0


def claims_messages(asked: str, answer: Turn, known: Sequence[KnownRun]) -> tuple[Message, ...]:
    """The rules with all quantities, then what was asked, the runs so far and the answer."""
    data = {
        "asked": asked[:ANSWER_CHARACTERS],
        "runs": [{"run": run.name, "figures": list(run.figures)} for run in known],
        "answer": answer.text[:ANSWER_CHARACTERS],
    }
    return (
        Message("system", f"{prompts.load('claims').text}\n\n{_lists()}"),
        Message("user", fenced("The answer", data, f"claims {answer.number}")),
    )


def claims_version() -> str:
    """The version of the prompt and of the lists that it is sent with."""
    digest = hashlib.sha256(_lists().encode()).hexdigest()[:4]
    return f"{prompts.load('claims').version}-{digest}"


@cache
def _lists() -> str:
    """All quantities by unit, and the circumstances; the same for every answer."""
    return "\n".join(
        (
            "Quantities, by the unit that code keeps them in:",
            *(f"{unit.value}: {'; '.join(_quantities(unit))}" for unit in Unit),
            *("", "Circumstances:", *(f"{c.value}: {words}" for c, words in CIRCUMSTANCES.items())),
        )
    )


def _quantities(unit: Unit) -> Iterator[str]:
    """The quantities in this unit; counts of a statement are told together."""
    for measure, meaning in MEANINGS.items():
        listed = Unit.ANY if measure in PARTS or measure is Measure.PORTIONS else meaning.unit
        if listed is unit:
            yield f"{measure.value}: {meaning.words}"


def claims_schema() -> dict[str, object]:
    """The JSON schema of a reply, the same for all answers."""
    text = {"type": "string"}
    claim = object_of(
        {
            "quote": text,
            "quantity": {"type": "string", "enum": [measure.value for measure in Measure]},
            "value": {"type": "number"},
            "unit": text,
            "run": text,
            "whose": {"type": "string", "enum": [OWN, OTHERS]},
            "status": {"type": "string", "enum": list(STATUSES)},
            "device": text,
            "replaces": {"type": "boolean"},
        }
    )
    names = [circumstance.value for circumstance in Circumstance]
    circumstance = object_of({"what": {"type": "string", "enum": names}, "quote": text})
    run = object_of(
        {
            "run": text,
            "stage": {"type": "string", "enum": list(_STAGES)},
            "circumstances": {"type": "array", "items": circumstance},
        }
    )
    return object_of(
        {"claims": {"type": "array", "items": claim}, "runs": {"type": "array", "items": run}}
    )


_Words = Annotated[str, BeforeValidator(as_text)]
_Name = Annotated[str, BeforeValidator(as_text), BeforeValidator(as_written)]


class _Claim(BaseModel):
    model_config = ConfigDict(extra="ignore")

    quote: _Words
    quantity: Annotated[Measure, BeforeValidator(as_written)]
    value: Annotated[float, Field(allow_inf_nan=False)]
    unit: _Words = ""
    run: _Words = ""
    whose: _Name
    status: _Name
    device: _Words = ""
    replaces: bool = False


class _Circumstance(BaseModel):
    model_config = ConfigDict(extra="ignore")

    what: Annotated[Circumstance, BeforeValidator(as_written)]
    quote: _Words


class _Run(BaseModel):
    model_config = ConfigDict(extra="ignore")

    run: _Words
    stage: _Name = ""
    circumstances: Annotated[list[Any], BeforeValidator(lambda value: value or [])] = []


def read_report(text: str) -> Report | None:
    """What the reply reports; None if it does not hold exactly one report."""
    reply = only_object(text, "claims")
    if isinstance(reply, str):
        return None
    claims, bad_claims = _valid(reply["claims"], _Claim)
    runs, bad_runs = _valid(reply.get("runs"), _Run)
    return Report(tuple(map(_claim, claims)), tuple(map(_run, runs)), bad_claims + bad_runs)


def _valid(value: object, model: type[M]) -> tuple[list[M], int]:
    """The entries that are of the model's shape, and how many are not."""
    entries = value[:MOST_CLAIMS] if isinstance(value, list) else []
    usable: list[M] = []
    for entry in entries:
        try:
            usable.append(model.model_validate(entry))
        except ValidationError:
            continue
    return usable, len(entries) - len(usable)


def _claim(entry: _Claim) -> ReportedClaim:
    return ReportedClaim(
        entry.quantity,
        entry.value,
        entry.unit,
        entry.quote,
        entry.run,
        entry.whose,
        entry.status,
        entry.device,
        entry.replaces,
    )


def _run(entry: _Run) -> ReportedRun:
    stage = entry.stage if entry.stage in _STAGES else ""
    return ReportedRun(entry.run, stage, tuple(_circumstances(entry.circumstances)))


def _circumstances(entries: list[Any]) -> Iterator[tuple[str, str]]:
    for each in _valid(entries, _Circumstance)[0]:
        yield each.what.value, each.quote
