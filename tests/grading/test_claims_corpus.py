"""Spoken statements about runs, half of them impossible, by authors who had not seen the rules.

The sets beyond the first were measured once before anything was mended: 20 and then 40 of 40
impossible ones found, 0 and 1 false alarms.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interviewer.grading.claims.ledger import ledger
from interviewer.grading.transcript import Turn, TurnKind

LINES = (Path(__file__).parent / "spoken_claims.jsonl").read_text(encoding="utf-8").splitlines()
STATEMENTS = [json.loads(line) for line in LINES]
SETS = sorted({each["set"] for each in STATEMENTS})


RELATIONS = {
    "batch": {"tokens of a batch", "sequences of a batch"},
    "compute": {"FLOPs of a run"},
    "duration": {"time of all steps"},
    "epochs": {"epochs", "steps of the examples"},
    "memory": {"states", "states on a device"},
    "throughput": {
        "rate of all",
        "tokens at a rate",
        "FLOPs a second of a device",
        "rate of a step",
    },
    "tokens": {"tokens of all steps"},
}
"""The relations behind the sums that the authors named."""


def relations_against(text: str) -> set[str]:
    found = ledger([Turn(1, "candidate", TurnKind.ANSWER, text)]).contradictions
    return {name for contradiction in found for name in contradiction.relations or ("limit",)}


@pytest.mark.parametrize("name", SETS)
def test_what_is_possible_raises_no_alarm(name: str) -> None:
    honest = [each for each in STATEMENTS if each["set"] == name and each["possible"]]
    assert len(honest) == 40
    assert [each["id"] for each in honest if relations_against(each["text"])] == []


@pytest.mark.parametrize("name", SETS)
def test_nine_in_ten_impossible_runs_are_found_by_the_right_sum(name: str) -> None:
    impossible = [each for each in STATEMENTS if each["set"] == name and not each["possible"]]
    assert len(impossible) == 40
    found = [
        each for each in impossible if RELATIONS[each["sum"]] & relations_against(each["text"])
    ]
    assert len(found) >= 0.9 * len(impossible)
