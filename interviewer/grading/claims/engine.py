"""What follows from the figures of one run, and which of them no reading lets be true together.

Every relation is solved, as intervals that hold the slack of honest counting, for what is not known
yet; what was derived is used again. Two facts on one quantity whose intervals do not meet are a
conflict. It is an objection only if no reading that people mean by the figures makes them meet.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product

from interviewer.grading.claims.quantity import (
    FORMULAS,
    GROUPED,
    Closing,
    Contradiction,
    Quantity,
    Relation,
    amount,
    device_of,
    measures,
    relations,
    shown,
)
from interviewer.grading.numerals import HOUR

MOST_ROUNDS = 4
MOST_FACTS = 4
"""Of one quantity, those of the fewest figures."""
ROUNDED = 0.025
"""How far a figure may be rounded, if it is not a small whole number."""
SMALL = 1000
PART = 0.05
"""A shorter time, or fewer steps, beside a run's are those of something in it."""
ONE_VALUE = 1.2
"""Bounds nearer than that are of one value, not of two runs or of a ramp."""
USUAL_NODE = 8.0
"""Devices in a node of which nothing was said."""
_ONE = re.compile(r"^(1 [^;×]*? (?:hold|give|make|take|keep|allow|leave))( )")
Facts = Mapping[str, list["Fact"]]


@dataclass(frozen=True)
class Fact:
    """Bounds of a quantity: stated, known of the device (``note`` says how), or derived."""

    measure: str
    low: float
    high: float
    value: float
    """What an examiner would say, without the slack."""
    quantities: tuple[Quantity, ...] = ()
    relation: Relation | None = None
    inputs: tuple[Fact, ...] = ()
    note: str = ""

    @property
    def is_stated(self) -> bool:
        """It is the candidate's own figure."""
        return self.relation is None and not self.note

    @cached_property
    def measures(self) -> frozenset[str]:
        """All that it was derived from, itself included."""
        return frozenset((self.measure,)).union(*(each.measures for each in self.inputs))

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The relations that lead to it, the first ones first."""
        own = (self.relation,) if self.relation else ()
        return tuple(dict.fromkeys((*(r for each in self.inputs for r in each.relations), *own)))


def contradictions(
    quantities: tuple[Quantity, ...], circumstances: frozenset[str] = frozenset()
) -> tuple[Contradiction, ...]:
    """What cannot be true together in this run under any reading; the plainest first.

    One that mostly rests on the figures of a plainer one is left out: it says the same.
    """
    found = sorted(_conflicts(facts_of(quantities, circumstances)), key=_awkwardness)
    kept: list[Contradiction] = []
    for conflict in found:
        parts = _parts(conflict)
        if any(2 * len(parts & set(before.quantities)) >= len(parts) for before in kept):
            continue
        more, less = _plainest(conflict, circumstances)
        is_seen = not math.isclose(more.value, less.value, rel_tol=ROUNDED)
        if is_seen and not _is_excused(tuple(parts), quantities, circumstances):
            kept.append(_contradiction(more, less, parts))
    return tuple(kept)


def _plainest(conflict: tuple[Fact, Fact], circumstances: frozenset[str]) -> tuple[Fact, Fact]:
    """The same with one value of each quantity: no value of a range makes sense of it."""
    parts = sorted(_parts(conflict), key=lambda each: each.place)
    last = {each.measure: each for each in parts}
    if len(last) == len(parts) or not GROUPED.isdisjoint(last):
        return conflict
    found = _conflicts(facts_of(tuple(last.values()), circumstances))
    return min(found, key=_awkwardness, default=conflict)


def closings(
    quantities: tuple[Quantity, ...], circumstances: frozenset[str] = frozenset()
) -> Iterator[Closing]:
    """What stated figures come to that the candidate did not say, where it is worth a question."""
    facts = facts_of(quantities, circumstances)
    if any(True for _ in _conflicts(facts)):
        return
    for fact in (each for known in facts.values() for each in known):
        relation = fact.relation
        if relation is None or not relation.asks or relation.result != fact.measure:
            continue
        least, most = relation.plausible
        is_said = any(each.is_stated for each in facts[fact.measure])
        is_plain = all(map(_is_plain, fact.inputs))
        if is_plain and not is_said and least <= fact.value <= most:
            sentence = _sentence(_clauses(fact)[-1:])
            yield Closing(sentence, relation.asks, fact.measure, fact.value, fact.quantities)


def _is_plain(fact: Fact) -> bool:
    is_said = fact.relation is None or fact.relation.silent
    return is_said and (bool(fact.note) or fact.high <= ONE_VALUE * fact.low)


@lru_cache(maxsize=64)
def facts_of(quantities: tuple[Quantity, ...], circumstances: frozenset[str]) -> Facts:
    """All that follows from the figures, by quantity, the stated ones first."""
    facts: dict[str, list[Fact]] = defaultdict(list)
    for fact in (*_stated(quantities), *_known_of_devices(quantities, circumstances)):
        facts[fact.measure].append(fact)
    holding = [
        (relation, bounds) for relation in relations() if (bounds := relation.bounds(circumstances))
    ]
    changed = set(facts)
    for step in range(MOST_ROUNDS):
        news = [
            fact
            for relation, bounds in holding
            if not changed.isdisjoint((relation.result, *relation.inputs))
            or not (relation.inputs or step)
            for fact in _derived(relation, bounds, facts)
        ]
        if not (changed := {fact.measure for fact in news if _add(facts, fact)}):
            break
    return facts


def _add(facts: dict[str, list[Fact]], fact: Fact) -> bool:
    """Keep the fact, unless as much is known from no more figures."""
    known = facts[fact.measure]
    parts = set(fact.quantities)
    for other in known:
        if parts.issuperset(other.quantities) and other.low >= fact.low and other.high <= fact.high:
            return False
    if len(known) >= MOST_FACTS:
        return False
    known.append(fact)
    known.sort(key=lambda each: (not each.is_stated, len(each.quantities)))
    return True


def _stated(quantities: Sequence[Quantity]) -> Iterator[Fact]:
    """One fact a quantity: several values of it are a range, as of a ramp or of two runs."""
    by_measure: dict[str, list[Quantity]] = defaultdict(list)
    for each in quantities:
        by_measure[each.measure].append(each)
    for measure, stated in by_measure.items():
        if measure in ("portion", "addend"):
            continue
        high = max(q.value for q in stated)
        if measure in ("duration", "steps"):
            whole = max((q.value for q in stated if not q.unsure), default=0.0)
            stated = [q for q in stated if q.unsure or q.value >= PART * whole]
        low = min(q.value for q in stated)
        if high <= 0:
            continue
        is_exact = high < SMALL and all(float(q.value).is_integer() for q in stated)
        slack = 0.0 if is_exact else ROUNDED
        yield Fact(measure, low * (1 - slack), high * (1 + slack), high, tuple(stated))
    yield from _sums(by_measure)


def _sums(by_measure: Mapping[str, Sequence[Quantity]]) -> Iterator[Fact]:
    for term, result, most in (("addend", "total", math.inf), ("portion", "share", 1.0)):
        terms = by_measure.get(term, ())
        total = sum(each.value for each in terms)
        if len(terms) > 1 and (most is math.inf or total > most * 1.02):
            slack = 0.06 if most is math.inf else 0.006 * len(terms)
            low, high = total * (1 - slack), total * (1 + slack)
            said = " + ".join(map(shown, terms))
            yield Fact(result, low, high, total, tuple(terms), note=f"{said} is")
            if most < math.inf:
                yield Fact(result, 0.0, most, most, note="a whole has")


def _known_of_devices(
    quantities: Sequence[Quantity], circumstances: frozenset[str]
) -> Iterator[Fact]:
    """Peak, memory and price of the devices that the run names, where they were not stated."""
    devices = [found for q in quantities if q.device and (found := device_of(q.device))]
    if not devices:
        return
    peaks = [each.tflops * 1e12 for each in devices]
    sizes = [size * 1e9 for each in devices for size in each.memory]
    faster = 2.0 if "fp8" in circumstances and any(each.fp8 for each in devices) else 1.0
    fastest = max(peaks) * faster * (2.0 if "sparsity" in circumstances else 1.0)
    known = [
        ("peak", min(peaks) * 0.98, fastest * 1.02, fastest, "does"),
        ("gpu_memory", min(sizes), max(sizes) * 1.08, max(sizes), "has"),
    ]
    prices = [each.dollars for each in devices if each.dollars]
    if len(prices) == len(devices):
        low, high = min(low for low, _ in prices) / HOUR, max(high for _, high in prices) / HOUR
        known.append(("price", low, high, math.sqrt(low * high), "costs"))
    name = f"{'an' if devices[-1].name[0] in 'AHLMR' else 'a'} {devices[-1].name}"
    stated = {each.measure for each in quantities}
    for measure, low, high, value, verb in known:
        if measure not in stated:
            yield Fact(measure, low, high, value, note=f"{name} {verb}")


def _derived(relation: Relation, bounds: tuple[float, float], facts: Facts) -> Iterator[Fact]:
    lacking = [name for name in relation.inputs if not facts.get(name)]
    if not lacking or (
        len(lacking) < len(relation.inputs) and relation.optional.issuperset(lacking)
    ):
        is_said = any(each.is_stated for each in facts.get(relation.result, ()))
        if relation.id != "dense" or not is_said:
            yield from _solved_forward(relation, bounds, facts)
    elif len(lacking) == 1 and not relation.forward and not relation.formula:
        yield from _solved_backward(relation, bounds, lacking[0], facts)


def _solved_forward(
    relation: Relation, bounds: tuple[float, float], facts: Facts
) -> Iterator[Fact]:
    known = [name for name in relation.inputs if facts.get(name)]
    for inputs in _inputs(relation, relation.result, known, facts):
        low, high, value = (_computed if relation.formula else _product)(relation, inputs)
        low, high = low * bounds[0], high * bounds[1]
        if not (math.isnan(low) or (low <= 0 and math.isinf(high))):
            yield _fact(relation, relation.result, low, high, value, inputs)


def _solved_backward(
    relation: Relation, bounds: tuple[float, float], wanted: str, facts: Facts
) -> Iterator[Fact]:
    """One factor of a product from its result and the other factors."""
    power = 1 / relation.factors[wanted]
    given = (relation.result, *(name for name in relation.inputs if name != wanted))
    if min(bounds) <= 0 or math.isinf(max(bounds)):
        return
    for result, *others in _inputs(relation, wanted, given, facts):
        if any(each.low <= 0 or math.isinf(each.high) for each in (result, *others)):
            continue
        low, high, value = _product(relation, others)
        ends = (result.low / (high * bounds[1]), result.high / (low * bounds[0]))
        if min(ends) <= 0 or math.isinf(max(ends)) or value <= 0:
            continue
        low, high = sorted(end**power for end in ends)
        yield _fact(relation, wanted, low, high, (result.value / value) ** power, (result, *others))


def _inputs(
    relation: Relation, wanted: str, names: Sequence[str], facts: Facts
) -> Iterator[tuple[Fact, ...]]:
    """Each choice of one fact a name from which the wanted one does not follow in a circle."""
    for inputs in product(*(tuple(facts.get(name, ())) for name in names)):
        if not any(wanted in each.measures or relation in each.relations for each in inputs):
            yield inputs


def _computed(relation: Relation, inputs: Sequence[Fact]) -> tuple[float, float, float]:
    formula = FORMULAS[relation.formula]
    try:
        corners = [formula(*ends) for ends in product(*((f.low, f.high) for f in inputs))]
        return min(corners), max(corners), formula(*(each.value for each in inputs))
    except (ZeroDivisionError, OverflowError):
        return math.nan, math.nan, math.nan


def _product(relation: Relation, inputs: Iterable[Fact]) -> tuple[float, float, float]:
    low = high = value = relation.times
    for fact in inputs:
        power = relation.factors[fact.measure]
        ends = sorted(_power(end, power) for end in (fact.low, fact.high))
        low, high, value = low * ends[0], high * ends[1], value * _power(fact.value, power)
    return low, high, value


def _power(value: float, power: float) -> float:
    if value <= 0:
        return math.inf if power < 0 else 0.0
    return float(value**power)


def _fact(
    relation: Relation,
    measure: str,
    low: float,
    high: float,
    value: float,
    inputs: tuple[Fact, ...],
) -> Fact:
    parts = tuple(dict.fromkeys(q for each in inputs for q in each.quantities))
    return Fact(measure, low, high, value, parts, relation, inputs)


# Conflicts


def _conflicts(facts: Facts) -> Iterator[tuple[Fact, Fact]]:
    """Pairs of facts on one quantity of which the first is more than the second can be."""
    for known in facts.values():
        for more, less in product(known, repeat=2):
            if more.low > less.high * (1 + 1e-9) and (more.quantities or less.quantities):
                yield more, less


def _parts(conflict: tuple[Fact, Fact]) -> set[Quantity]:
    return {each for side in conflict for each in side.quantities}


def _awkwardness(conflict: tuple[Fact, Fact]) -> tuple[int, int, bool, int]:
    """The lowest reads best: few figures, few steps, held against what was said, no division."""
    steps = [r for side in conflict for r in side.relations]
    divided = sum(s.relation is not None and s.relation.result != s.measure for s in conflict)
    return len(_parts(conflict)), divided, not any(s.is_stated for s in conflict), len(steps)


def _is_excused(
    parts: Sequence[Quantity], run: Sequence[Quantity], circumstances: frozenset[str]
) -> bool:
    """Some figure means something else that people also say so, and then all fits."""
    for measure in dict.fromkeys(each.measure for each in parts):
        meant = [each for each in parts if each.measure == measure]
        others = [each for each in parts if each.measure != measure]
        for reading in zip(*(_readings(each, run) for each in meant), strict=False):
            if not any(True for _ in _conflicts(facts_of((*others, *reading), circumstances))):
                return True
    return False


def _readings(quantity: Quantity, run: Sequence[Quantity]) -> Iterator[Quantity]:
    """What people also mean by such a figure.

    Where a model has read the figure it says what it measures, and whether of one device or of all.
    """
    known = measures()[quantity.measure]
    is_settled = any(q.measure == known.settled and q.value != quantity.value for q in run)
    is_settled = is_settled or quantity.value > known.open_to
    for reading in () if is_settled else known.readings:
        if not isinstance(reading, str):
            yield replace(quantity, value=quantity.value * reading)
        elif quantity.loose:
            name = reading.removeprefix("1/")
            values = {each.value for each in run if each.measure == name and each.value > 0}
            if not values and name == "node_gpus" and name != reading:
                values = {USUAL_NODE}
            for value in values:
                factor = value if reading == name else 1 / value
                yield replace(quantity, value=quantity.value * factor)
    if quantity.loose:
        for other, most in known.also.items():
            if quantity.value <= most:
                yield replace(quantity, measure=other)


# Sentences


def _contradiction(more: Fact, less: Fact, quantities: Iterable[Quantity]) -> Contradiction:
    made, other = (less, more) if _comes_second(more, less) else (more, less)
    clauses = [*_clauses(made), _against(other, less=other is less)]
    parts = tuple(sorted(quantities, key=lambda each: each.place))
    names = dict.fromkeys(r.id for side in (more, less) for r in side.relations if not r.silent)
    ends = sorted((more.value, less.value))
    sentence = _sentence(dict.fromkeys(clauses))
    return Contradiction(tuple(names), sentence, parts, *ends)


def _comes_second(one: Fact, other: Fact) -> bool:
    """What was stated, or known of a device, is what the computed one is held against."""
    if (one.relation is None) is not (other.relation is None):
        return one.relation is None
    return len(one.quantities) < len(other.quantities)


def _against(fact: Fact, *, less: bool) -> str:
    if fact.relation is not None:
        return "; ".join(_clauses(fact))
    if fact.is_stated:
        return f"you said {_phrase(fact)}"
    bound, value = ("at most", fact.high) if less else ("at least", fact.low)
    return f"{fact.note} {bound} {_amount(replace(fact, value=value))}"


def _clauses(fact: Fact) -> list[str]:
    if fact.relation is None:
        return [f"{fact.note} {_amount(fact)}" if fact.note else _phrase(fact)]
    before = [
        clause
        for each in fact.inputs
        if each.relation is not None and not each.relation.silent
        for clause in _clauses(each)
    ]
    result = _amount(fact)
    if fact.relation.silent:
        return [_phrase(fact)]
    if fact.relation.result == fact.measure:
        said = {each.measure: _phrase(each) for each in fact.inputs}
        inputs = " × ".join(said.values())
        return [*before, fact.relation.says.format(**said, inputs=inputs, result=result)]
    whole, *others = (_phrase(each) for each in fact.inputs)
    return [
        *before,
        f"{whole} over {' × '.join(others)} is {result}" if others else f"{whole} is {result}",
    ]


def _phrase(fact: Fact) -> str:
    """How a fact is referred to within a sum."""
    if fact.relation is not None and fact.relation.silent:
        return _phrase(fact.inputs[0])
    if fact.is_stated:
        return " and ".join(dict.fromkeys(map(shown, fact.quantities)))
    return _amount(fact)


def _amount(fact: Fact) -> str:
    """The value that follows; of any count, in the unit of the figures that it follows from."""
    is_any = measures()[fact.measure].unit == "any"
    unit = next((each.unit for each in fact.quantities if each.unit), "") if is_any else ""
    return amount(fact.measure, fact.value, unit)


def _sentence(clauses: Iterable[str]) -> str:
    """The clauses as one sentence; what is one takes a singular verb."""
    agreeing = (_ONE.sub(r"\1s\2", clause) for clause in clauses)
    text = "; ".join(agreeing)
    return f"{text[:1].upper()}{text[1:]}."
