"""Plain requests, heard offline as what they are.

    python -m tests.evals conduct.requests

Four plain sets and one of free phrasings, by hands that saw no rule. Of each, when first measured:
25 and 31 of 40 by rules; by the trained model 33 of 40 and 24 of 60 free ones, and 36 of 40 after
it had learned from twice as many sentences, what it had missed of the third set among them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import yaml
from evals.figures import Figure, share
from support.shipped import shipped

from interviewer.examiner.listening import acts_of
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind

REQUESTS = Path(__file__).with_name("requests.yaml")
HEARD_AS = {
    "meaning": {DialogueAct.QUESTION_BACK},
    "rephrase": {DialogueAct.WANTS_REPHRASE, DialogueAct.QUESTION_BACK},
    "repeat": {DialogueAct.WANTS_REPEAT, DialogueAct.WANTS_REPHRASE},
    "hint": {DialogueAct.WANTS_HINT},
    "smaller_step": {DialogueAct.WANTS_SMALLER, DialogueAct.WANTS_REPHRASE},
    "dont_know": {DialogueAct.GIVES_UP},
    "skip": {DialogueAct.WANTS_SKIP},
    "stop": {DialogueAct.WANTS_TO_STOP},
    "comfort": {DialogueAct.WANTS_COMFORT, DialogueAct.GIVES_UP},
    "objects": {DialogueAct.OBJECTS},
    "said_that": {DialogueAct.SAID_THAT},
    "moment": {DialogueAct.TRIES, DialogueAct.DECLINES},
    "correction": {DialogueAct.ANSWER},
    "withdrawal": {DialogueAct.WITHDRAWAL},
}
"""What the rules may hear in a request of a kind, each with a reply of its own."""


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    requests = yaml.safe_load(REQUESTS.read_text("utf-8"))
    for name in dict.fromkeys(each["set"] for each in requests):
        of_set = [each for each in requests if each["set"] == name]
        missed = [f"{r['kind']}: {r['says']}" for r in of_set if not _is_heard(r)]
        yield share(f"{name}: plain requests heard", len(of_set) - len(missed), len(of_set), missed)


def _is_heard(request: dict[str, str]) -> bool:
    question = shipped(request["question"]).question
    turns = (
        Turn(1, "examiner", TurnKind.QUESTION, question),
        Turn(2, "candidate", TurnKind.ANSWER, request["before"]),
        Turn(3, "examiner", TurnKind.PROBE, request["asked"]),
        Turn(4, "candidate", TurnKind.ANSWER, request["says"]),
    )
    return not HEARD_AS[request["kind"]].isdisjoint(acts_of(turns))
