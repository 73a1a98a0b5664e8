"""Figures in journals of earlier versions, which kept them by run and under another name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interviewer.grading.claims import catalog

EVENT = "claims_read"


def figures_read(data: Mapping[str, Any]) -> dict[str, Any]:
    """The journal entry as it is written today.

    Quantities that are no longer known are left out, and so is all that the model failed to read.
    """
    turn, read = data["turn"], data.get("read") or {}
    quantities = [each for run in read.get("runs", ()) for each in _quantities(run, turn)]
    return {
        "event": "figures_read",
        "turn": turn,
        "reading": {"turn": turn, "quantities": quantities, "by": "earlier"},
    }


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
