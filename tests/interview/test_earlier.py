"""Figures in journals of earlier versions are still read."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.quantity import Reading
from interviewer.interview.earlier import translate

GPUS = {
    **{"measure": "gpus", "value": 64.0, "unit": "H100", "text": "64 H100s", "span": [3, 11]},
    **{"low": 64.0, "high": 64.0, "device": "H100"},
}
TIME = {
    **{"measure": "duration", "value": 1e5, "unit": "hours", "text": "30 hours", "span": [15, 23]},
    **{"low": 9e4, "high": None},
}
GONE = {**GPUS, "measure": "no_longer_known"}


def entry(turn: int, *runs: dict[str, Any]) -> dict[str, Any]:
    read = {"runs": list(runs), "dropped": 1}
    return {"event": "claims_read", "turn": turn, "read": read}


def reading(data: dict[str, Any]) -> Reading:
    today = translate(data)
    assert today["event"] == "figures_read"
    assert today["turn"] == data["turn"]
    found: Reading = TypeAdapter(Reading).validate_python(today["reading"])
    return found


def test_figures_keep_their_words_run_and_device() -> None:
    found = reading(entry(4, {"label": "the 13B", "claims": [GPUS, TIME, GONE], "stage": "sft"}))
    assert (found.turn, found.by, found.failed) == (4, "earlier", "")
    gpus, time = found.quantities
    assert (gpus.measure, gpus.value, gpus.text, gpus.span) == ("gpus", 64, "64 H100s", (3, 11))
    assert (gpus.run, gpus.device, gpus.turn) == ("the 13B", "H100", 4)
    assert (time.unit, time.device, time.status) == ("hours", "", "stands")


def test_what_was_replaced_or_withdrawn_then_no_longer_stands() -> None:
    first = reading(entry(2, {"label": "a", "claims": [GPUS, TIME]}))
    more = {**GPUS, "value": 128.0, "text": "128 H100s"}
    then = {"label": "a", "claims": [more], "replaces": ["gpus"], "withdrawn": [TIME]}
    found = ledger((first, reading(entry(4, then))))
    assert [(each.value, each.status) for each in found.quantities] == [
        (64, "corrected"),
        (1e5, "withdrawn"),
        (128, "stands"),
    ]


def test_an_answer_that_was_not_read_has_no_figures() -> None:
    assert reading({"event": "claims_read", "turn": 2, "read": None}).quantities == ()
    assert reading({"event": "claims_read", "turn": 2}).quantities == ()
