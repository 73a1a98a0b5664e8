"""Whether answers with the same facts are graded alike in two styles, offline.

    python -m tests.evals judging.style

Item 44 of the audit of conduct: the same facts in two styles score within 0.05, or are known not.
The pairs were written before anything was run on them (see the head of ``style_pairs.yaml``); when
they were first graded, 19 of 31 were within 0.05. No rubric may be made to fit them, so never look
at them for wording. With --details each pair that differs with the points judged differently, and
the means by kind of style.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from evals.figures import Figure, count, share
from pydantic import BaseModel
from support.shipped import shipped

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Examiner
from interviewer.grading.verdicts import Grade
from interviewer.interview.examining import grade_answer

FILE = Path(__file__).with_name("style_pairs.yaml")
WITHIN = 0.05
KNOWN = {
    "activation-checkpointing": 0.17,
    "catastrophic-forgetting": 0.37,
    "checkpoint-contents-and-resume": 0.29,
    "compute-optimal-scaling": 0.10,
    "dpo-versus-ppo": 0.30,
    "pipeline-bubble": 0.34,
    "pretraining-loss-spike": 0.08,
}
"""Pairs known to differ by more than 0.05, by rubric, with the most by which they do."""


class StylePair(BaseModel, frozen=True, extra="forbid"):
    """Two answers to one question; ``kind`` names the style of the one, then of the other."""

    rubric: str
    kind: str
    one: str
    other: str


@dataclass(frozen=True)
class GradedPair:
    """A pair with the grade of each, which was given on its own."""

    pair: StylePair
    one: Grade
    other: Grade

    @property
    def apart(self) -> float:
        return abs((self.other.final or 0.0) - (self.one.final or 0.0))

    def __str__(self) -> str:
        other = {each.criterion: each.verdict for each in self.other.verdicts}
        points = "; ".join(
            f"{each.criterion} {each.verdict}, {other[each.criterion]}"
            for each in self.one.verdicts
            if each.verdict is not other.get(each.criterion, each.verdict)
        )
        return f"{self.pair.rubric} ({self.pair.kind}) differ by {self.apart:.2f}: {points}"


async def graded_pairs(examiner: Examiner, pairs: Sequence[StylePair]) -> list[GradedPair]:
    """Each answer graded as ``interviewer grade`` does."""
    graded = []
    for pair in pairs:
        rubric = shipped(pair.rubric)
        one, other = [
            (await grade_answer(examiner, rubric, each)).grade for each in (pair.one, pair.other)
        ]
        graded.append(GradedPair(pair, one, other))
    return graded


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """The pairs that are graded alike, and those that are not."""
    pairs = [StylePair.model_validate(each) for each in yaml.safe_load(FILE.read_text("utf-8"))]
    graded = asyncio.run(graded_pairs(OfflineExaminer(), pairs))
    apart = [each for each in graded if each.apart > WITHIN + 1e-9]
    yield share("pairs within 0.05", len(graded) - len(apart), len(graded), map(str, apart))
    new = [each for each in apart if round(each.apart, 2) > KNOWN.get(each.pair.rubric, 0)]
    yield count("pairs that differ more than is known", new)
    alike = KNOWN.keys() - {each.pair.rubric for each in apart}
    yield count("pairs known to differ that no longer do", sorted(alike))
    nothing = [each for each in graded if not (each.one.final and each.other.final)]
    yield count("pairs of which one earns nothing", nothing)
