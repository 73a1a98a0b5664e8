"""Right answers in plain words: none may be read as wrong, few may earn what they don't say."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel
from support.judged import checked

from interviewer.grading.transcript import exchange
from interviewer.rubric.rubric import Rubric, Verdict


class Said(BaseModel, extra="forbid"):
    """A right answer, the points that it makes and those that it may be granted."""

    makes: list[str]
    may: list[str] = []
    say: str


@cache
def right_answers() -> dict[str, list[Said]]:
    """By the id of the rubric."""
    text = (Path(__file__).parent / "right_answers.yaml").read_text()
    return {name: [Said(**each) for each in told] for name, told in yaml.safe_load(text).items()}


@cache
def whole_answers() -> dict[str, list[str]]:
    """Right answers to a whole question, without what they make, by the id of the rubric."""
    found: dict[str, list[str]] = {}
    lines = (Path(__file__).parent / "whole_right_answers.jsonl").read_text(encoding="utf-8")
    for row in map(json.loads, lines.splitlines()):
        found.setdefault(row["rubric"], []).append(row["text"])
    return found


def verdicts(rubric: Rubric, answer: str) -> dict[str, Verdict]:
    turns = exchange(rubric.question, answer)
    return {v.criterion: v.verdict for v in checked(rubric, turns)}


def test_no_right_answer_is_read_as_wrong(shipped_rubric: Rubric) -> None:
    told = [each.say for each in right_answers().get(shipped_rubric.id, [])]
    wrong = {
        say: point
        for say in (*told, *whole_answers().get(shipped_rubric.id, []))
        for point, verdict in verdicts(shipped_rubric, say).items()
        if verdict is Verdict.CONTRADICTED
    }
    assert not wrong


def test_most_points_count_and_none_unsaid(shipped_rubric: Rubric) -> None:
    """Of the points made at least half; of those not made at most two in full."""
    answers = right_answers().get(shipped_rubric.id, [])
    seen: Counter[str] = Counter()
    for told in answers:
        for point, verdict in verdicts(shipped_rubric, told.say).items():
            if point in told.makes:
                seen["made"] += 1
                seen["credited"] += verdict in (Verdict.MET, Verdict.PARTIAL)
            elif point not in told.may:
                seen["unsaid"] += verdict is Verdict.MET
    assert 2 * seen["credited"] >= seen["made"]
    assert seen["unsaid"] <= 2
