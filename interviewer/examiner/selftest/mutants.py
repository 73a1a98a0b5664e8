"""Full answers with one point taken out or turned round: the point must be lost with it.

Mutation testing (DeMillo, Lipton and Sayward 1978) of a rubric: a mutant that keeps the point
shows that something else in the answer earns it, so that the rubric cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from interviewer.rubric.rubric import Criterion, Rubric, Sample, Verdict
from interviewer.rubric.text import Span, normalise, sentences


@dataclass(frozen=True)
class Mutation:
    """A point of a full sample that is to be taken out of it."""

    rubric: Rubric
    sample: Sample
    criterion: Criterion


@dataclass(frozen=True)
class Mutant:
    """The sample's answer without the sentences that carry the point.

    In a reversed one a misconception stands in their place.
    """

    kind: Literal["removed", "reversed"]
    answer: str


def mutations_of(rubric: Rubric) -> tuple[Mutation, ...]:
    """A mutation for every point that the rubric's first full sample makes."""
    full = next((sample for sample in rubric.samples if sample.kind == "full"), None)
    if full is None:
        return ()
    return tuple(
        Mutation(rubric, full, criterion)
        for criterion in rubric.criteria
        if full.verdicts.get(criterion.id) is Verdict.MET
    )


def mutants_of(criterion: Criterion, answer: str, evidence: Span) -> Iterator[Mutant]:
    """The mutants of an answer in which this span of characters carries the criterion."""
    kept = [answer[a:b] for a, b in _sentences(answer) if not _overlap((a, b), evidence)]
    yield Mutant("removed", " ".join(kept))
    if criterion.misconceptions:
        yield Mutant("reversed", " ".join([*kept, criterion.misconceptions[0].claim]))


def _sentences(answer: str) -> Iterator[Span]:
    plain = normalise(answer)
    return (plain.original_span(start, end) for start, end in sentences(plain))


def _overlap(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]
