"""The factors of the relations that compare: losses, agreement, shares and counts."""

from __future__ import annotations

import math
from collections.abc import Callable

from interviewer.grading.claims.claim import Claim
from interviewer.grading.claims.claim import Measure as M
from interviewer.grading.claims.conversion import dimension
from interviewer.grading.claims.factors import Ratio
from interviewer.grading.claims.meanings import Unit
from interviewer.grading.claims.run import Bounds, Run


def computed(
    of: M, low: Callable[[float], float], high: Callable[[float], float], run: Run
) -> Ratio | None:
    """The result from one other quantity, by a function that rises with it."""
    bounds = run.bounds(of)
    if bounds is None or math.isinf(bounds.high):
        return None
    least, most = low(bounds.low), high(bounds.high)
    return Ratio(least, most, (least * most) ** 0.5, bounds.claims, is_one_way=True)


def exponential(loss: float) -> float:
    return math.exp(min(loss, 100.0))


def ceiling(agreement: float) -> float:
    """Two annotators who are each right with p agree in p²; nobody beats p against one of them."""
    return math.sqrt(max(0.0, agreement))


def best_of(samples: float) -> float:
    return math.log(samples) - (samples - 1) / samples if samples >= 1 else 0.0


def _two(run: Run, one: M, other: M) -> tuple[Bounds, Bounds] | None:
    first, second = run.exact(one), run.exact(other)
    return (first, second) if first and second else None


_FEW = 60
"""Of so many items or fewer, only some shares can come out."""


def part_of(run: Run) -> Ratio | None:
    """The part over the whole; without the part, the nearest share that a few items allow."""
    given = _two(run, M.PART, M.WHOLE)
    if given is None:
        return _nearest_share(run)
    part, whole = given
    share = part.high / whole.high
    slack = max(0.012, 0.03 * share)
    claims = (*part.claims, *whole.claims)
    return Ratio(max(0.0, share - slack), share + slack, share, claims, is_one_way=True)


def _nearest_share(run: Run) -> Ratio | None:
    given = _two(run, M.WHOLE, M.SHARE)
    if given is None or not 1 < given[0].high <= _FEW:
        return None
    if any(dimension(claim.unit)[1] is not Unit.ANY for claim in given[0].claims):
        return None  # no items are counted
    whole, said = given
    nearest = round(said.high * whole.high) / whole.high
    return Ratio(max(0.0, nearest - 0.007), nearest + 0.007, nearest, whole.claims, is_one_way=True)


def ratio_of(run: Run) -> Ratio | None:
    """After over before, or the other way round: "twice as fast" may be either."""
    if (given := _two(run, M.BEFORE, M.AFTER)) is None:
        return None
    before, after = given
    ratio, said = after.high / before.high, run.exact(M.RATIO)
    if said and (said.high > 1) is not (ratio > 1):
        ratio = 1 / ratio
    claims = (*before.claims, *after.claims)
    return Ratio(ratio * 0.84, ratio * 1.19, ratio, claims, is_one_way=True)


def change_of(run: Run) -> Ratio | None:
    """The change's size, of the value before or of the one after, or in points of a share."""
    if (given := _two(run, M.BEFORE, M.AFTER)) is None:
        return None
    before, after = given
    moved = abs(after.high - before.high)
    readings = [moved / before.high]
    if moved <= after.high:
        readings.append(moved / after.high)
    if max(before.high, after.high) <= 1:
        readings.append(moved)
    claims = (*before.claims, *after.claims)
    low, high = min(readings), max(readings)
    return Ratio(low * 0.9 - 0.01, high * 1.1 + 0.01, readings[0], claims, is_one_way=True)


def portions(run: Run) -> Ratio | None:
    """Parts of one whole that cannot overlap, added up."""
    shares = [s for s in run.statements if s.claim.measure is M.PORTION]
    counts = [s for s in run.statements if s.claim.measure is M.PORTION_COUNT]
    whole = run.exact(M.WHOLE)
    stated, all_of = (counts, whole.high) if counts and whole else (shares, 1.0)
    if len(stated) < 2:
        return None
    total = sum(s.low for s in stated) / all_of
    claims = tuple(s.claim for s in stated) + (whole.claims if counts and whole else ())
    return Ratio(total - 0.006 * len(stated), total + 0.006, total, claims, is_one_way=True)


def added_up(run: Run) -> Ratio | None:
    """The terms of a sum that was said."""
    terms = [s for s in run.statements if s.claim.measure is M.ADDEND]
    if len(terms) < 2:
        return None
    total = sum(s.claim.value for s in terms)
    low, high = sum(s.low for s in terms), sum(s.high for s in terms)
    claims = tuple(s.claim for s in terms)
    return Ratio(low * 0.95, high * 1.05, total, claims, is_one_way=True)


def overlap(run: Run) -> Ratio | None:
    """Two systems right on a and b of the items agree on at least a + b - 1 of them."""
    if not (two := _two_accuracies(run, M.OVERLAP)):
        return None
    low = max(0.0, sum(claim.value for claim in two) - 1)
    return Ratio(low * 0.98 - 0.005, 1.0, low, two, is_one_way=True)


def apart(run: Run) -> Ratio | None:
    """Two systems, each right on a and b of the items, differ on at most 2 - a - b of them."""
    if not (two := _two_accuracies(run, M.CHANGED_SHARE)):
        return None
    most = max(0.0, 2 - sum(claim.value for claim in two))
    return Ratio(0.0, most * 1.02 + 0.005, most, two, is_one_way=True)


def _two_accuracies(run: Run, beside: M) -> tuple[Claim, ...]:
    """The accuracies of two systems, if that quantity was stated beside them; else none."""
    stated = tuple(s.claim for s in run.statements if s.claim.measure is M.ACCURACY)
    return stated if len(stated) == 2 and run.of(beside) else ()


def generating(run: Run) -> Ratio | None:
    """The rate of one device is one of generating, where only that was timed."""
    is_timed = run.of(M.GENERATION_TIME) and run.of(M.DEVICE_THROUGHPUT)
    if run.of(M.THROUGHPUT, M.GENERATION_RATE):
        return None
    return Ratio(0.8, 1.25, 1.0) if is_timed else None


def difference(run: Run) -> Ratio | None:
    """The KL of samples of the policy: the mean difference of log-probabilities."""
    given = _two(run, M.REFERENCE_LOSS, M.POLICY_LOSS)
    if given is None:
        return None
    reference, policy = given
    value = reference.high - policy.high
    claims = (*reference.claims, *policy.claims)
    slack = 0.1 * abs(value) + 0.02
    return Ratio(max(0.0, value - slack), max(0.0, value) + slack, value, claims, is_one_way=True)


def moved(run: Run) -> Ratio | None:
    """The KL of the responses is at least that of any yes-or-no property of them."""
    given = _two(run, M.REFERENCE_SHARE, M.POLICY_SHARE)
    if given is None or not (0 < given[0].high < 1 and 0 <= given[1].high <= 1):
        return None
    before, after = given
    q, p = before.high, after.high
    parts = ((a, b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)
    least = sum(a * math.log(a / b) for a, b in parts)
    claims = (*before.claims, *after.claims)
    return Ratio(0.8 * least - 0.02, math.inf, least, claims, is_one_way=True)


def lanes(generation: float) -> float:
    """Bytes a second of sixteen lanes, one way: 15.8 GB for the third generation, then doubled."""
    return 1.97e9 * math.pow(2.0, generation)


def at_least(ratio: Ratio | None) -> Ratio | None:
    return ratio and Ratio(ratio.low * 0.95, math.inf, ratio.value, ratio.claims)
