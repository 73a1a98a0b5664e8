"""Which relations a claim entered, and what they gave."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interviewer.grading.claims.claim import Claim, Measure
from interviewer.grading.claims.engine import Fact, facts_of
from interviewer.grading.claims.run import Run
from interviewer.grading.claims.sentences import bounded


@dataclass(frozen=True)
class Derived:
    """What a relation made of claims: a quantity, its value, and the value in words."""

    relation: str
    measure: Measure
    value: float
    words: str


def relations_entered(runs: Iterable[Run]) -> Mapping[Claim, tuple[Derived, ...]]:
    """For each claim, what the relations that took it as it was stated gave, plainest first."""
    found: dict[Claim, dict[tuple[str, Measure], Derived]] = defaultdict(dict)
    for run in runs:
        derived = [fact for facts in facts_of(run).values() for fact in facts]
        for fact in sorted(derived, key=_plainness):
            if fact.relation is None or not fact.relation.says:  # some go without saying
                continue
            gave = Derived(fact.relation.name, fact.measure, fact.value, bounded(fact))
            for claim in _taken(fact):
                found[claim].setdefault((gave.relation, gave.measure), gave)
    return {claim: tuple(each.values()) for claim, each in found.items()}


def _plainness(fact: Fact) -> tuple[bool, int, int]:
    """What a product of figures gave comes before mere limits and divisions."""
    is_limit = fact.low <= 0 or math.isinf(fact.high)
    return is_limit, fact.divisions, len(fact.claims)


def _taken(fact: Fact) -> Iterable[Claim]:
    stated = (claim for each in fact.inputs if each.relation is None for claim in each.claims)
    return dict.fromkeys((*stated, *fact.given))
