"""The criteria of a rubric in batches small enough to be judged well in one request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from interviewer.examiner.llm.canary import Canary
from interviewer.rubric.rubric import Criterion

MOST_CRITERIA = 6
"""Judges lose accuracy when they are given more at a time (grading studies advise four to six)."""


@dataclass(frozen=True)
class Batch:
    """Criteria that share one answer key, with a planted one among them or none."""

    criteria: tuple[Criterion, ...]
    canary: Canary | None = None

    @property
    def key(self) -> tuple[Criterion, ...]:
        """All criteria of the answer key, in its order."""
        return self.canary.among(self.criteria) if self.canary else self.criteria

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the answer key, in its order."""
        return tuple(criterion.id for criterion in self.key)


def in_batches(criteria: Sequence[Criterion], canary: Canary | None = None) -> tuple[Batch, ...]:
    """The criteria in order, in as few batches as possible and these as even as possible.

    The canary goes into the first batch, on top of its criteria.
    """
    count = -(-len(criteria) // MOST_CRITERIA)
    ends = [round(len(criteria) * number / count) for number in range(count + 1)]
    batches = [Batch(tuple(criteria[start:end])) for start, end in pairwise(ends)]
    return (replace(batches[0], canary=canary), *batches[1:])
