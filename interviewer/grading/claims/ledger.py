"""The ledger of a session: what was read in each turn, marks made by hand, and contradictions.

Every relation is solved, as intervals with the slack of honest counting, for what is not known yet;
what was derived is used again. Two facts on one quantity whose intervals do not meet are an
objection only if no reading that people mean by the figures makes them meet.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, product

from interviewer.grading.claims.quantity import (
    FORMULAS,
    GROUPED,
    Closing,
    Contradiction,
    Ledger,
    Mark,
    Place,
    Quantity,
    Reading,
    Relation,
    Status,
    amount,
    device_of,
    kind_of,
    measures,
    relations,
    shown,
)
from interviewer.grading.numerals import HOUR
from interviewer.grading.transcript import ParsedAnswer
from interviewer.rubric.text import overlap

BREATH = 400
"""So many characters belong together."""
SAME = 0.03
"""How near two values are that are one, said again."""

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


def ledger(
    readings: Sequence[Reading],
    marks: Sequence[Mark] = (),
    objections: Mapping[int, Sequence[frozenset[Place]]] = {},
) -> Ledger:
    """What stands after these readings, oldest first.

    ``objections``: by the turn of the reply, the places of figures that were objected to.
    """
    kept: list[Quantity] = []
    circumstances: dict[str, set[str]] = {}
    settled: list[frozenset[Place]] = []
    for reading in readings:
        objected = objections.get(reading.turn, ())
        if reading.resolves == "given_up":
            _take_back(kept, frozenset[Place]().union(*objected), reading)
        elif reading.resolves == "explained":
            settled += objected
        for run, name in reading.circumstances:
            circumstances.setdefault(run, set()).add(name)
        for quantity in reading.quantities:
            _enter(kept, quantity)
    for mark in marks:
        raised = (each for turn, each in objections.items() if turn <= mark.after + 1)
        _mark(kept, mark, frozenset[Place]().union(*chain.from_iterable(raised)))
    found = tuple(_found(kept, circumstances))
    explained = tuple(each for each in found if any(each.places <= places for places in settled))
    open_ = tuple(each for each in found if each not in explained)
    closing = tuple(
        closing
        for run, stated in _runs([each for each in kept if not each.nearby]).items()
        if not any(q in stated for each in found for q in each.quantities)
        for closing in closings(stated, frozenset(circumstances.get(run[0], ())))
    )
    return Ledger(tuple(kept), open_, closing, explained)


def _enter(kept: list[Quantity], new: Quantity) -> None:
    """Add a figure; what it replaces or takes back no longer stands, said again it is the same."""
    is_known = False
    for place, old in enumerate(kept):
        if old.measure != new.measure or old.run != new.run or old.status != "stands":
            continue
        is_same = math.isclose(old.value, new.value, rel_tol=SAME)
        if new.status == "withdrawn" and is_same and old.place != new.place:
            kept[place] = replace(old, status="withdrawn")
        elif new.status == "stands" and new.replaces and not is_same and new.measure != "other":
            kept[place] = replace(old, status="corrected")
        elif is_same and old.whose == new.whose and old.turn != new.turn:
            kept[place] = replace(old, device=old.device or new.device)
            is_known = is_known or old.measure not in GROUPED
    if new.status != "withdrawn" and not is_known:
        kept.append(new)


def _take_back(kept: list[Quantity], objected: frozenset[Place], reply: Reading) -> None:
    """Of the figures objected to, those that the reply names or replaces; all if it names none."""
    named = {q.measure for q in reply.quantities if q.replaces or q.status == "withdrawn"}
    meant = [n for n, q in enumerate(kept) if q.status == "stands" and q.place in objected]
    for place in [n for n in meant if kept[n].measure in named] or meant:
        kept[place] = replace(kept[place], status="withdrawn")


def _mark(kept: list[Quantity], mark: Mark, objected: frozenset[Place]) -> None:
    for place, each in enumerate(kept):
        if each.place != (mark.turn, mark.start):
            continue
        status: Status = "withdrawn" if each.place in objected else "struck"
        if mark.value is None:
            kept[place] = replace(each, status=status)
        else:
            status = "corrected" if each.status == "corrected" else "stands"
            text = mark.text or each.text
            kept[place] = replace(each, value=mark.value, text=text, status=status)


def gives(wants: str, answer: ParsedAnswer, read: Sequence[Quantity]) -> bool:
    """The answer holds a figure of this quantity, as read or as a bare number of a fitting unit."""
    unit = measures()[wants].unit
    if wants in GROUPED or unit == "any":
        return bool(answer.quantities)
    units = {each.measure: measures()[each.measure].unit for each in read}
    if any(name == wants or units[name] == unit == "share" for name in units):
        return True
    return any(
        kind_of(number.tail, "") in unit and not any(overlap(number.span, q.span) for q in read)
        for number in answer.quantities
    )


def _runs(kept: Sequence[Quantity]) -> Mapping[tuple[str, int], tuple[Quantity, ...]]:
    """What stands, by run; counts of one statement are a group of their own, with its turn."""
    runs: dict[tuple[str, int], list[Quantity]] = {}
    for each in kept:
        if each.counts:
            turn = each.turn if each.measure in GROUPED else -1
            runs.setdefault((each.run, turn), []).append(each)
    return {run: tuple(stated) for run, stated in runs.items()}


def _is_of_one_kind(stated: Sequence[Quantity]) -> bool:
    """Counts of a statement are in one unit, as far as that can be told."""
    known = measures()
    units = (q.unit for q in stated if q.measure in GROUPED and known[q.measure].unit == "any")
    return len({kind_of(unit) for unit in units if unit}) <= 1


def _found(
    kept: Sequence[Quantity], circumstances: Mapping[str, set[str]]
) -> Iterator[Contradiction]:
    """Over the whole run from what is sure of itself, then turn by turn from all of it."""
    for (run, _), stated in _runs(kept).items():
        if not _is_of_one_kind(stated):
            continue
        known = frozenset(circumstances.get(run, ()))
        sure = tuple(each for each in stated if not each.nearby)
        turns = {each.turn: None for each in stated if each.nearby}
        said: set[Quantity] = set()
        for group in (sure, *(tuple(q for q in stated if q.turn == turn) for turn in turns)):
            for each in contradictions(group, known):
                is_new = 2 * len(said & set(each.quantities)) < len(each.quantities)
                if is_new and not _is_half_read(each):
                    said.update(each.quantities)
                    yield each


def _is_half_read(found: Contradiction) -> bool:
    """A number beside it was not read, or what is told by words further off is not near."""
    parts = found.quantities
    if len({each.turn for each in parts}) != 1:
        return False
    is_far = max(q.span[1] for q in parts) - min(q.span[0] for q in parts) > BREATH
    return any(each.unsure or (is_far and each.nearby) for each in parts)


# What follows from the figures of one run.

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
    """What cannot be true together under any reading; of those that say the same, the plainest."""
    found = sorted(_conflicts(facts_of(quantities, circumstances)), key=_awkwardness)
    kept: list[Contradiction] = []
    for conflict in found:
        parts = _parts(conflict)
        if any(2 * len(parts & set(before.quantities)) >= len(parts) for before in kept):
            continue
        more, less = conflict
        is_seen = not math.isclose(more.value, less.value, rel_tol=ROUNDED)
        if is_seen and not _is_excused(tuple(parts), quantities, circumstances):
            kept.append(_contradiction(conflict))
    return tuple(kept)


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
    return not _is_computed(fact) and (bool(fact.note) or fact.high <= ONE_VALUE * fact.low)


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
            yield Fact(relation.result, low, high, value, _figures(inputs), relation, inputs)


def _solved_backward(
    relation: Relation, bounds: tuple[float, float], wanted: str, facts: Facts
) -> Iterator[Fact]:
    """One factor of a product from its result and the other factors."""
    power = 1 / relation.factors[wanted]
    given = (relation.result, *(name for name in relation.inputs if name != wanted))
    if min(bounds) <= 0 or math.isinf(max(bounds)):
        return
    for inputs in _inputs(relation, wanted, given, facts):
        if any(each.low <= 0 or math.isinf(each.high) for each in inputs):
            continue
        result, low, high, value = inputs[0], *_product(relation, inputs[1:])
        ends = (result.low / (high * bounds[1]), result.high / (low * bounds[0]))
        if min(ends) <= 0 or math.isinf(max(ends)) or value <= 0:
            continue
        low, high = sorted(end**power for end in ends)
        value = (result.value / value) ** power
        yield Fact(wanted, low, high, value, _figures(inputs), relation, inputs)


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


def _figures(inputs: Iterable[Fact]) -> tuple[Quantity, ...]:
    return tuple(dict.fromkeys(q for each in inputs for q in each.quantities))


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
    """What people also mean by such a figure; a model tells one device's from that of all."""
    known = measures()[quantity.measure]
    for reading in known.readings if quantity.value <= known.open_to else ():
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


def _contradiction(conflict: tuple[Fact, Fact]) -> Contradiction:
    """What was stated, or known of a device, is what the computed side is held against."""
    more, less = conflict
    made, other = sorted(conflict, key=lambda each: (each.relation is None, -len(each.quantities)))
    clauses = [*_clauses(made), _against(other, less=other is less)]
    parts = tuple(sorted(_parts(conflict), key=lambda each: each.place))
    names = dict.fromkeys(r.id for side in conflict for r in side.relations if not r.silent)
    ends = sorted((more.value, less.value))
    return Contradiction(tuple(names), _sentence(dict.fromkeys(clauses)), parts, *ends)


def _against(fact: Fact, *, less: bool) -> str:
    if fact.relation is not None:
        return "; ".join(_clauses(fact))
    if fact.is_stated:
        return f"you said {_phrase(fact)}"
    bound, value = ("at most", fact.high) if less else ("at least", fact.low)
    return f"{fact.note} {bound} {_amount(replace(fact, value=value))}"


def _clauses(fact: Fact) -> list[str]:
    relation = fact.relation
    if relation is None and fact.note:
        return [f"{fact.note} {_amount(fact)}"]
    if relation is None or relation.silent:
        return [_phrase(fact)]
    before = [clause for each in fact.inputs if _is_computed(each) for clause in _clauses(each)]
    said, result = {each.measure: _phrase(each) for each in fact.inputs}, _amount(fact)
    if relation.result == fact.measure:
        inputs = " × ".join(said.values())
        return [*before, relation.says.format(**said, inputs=inputs, result=result)]
    whole, *others = said.values()
    over = f" over {' × '.join(others)}" if others else ""
    return [*before, f"{whole}{over} is {result}"]


def _is_computed(fact: Fact) -> bool:
    return fact.relation is not None and not fact.relation.silent


def _phrase(fact: Fact) -> str:
    """How a fact is referred to within a sum: of a range, by the value that was reckoned with."""
    if fact.relation is not None and fact.relation.silent:
        return _phrase(fact.inputs[0])
    if fact.is_stated:
        return next(shown(each) for each in reversed(fact.quantities) if each.value == fact.value)
    return _amount(fact)


def _amount(fact: Fact) -> str:
    is_any = measures()[fact.measure].unit == "any"
    unit = next((each.unit for each in fact.quantities if each.unit), "") if is_any else ""
    return amount(fact.measure, fact.value, unit)


def _sentence(clauses: Iterable[str]) -> str:
    agreeing = (_ONE.sub(r"\1s\2", clause) for clause in clauses)
    text = "; ".join(agreeing)
    return f"{text[:1].upper()}{text[1:]}."
