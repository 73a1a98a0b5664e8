"""The reading edge of the journal: what earlier versions called otherwise, as it is called today.

The names themselves stand in the table of :mod:`interviewer.names`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from interviewer.grading.claims import catalog
from interviewer.grading.verdicts import UNREAD
from interviewer.names import RETIRED


def translate(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The journal entry as it is written today; one that is damaged stays as it is."""
    with suppress(LookupError, TypeError, AttributeError):
        if (event := data.get("event")) in RETIRED:
            return {"event": RETIRED[event], "turn": data["turn"], "reading": _reading(data)}
        if "move" in data:
            return {**data, "move": _move(data["move"])}
        for parts in ("proposals", "questions"):  # of a reply, of a regrade
            if isinstance(data.get(parts), list):
                return {**data, parts: [translate(each) for each in data[parts]]}
        if "grade" in data:
            return {**data, "grade": translate(data["grade"])}
        if "verdicts" in data:
            return {**data, "verdicts": [*data["verdicts"], *_ungraded(data)]}
    return data


def _move(move: Mapping[str, Any]) -> Mapping[str, Any]:
    """By its own kind: what it says of numbers or of the bench used to tell."""
    names = (f"{move['kind']} by {field}" for field in ("sum", "bench") if move.get(field))
    return {**move, "kind": next((RETIRED[n] for n in names if n in RETIRED), move["kind"])}


def _ungraded(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What could not be judged, which was kept beside the verdicts with a sentence on why."""
    for criterion, why in data.get("ungraded", ()):
        codes = [code for code in why.partition(":")[0].split(", ") if code in UNREAD]
        told = {"ungraded": codes} if codes else {"ungraded": ["other"], "missing": why}
        yield {"criterion": criterion, "verdict": None, **told}


def _reading(data: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of a turn, which were kept by run, as far as their quantities are still known."""
    turn, read = data["turn"], data.get("read") or {}
    quantities = [each for run in read.get("runs", ()) for each in _quantities(run, turn)]
    return {"turn": turn, "quantities": quantities, "by": "earlier"}


def _quantities(run: Mapping[str, Any], turn: int) -> Iterator[dict[str, Any]]:
    for status, claims in (("stands", run.get("claims")), ("withdrawn", run.get("withdrawn"))):
        for claim in claims or ():
            if claim["measure"] in catalog.measures():
                kept = {key: claim[key] for key in ("measure", "value", "unit", "text", "span")}
                yield {
                    **kept,
                    "turn": turn,
                    "run": run["label"],
                    "status": status,
                    "replaces": claim["measure"] in run.get("replaces", ()),
                    "device": claim.get("device", ""),
                }
