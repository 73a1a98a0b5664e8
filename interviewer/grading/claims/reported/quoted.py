"""Verifies claims that a model reports: the words must stand in the answer and mean the value.

What fails is dropped, never repaired. How exact a number is, the words around it tell, not the
model; which numbers contradict each other is left to arithmetic.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from interviewer.grading.claims.claim import PARTS, Measure
from interviewer.grading.claims.conversion import dimension
from interviewer.grading.claims.hardware import DEVICE, device_of
from interviewer.grading.claims.meanings import MEANINGS, Unit
from interviewer.grading.claims.reported.in_quotes import amounts_in, number_in
from interviewer.grading.claims.reported.record import ReadClaim, ReadClaims, ReadRun
from interviewer.grading.claims.rules.amounts import Amount
from interviewer.grading.claims.rules.rows import LIMITS
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.units import SCALES
from interviewer.rubric.text import Span, normalise

REAL, WITHDRAWN = "real", "withdrawn"
STATUSES = (REAL, "hypothetical", "planned", "asked", WITHDRAWN)
"""What a number can be in its sentence; only real ones are claims."""
OWN, OTHERS = "own", "other"
LONGEST_LABEL = 40
MOST_QUOTED = 300
"""Characters of a quote."""

_PRODUCTS = frozenset(
    (
        *(Measure.GPUS, Measure.BATCH_TOKENS, Measure.BATCH_SEQUENCES, Measure.ROLLOUTS),
        *(Measure.ROLLOUT_TOKENS, Measure.DEVICE_TIME),
    )
)
"""Said as products: "eight nodes of eight"."""
_NO_DEVICE = re.compile(
    r"\W*(?:(?:nvidia|amd|google|gpu|tpu|card|device|accelerator|chip|none|null|unknown|n|a)s?\W*)*"
)
"""Names no type of accelerator."""
_UNSIGNED = (Measure.POLICY_LOSS, Measure.REFERENCE_LOSS, Measure.CHANGE)
"""Said as log-probabilities, or as a fall."""
_COUNTS = PARTS | {Measure.PORTIONS}
_SEVERAL = (Measure.PORTION, Measure.PORTION_COUNT, Measure.ADDEND)
"""A group may hold several of these."""
_IN_ONE_UNIT = frozenset(
    (
        *(Measure.ADDEND, Measure.EACH, Measure.TOTAL, Measure.PART, Measure.WHOLE),
        *(Measure.BEFORE, Measure.AFTER, Measure.PORTION_COUNT),
    )
)
"""Members of a group that are compared as they were said."""


@dataclass(frozen=True)
class ReportedClaim:
    """A number as a model reports it: value and unit as said, and the words that hold them."""

    measure: Measure
    value: float
    unit: str
    quote: str
    run: str
    whose: str = OWN
    status: str = REAL
    device: str = ""
    replaces: bool = False


@dataclass(frozen=True)
class ReportedRun:
    """What a model reports of a run besides numbers: its stage, and circumstances with a quote."""

    label: str
    stage: str = ""
    circumstances: tuple[tuple[str, str], ...] = ()


def verified(
    claims: Sequence[ReportedClaim],
    runs: Sequence[ReportedRun],
    answer: ParsedAnswer,
    known_devices: Collection[str] = (),
) -> ReadClaims:
    """What stands of the reported claims about own runs.

    ``known_devices`` were named before the answer, which may refer back to them.
    """
    devices = {*known_devices, *(device_of(m).name for m in DEVICE.finditer(answer.plain.text))}
    kept: dict[str, ReadRun] = {}
    dropped = 0
    for claim in claims:
        if claim.whose != OWN or claim.status not in (REAL, WITHDRAWN):
            continue
        read = _verified(claim, answer, devices)
        if read is None:
            dropped += 1
            continue
        label = _label(claim.run, is_count=claim.measure in _COUNTS)
        kept[label] = _with(kept.get(label, ReadRun(label)), read, claim)
    for run in runs:
        label = _label(run.label)
        found = [what for what, quote in run.circumstances if any(_places(quote, answer))]
        dropped += len(run.circumstances) - len(found)
        if label in kept:
            kept[label] = replace(kept[label], stage=run.stage, circumstances=tuple(found))
        elif found and _is_of_no_other(run, claims):
            kept[label] = ReadRun(label, stage=run.stage, circumstances=tuple(found))
    groups, crossed = _whole_groups(_compared(kept))
    return ReadClaims(groups, dropped + crossed)


def _compared(kept: Mapping[str, ReadRun]) -> Iterator[ReadRun]:
    """The runs; what was compared on the same items is one, under whatever labels it came.

    Only where nothing is left open: one KL with its shares, or one overlap with two accuracies.
    """
    runs = list(kept.values())
    for together, wanted in _COMPARED:
        about = [r for r in runs if r.claims and together.issuperset(c.measure for c in r.claims)]
        claims = tuple(claim for run in about for claim in run.claims)
        if len(about) > 1 and Counter(claim.measure for claim in claims) == wanted:
            stated = dict.fromkeys(each for run in about for each in run.circumstances)
            joined = replace(about[0], claims=claims, circumstances=tuple(stated))
            runs = [joined if run is about[0] else run for run in runs if run not in about[1:]]
    yield from runs


_COMPARED: tuple[tuple[frozenset[str], dict[str, int]], ...] = tuple(
    (frozenset(counts), {str(measure): count for measure, count in counts.items()})
    for counts in (
        {Measure.SEQUENCE_KL: 1, Measure.REFERENCE_SHARE: 1, Measure.POLICY_SHARE: 1},
        {Measure.KL: 1, Measure.POLICY_LOSS: 1, Measure.REFERENCE_LOSS: 1},
        {Measure.ACCURACY: 2, Measure.OVERLAP: 1},
        {Measure.ACCURACY: 2, Measure.CHANGED_SHARE: 1},
        {Measure.LABEL_AGREEMENT: 1, Measure.KAPPA: 1},
    )
)
"""How many there are of each quantity of what can only be one comparison."""


def _is_of_no_other(run: ReportedRun, claims: Iterable[ReportedClaim]) -> bool:
    """Nothing says that the run is someone else's, or not real."""
    return not any(claim.run == run.label for claim in claims)


def _with(run: ReadRun, read: ReadClaim, claim: ReportedClaim) -> ReadRun:
    if claim.status == WITHDRAWN:
        return replace(run, withdrawn=(*run.withdrawn, read))
    if read in run.claims:
        return run
    replaces = (*run.replaces, read.measure) if claim.replaces else run.replaces
    return replace(run, claims=(*run.claims, read), replaces=tuple(dict.fromkeys(replaces)))


def _whole_groups(runs: Iterable[ReadRun]) -> tuple[tuple[ReadRun, ...], int]:
    """The runs without groups of counts that hold two of one kind, or different units.

    Nobody knows which of them go together, and no unit is converted in a group. Second, how many
    claims that drops.
    """
    kept, dropped = [], 0
    for run in runs:
        measures = [claim.measure for claim in run.claims]
        single = [measure for measure in measures if measure not in _SEVERAL]
        is_mixed = (
            len(set(single)) < len(single)
            or not _are_in_one_unit(run.claims)
            or any(c.measure == Measure.ADDEND and _MANIFOLD.search(c.text) for c in run.claims)
        )
        if _COUNTS.issuperset(measures) and is_mixed:
            dropped += len(measures)
        else:
            kept.append(run)
    return tuple(kept), dropped


def _are_in_one_unit(claims: Iterable[ReadClaim]) -> bool:
    """What is compared in a group is of one kind: time, memory, money, counts of something."""
    members = [each for each in claims if each.measure in _IN_ONE_UNIT]
    kinds = {each.measure: _kind(each) for each in members}
    if Measure.EACH in kinds and Measure.TOTAL in kinds:
        [each] = [claim for claim in claims if claim.measure == Measure.EACH]
        is_per = all(_is_per(claim, each) for claim in claims if claim.measure == Measure.TIMES)
        return is_per and kinds[Measure.EACH] == kinds[Measure.TOTAL]
    return len({_kind(each) for each in members}) <= 1


def _kind(claim: ReadClaim) -> tuple[Unit, str]:
    """What it is measured in. Rates, and units that no table has, are of their own kind."""
    said = _unit_of_each(claim.unit) if claim.measure == Measure.EACH else claim.unit
    found, unit = dimension(said)
    is_own = unit is Unit.ANY and (_PER.search(said) or _OTHER_UNITS.fullmatch(found.name))
    return unit, found.name if is_own else ""


_MANIFOLD = re.compile(r"\b(?:each|both|twice|apiece|times|per)\b|×|\bx\b", re.IGNORECASE)
"""A term that counts more than once."""
_OTHER_UNITS = re.compile(r"[kKMG]?(?:W|Wh|watts?|kilowatts?|Hz|V|J|joules?|tons?|°?C)")


def _is_per(times: ReadClaim, each: ReadClaim) -> bool:
    """So many days at so much a day; not so many minutes at so much a second, or a million."""
    _, *per = _PER.split(each.unit, maxsplit=1)
    if per and any(word in SCALES for word in re.findall(r"[^\W\d_]+", per[0].lower())):
        return False
    found, unit = dimension(times.unit)
    if unit is Unit.ANY:
        return not _PER.search(times.unit)
    return unit is Unit.TIME and bool(per) and dimension(per[0])[0].factor == found.factor


def _unit_of_each(said: str) -> str:
    """The unit of "14 B/param" without what it is per, where a B is a byte."""
    first, *rest = _PER.split(said, maxsplit=1)
    return "byte" if first == "B" and rest else first


_PER = re.compile(r" ?/| ?\b(?:per|an?|each|every|apiece)\b")


def _label(label: str, *, is_count: bool = False) -> str:
    """The label in plain form; counts of a sentence never mix with the numbers of a run."""
    plain = normalise(label).text[:LONGEST_LABEL].strip() or "run"
    return f"{plain} (counts)" if is_count else plain


def _verified(
    claim: ReportedClaim, answer: ParsedAnswer, devices: Collection[str]
) -> ReadClaim | None:
    device = _named(claim.device)
    if device not in devices and not _NO_DEVICE.fullmatch(normalise(claim.device).text):
        return None
    found = ((place, _amount(claim, answer, place)) for place in _places(claim.quote, answer))
    place, amount = next((each for each in found if each[1]), (None, None))
    if place is None or amount is None:
        return None
    start, end = answer.plain.original_span(*place)
    return ReadClaim(
        claim.measure.value,
        amount.value,
        _unit(claim, amount, device),
        answer.text[start:end],
        (start, end),
        amount.low,
        None if math.isinf(amount.high) else amount.high,
        device or "",
    )


def _amount(claim: ReportedClaim, answer: ParsedAnswer, place: Span) -> Amount | None:
    """The amount in the quote that is reported and that the quantity can have."""
    unit = MEANINGS[claim.measure].unit
    said = _unit_of_each(claim.unit) if claim.measure is Measure.EACH else claim.unit
    found = number_in(answer, place, claim.value, said, unit)
    if found and found.value < 0 and claim.measure in _UNSIGNED:
        found = Amount.of(-found.value)
    if found is None and claim.measure in _PRODUCTS and unit is Unit.NUMBER:
        pairs = combinations(amounts_in(answer, place, unit), 2)
        products = (_product(one, other) for one, other in pairs)
        found = next((each for each in products if math.isclose(each.value, claim.value)), None)
    return found if found and _is_possible(claim.measure, found.value) else None


def _product(one: Amount, other: Amount) -> Amount:
    return Amount(one.value * other.value, one.low * other.low, one.high * other.high)


def _is_possible(measure: Measure, value: float) -> bool:
    if measure is Measure.KL and value < 0:  # of samples it may be, computed exactly never
        return True
    low, high = LIMITS.get(measure, (0.0, 10.0 if MEANINGS[measure].unit is Unit.SHARE else 1e30))
    return low <= value <= high


def _unit(claim: ReportedClaim, amount: Amount, device: str | None) -> str:
    if claim.measure is Measure.GPUS:
        return device or "GPUs"
    if claim.measure is Measure.DEVICE_TIME:
        return "GPU hours"
    said = " ".join(claim.unit.split())[:LONGEST_LABEL]
    if claim.measure in _IN_ONE_UNIT or claim.measure is Measure.TIMES:
        return said or amount.unit
    return amount.unit or said


def _named(name: str) -> str | None:
    """The known device of this name, None for none or an unknown one."""
    plain = normalise(name).text
    match = DEVICE.search(plain) or DEVICE.search(f"tpu {plain}")
    return device_of(match).name if match else None


def _places(quote: str, answer: ParsedAnswer) -> Iterator[Span]:
    """Where the quote stands in the plain text, whole words only."""
    wanted = _EDGES.sub("", normalise(quote).text)
    if wanted and len(wanted) <= MOST_QUOTED:
        pattern = rf"(?<![^\W_]){re.escape(wanted)}s?(?![^\W_])"
        yield from (match.span() for match in re.finditer(pattern, answer.plain.text))


_EDGES = re.compile(r"^(?:[ …\"',;:/(]|\.(?!\d))+|[ .…\"',;:/(]+$")
