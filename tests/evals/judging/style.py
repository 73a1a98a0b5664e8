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
from statistics import fmean

import yaml
from evals.figures import Figure, count, share
from pydantic import BaseModel, ConfigDict
from support.shipped import shipped

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Examiner
from interviewer.grading.verdicts import Verdict
from interviewer.interview.examining import SingleGrade, grade_answer

FILE = Path(__file__).with_name("style_pairs.yaml")
WITHIN = 0.05
KNOWN = {
    "activation-checkpointing": 0.17,
    "catastrophic-forgetting": 0.37,
    "checkpoint-contents-and-resume": 0.20,
    "compute-optimal-scaling": 0.10,
    "contamination-and-gaming": 0.10,
    "dpo-versus-ppo": 0.25,
    "low-mfu-speedup": 0.07,
    "multi-node-hang": 0.08,
    "pipeline-bubble": 0.34,
    "pretraining-loss-spike": 0.08,
}
"""Pairs known to differ by more than 0.05, by rubric, with the most by which they do."""


class StylePair(BaseModel):
    """Two answers to one question; ``kind`` names the style of the one, then of the other."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rubric: str
    kind: str
    one: str
    other: str


@dataclass(frozen=True)
class GradedPair:
    """A pair with the grade of each."""

    pair: StylePair
    one: SingleGrade
    other: SingleGrade

    @property
    def difference(self) -> float:
        """By how much the other scores higher."""
        return score(self.other) - score(self.one)

    @property
    def alike(self) -> bool:
        """The two are within 0.05."""
        return abs(self.difference) <= WITHIN + 1e-9

    @property
    def verdicts(self) -> dict[str, tuple[str, str]]:
        """The points judged differently, with the verdict on the one and on the other."""
        one, other = _by_criterion(self.one), _by_criterion(self.other)
        both = {name: (one[name], other[name]) for name in one.keys() & other.keys()}
        return {
            name: (str(a.verdict), str(b.verdict))
            for name, (a, b) in both.items()
            if a.verdict is not b.verdict
        }


def _by_criterion(graded: SingleGrade) -> dict[str, Verdict]:
    return {verdict.criterion: verdict for verdict in graded.grade.verdicts}


def score(graded: SingleGrade) -> float:
    """The score of the whole question. Raises ValueError if it could not be judged."""
    if graded.grade.final is None:
        raise ValueError(f"{graded.grade.rubric} could not be judged")
    return graded.grade.final


def load_pairs() -> list[StylePair]:
    """All pairs, in the order of the file."""
    data = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return [StylePair.model_validate(each) for each in data]


async def graded_pairs(examiner: Examiner, pairs: Sequence[StylePair]) -> list[GradedPair]:
    """Each answer graded on its own, as ``interviewer grade`` does."""
    return [
        GradedPair(
            pair,
            await grade_answer(examiner, shipped(pair.rubric), pair.one),
            await grade_answer(examiner, shipped(pair.rubric), pair.other),
        )
        for pair in pairs
    ]


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """The pairs that are graded alike, and those that are not."""
    graded = asyncio.run(graded_pairs(OfflineExaminer(), load_pairs()))
    apart = [each for each in graded if not each.alike]
    notes = [*map(told, apart), *by_kind(graded)]
    yield share("pairs within 0.05", len(graded) - len(apart), len(graded), notes)
    new = [e for e in apart if abs(e.difference) > KNOWN.get(e.pair.rubric, 0)]
    yield count("pairs that differ more than is known", map(told, new))
    alike = KNOWN.keys() - {each.pair.rubric for each in apart}
    yield count("pairs known to differ that no longer do", sorted(alike))
    nothing = [e for e in graded if not (e.one.grade.final and e.other.grade.final)]
    yield count("pairs of which one earns nothing", map(told, nothing))


def told(each: GradedPair) -> str:
    """A pair and the points judged differently."""
    points = "; ".join(f"{name} {one}, {two}" for name, (one, two) in each.verdicts.items())
    scores = f"{score(each.one):.2f}, {score(each.other):.2f}"
    return f"{each.pair.rubric} ({each.pair.kind}): {scores}: {points}"


def by_kind(graded: Sequence[GradedPair]) -> Iterator[str]:
    """The means by kind of style."""
    for kind in dict.fromkeys(each.pair.kind for each in graded):
        own = [each.difference for each in graded if each.pair.kind == kind]
        yield f"{kind:18} mean {fmean(own):+.3f}, mean size {fmean(map(abs, own)):.3f}"
