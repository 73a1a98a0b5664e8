"""Item 44 of the audit: the same facts in two styles are graded alike, within 0.05.

The pairs were written before anything was run on them; see the head of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from interviewer.examiner.protocol import Examiner
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.interview.examining import SingleGrade, grade_answer
from support.shipped import shipped

FILE = Path(__file__).parents[1] / "grading" / "style_pairs.yaml"
WITHIN = 0.05


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


def _by_criterion(graded: SingleGrade) -> dict[str, CriterionVerdict]:
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
