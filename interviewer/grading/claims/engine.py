"""What follows from the numbers of one run, and what cannot hold.

Every relation is solved for each of its quantities whose others are known, as intervals that hold
the slack of honest counting and rounding; what was derived is used again. Two intervals of one
quantity that do not meet are a contradiction of the claims behind them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product

from interviewer.grading.claims.circumstances import Circumstance
from interviewer.grading.claims.claim import Claim, Measure
from interviewer.grading.claims.factors import Ratio
from interviewer.grading.claims.relations import RELATIONS, Relation
from interviewer.grading.claims.run import Bounds, Run
from interviewer.grading.claims.unsaid import LIMITS, Known, known_of, rounding

MOST_ROUNDS = 6
MOST_FACTS = 4
"""Derived in different ways, kept of one quantity; those of the fewest claims come first."""

MOSTLY = 0.5
"""Of its claims in a plainer conflict: it is not said as well."""


@dataclass(frozen=True)
class Fact:
    """Bounds of a quantity: stated, known of the device, or derived by a relation."""

    measure: Measure
    low: float
    high: float
    value: float
    """What an examiner would say: without the slack."""
    claims: tuple[Claim, ...] = ()
    note: str = ""
    """Of a fact without claims: "at full peak"."""
    relation: Relation | None = None
    inputs: tuple[Fact, ...] = ()
    given: tuple[Claim, ...] = ()
    """Claims that the relation's factor itself rests on."""

    @cached_property
    def measures(self) -> frozenset[Measure]:
        """All that it was derived from, itself included."""
        return frozenset((self.measure,)).union(*(each.measures for each in self.inputs))

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The relations that lead to it, the first ones first."""
        before = (relation for each in self.inputs for relation in each.relations)
        own = (self.relation,) if self.relation else ()
        return tuple(dict.fromkeys((*before, *own)))

    @cached_property
    def leaves(self) -> tuple[Fact, ...]:
        """What it goes back to: stated, or known of the device."""
        return (
            tuple(leaf for each in self.inputs for leaf in each.leaves) if self.inputs else (self,)
        )

    @property
    def is_stated(self) -> bool:
        """It is the candidate's own figure, not one known of their device."""
        return self.relation is None and bool(self.claims) and not self.note

    @cached_property
    def divisions(self) -> int:
        """How many relations on the way were solved for a factor: these read worse."""
        own = self.relation is not None and self.relation.result is not self.measure
        return own + sum(each.divisions for each in self.inputs)


@dataclass(frozen=True)
class Conflict:
    """Two facts on one quantity that cannot both hold."""

    more: Fact
    less: Fact

    @cached_property
    def sides(self) -> tuple[Fact, Fact]:
        """What was computed, and what it is held against."""
        one, other = self.more, self.less
        if one.relation is None or (other.relation and other.divisions < one.divisions):
            return other, one
        return one, other

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """All that take part, each once."""
        made, other = self.sides
        return tuple(dict.fromkeys((*made.claims, *other.claims)))

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The relations that it went through."""
        return tuple(dict.fromkeys((*self.more.relations, *self.less.relations)))

    @property
    def awkwardness(self) -> tuple[int, ...]:
        """The lowest reads best: few claims, products, compared with what was said."""
        sides = (self.more, self.less)
        return (
            len(self.claims),
            sum(side.divisions for side in sides),
            not any(side.is_stated for side in sides),
            len(self.relations),
        )


@dataclass
class Knowledge:
    """The facts of one run, by quantity."""

    facts: dict[Measure, list[Fact]] = field(default_factory=lambda: defaultdict(list))

    def add(self, fact: Fact) -> bool:
        """Keep the fact, unless as much is known from no more claims."""
        known = self.facts[fact.measure]
        claims = set(fact.claims)
        for other in known:
            if (
                claims.issuperset(other.claims)
                and other.low >= fact.low
                and other.high <= fact.high
            ):
                return False
        if len(known) >= MOST_FACTS + 2:
            return False
        known.append(fact)
        known.sort(key=lambda each: (not each.is_stated, len(each.claims), len(each.relations)))
        return True


def facts_of(run: Run, *wanted: Measure) -> Mapping[Measure, list[Fact]]:
    """All that follows from the run's numbers and leads to another of them, or to one wanted."""
    knowledge = Knowledge()
    for fact in (*_stated(run), *map(_known, known_of(run))):
        knowledge.add(fact)
    if not any(fact.claims for facts in knowledge.facts.values() for fact in facts):
        return {}
    for measure, (limit, note) in LIMITS.items():
        knowledge.add(Fact(measure, 0.0, limit, limit, note=note))
    usable = list(_connected(run, {*knowledge.facts, *wanted}))
    news = [fact for facts in knowledge.facts.values() for fact in facts]
    for step in range(MOST_ROUNDS):
        changed = {fact.measure for fact in news}
        latest = frozenset(map(id, news))
        derived = [
            fact
            for relation, ratio in usable
            if not changed.isdisjoint(relation.measures) or not (relation.factors or step)
            for fact in _derived(relation, ratio, knowledge.facts, latest)
        ]
        if not (news := [fact for fact in derived if knowledge.add(fact)]):
            break
    return knowledge.facts


def _connected(run: Run, known: Collection[Measure]) -> Iterator[tuple[Relation, Ratio]]:
    """The relations that hold for the run and can lead from one known quantity to another."""
    known = frozenset(known)
    holding = {
        relation: ratio for relation in _leading(known, RELATIONS) if (ratio := relation.ratio(run))
    }
    return ((relation, holding[relation]) for relation in _leading(known, tuple(holding)))


@lru_cache(maxsize=512)
def _leading(known: frozenset[Measure], relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """Those of which every quantity is known or joined by another of them, in order."""
    while True:
        uses = Counter(measure for relation in relations for measure in relation.measures)
        kept = tuple(
            relation
            for relation in relations
            if all(measure in known or uses[measure] > 1 for measure in relation.measures)
        )
        if len(kept) == len(relations):
            return kept
        relations = kept


def _stated(run: Run) -> Iterator[Fact]:
    for measure in run.distinct:
        down, up = rounding(measure, run)
        for bounds in run.readings(measure):
            values = [claim.value for claim in bounds.claims]
            value = values[0] if len(values) == 1 else bounds.high
            if bounds.high < 0 and measure is Measure.CHANGE:  # a fall, said with its sign
                bounds, value = Bounds(-bounds.high, -bounds.low, bounds.claims), -value
            if bounds.low < 0:  # an estimate by samples, unless it was computed exactly
                if measure is Measure.KL and run.has(Circumstance.EXACT_KL):
                    yield Fact(measure, bounds.low, bounds.high, value, bounds.claims)
                continue
            yield Fact(measure, bounds.low * down, bounds.high * up, value, bounds.claims)


def _known(known: Known) -> Fact:
    value = known.value if known.value is not None else known.high
    return Fact(known.measure, known.low, known.high, value, known.claims, known.note)


def _derived(
    relation: Relation,
    ratio: Ratio,
    facts: Mapping[Measure, list[Fact]],
    latest: frozenset[int],
) -> Iterator[Fact]:
    """What the relation gives with at least one of the latest facts, told by their ids."""
    terms = ((relation.result, -1.0), *relation.factors)
    unknown = [measure for measure, _ in terms if not facts.get(measure)]
    if len(unknown) > 1:
        return
    for measure, power in terms:
        if unknown and measure is not unknown[0]:
            continue
        is_stated = any(fact.is_stated for fact in facts.get(measure, ()))
        if measure is not relation.result and (ratio.is_one_way or is_stated):
            continue  # a stated factor is compared where the result is
        others = [(m, p) for m, p in terms if m is not measure]
        for inputs in product(*(facts[m][:MOST_FACTS] for m, _ in others)):
            if inputs and latest.isdisjoint(map(id, inputs)):
                continue
            if _is_circular(relation, measure, inputs, ratio):
                continue
            fact = _solved(relation, ratio, measure, power, tuple(zip(others, inputs, strict=True)))
            if fact is not None:
                yield fact


def _is_circular(
    relation: Relation, measure: Measure, inputs: tuple[Fact, ...], ratio: Ratio
) -> bool:
    """It would come back to where it started, or rest on no claim."""
    if any(measure in each.measures or relation in each.relations for each in inputs):
        return True
    if any(claim.measure is measure for claim in ratio.claims):
        return True
    return not (ratio.claims or any(each.claims for each in inputs))


def _solved(
    relation: Relation,
    ratio: Ratio,
    measure: Measure,
    power: float,
    others: tuple[tuple[tuple[Measure, float], Fact], ...],
) -> Fact | None:
    """Solve ``1 = ratio · result^-1 · Π factor^power`` for one of them."""
    low, high, value = ratio.low, ratio.high, ratio.value
    for (_, exponent), fact in others:
        ends = (_power(fact.low, exponent), _power(fact.high, exponent))
        low, high = _times(low, min(ends)), _times(high, max(ends))
        value = _times(value, _power(fact.value, exponent))
    ends = (_power(low, -1 / power), _power(high, -1 / power))
    low, high = min(ends), max(ends)
    if low <= 0 and math.isinf(high):
        return None
    claims = dict.fromkeys(claim for _, fact in others for claim in fact.claims)
    return Fact(
        measure,
        low,
        high,
        _power(value, -1 / power),
        tuple(dict.fromkeys((*claims, *ratio.claims))),
        relation=relation,
        inputs=tuple(fact for _, fact in others),
        given=ratio.claims,
    )


def _power(value: float, exponent: float) -> float:
    if value <= 0:
        return math.inf if exponent < 0 else 0.0
    if math.isinf(value):
        return 0.0 if exponent < 0 else math.inf
    return float(value**exponent)


def _times(one: float, other: float) -> float:
    """A product in which nothing known (0 × ∞) stays at its safe end, 0 for low, ∞ for high."""
    return one * other if not (one == 0 or other == 0) else 0.0


@lru_cache(maxsize=128)
def conflicts(run: Run) -> tuple[Conflict, ...]:
    """What cannot be true together in this run; of each set of claims the plainest, few first.

    A conflict that mostly rests on the claims of a plainer one is left out: it says the same, or
    will be found again once that one is settled.
    """
    found = sorted(_conflicts(facts_of(run)), key=lambda each: each.awkwardness)
    kept: list[Conflict] = []
    for conflict in found:
        claims = set(conflict.claims)
        if not any(_is_said(claims, set(other.claims)) for other in kept):
            kept.append(conflict)
    return tuple(kept)


def _is_said(claims: set[Claim], before: set[Claim]) -> bool:
    return before <= claims or len(claims & before) >= MOSTLY * len(claims)


def _conflicts(facts: Mapping[Measure, Iterable[Fact]]) -> Iterator[Conflict]:
    for known in facts.values():
        for more, less in product(known, repeat=2):
            if more.low > less.high and (more.claims or less.claims):
                yield Conflict(more, less)
