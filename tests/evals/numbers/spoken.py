"""Whether impossible runs are found in spoken statements, and possible ones are left alone.

Half of the statements are impossible; their authors had not seen the rules. The sets beyond the
first were measured once before anything was mended: 20 and then 40 of 40 impossible ones found, 0
and 1 false alarms.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from evals.figures import Figure, count, share

from interviewer.grading.claims.ledger import ledger
from interviewer.grading.transcript import Turn, TurnKind

LINES = Path(__file__).with_name("spoken_claims.jsonl").read_text(encoding="utf-8").splitlines()
STATEMENTS = [json.loads(line) for line in LINES]
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
    """The relations that contradict a statement."""
    found = ledger([Turn(1, "candidate", TurnKind.ANSWER, text)]).contradictions
    return {name for contradiction in found for name in contradiction.relations or ("limit",)}


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """Two figures for each set."""
    for name in sorted({each["set"] for each in STATEMENTS}):
        own = [each for each in STATEMENTS if each["set"] == name]
        honest = [each for each in own if each["possible"]]
        alarms = [f"{e['id']}: {e['text']}" for e in honest if relations_against(e["text"])]
        yield count(f"{name}: possible runs called impossible", alarms, len(honest))
        false = [each for each in own if not each["possible"]]
        missed = [e for e in false if not RELATIONS[e["sum"]] & relations_against(e["text"])]
        notes = (f"{each['id']} ({each['sum']}): {each['text']}" for each in missed)
        yield share(f"{name}: impossible runs found", len(false) - len(missed), len(false), notes)
