"""What else follows from one run's numbers: a quantity not stated, or one that was and fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from interviewer.grading.claims import wording
from interviewer.grading.claims.circumstances import Circumstance as C
from interviewer.grading.claims.circumstances import Stage
from interviewer.grading.claims.claim import Claim
from interviewer.grading.claims.claim import Measure as M
from interviewer.grading.claims.engine import Fact, conflicts, facts_of
from interviewer.grading.claims.run import Run
from interviewer.grading.claims.sentences import factors_of
from interviewer.grading.units import DAY, HOUR

AGREES = 1.15
"""Up to this factor apart a stated and a computed figure fit. It lies well inside the slack of the
relations: 24% and 40% MFU do not contradict each other, but nobody would say that they fit."""
EQUAL = 1.03
"""Up to this factor apart they are the same figure, rounded."""
LOOSEST = 9.0
"""A result whose bounds are further apart says too little."""
_FEWEST_FACTORS_BARE = 3


@dataclass(frozen=True)
class Closing:
    """One sum that closes.

    ``figure`` is what was computed, "" where the candidate had stated it; ``claims`` are all that
    take part, the stated result included.
    """

    sentence: str
    question: str
    figure: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Asked:
    """A quantity that is worth a question once it is known.

    ``plausible`` bounds it in base units; it is not computed for a run with one of ``unless``, and
    with ``is_checked`` only held against what was stated.
    """

    measure: M
    plausible: tuple[float, float]
    question: str
    unless: frozenset[C] = frozenset()
    is_checked: bool = False


_UNFINISHED = frozenset((C.FAILED, C.PARTIAL, C.STAGED))
_CHANGING = _UNFINISHED | {C.RAMPED}
_PARTLY_TRAINED = frozenset((C.ADAPTERS, C.FROZEN, C.FORWARD_ONLY))
_SERVED = frozenset((C.FORWARD_ONLY,))
_PER_TIME = frozenset((M.MFU, M.THROUGHPUT, M.DEVICE_THROUGHPUT))
"""Not for stages in which much of the time goes into generating, or into a second model."""

ASKED: tuple[Asked, ...] = (
    Asked(M.MFU, (0.03, 0.7), "What limited it?", _UNFINISHED | _PARTLY_TRAINED),
    Asked(M.TOKENS, (1e6, 1e14), "How did you decide on that many?", _CHANGING),
    Asked(M.DEVICE_THROUGHPUT, (10, 1e6), "Where did the time in a step go?", _UNFINISHED),
    Asked(M.THROUGHPUT, (10, 1e9), "What held that rate back?", _UNFINISHED),
    Asked(M.STEPS, (50, 1e7), "How did you settle on that batch size?", _CHANGING),
    Asked(M.BATCH_TOKENS, (1e3, 1e9), "How did you settle on that batch size?", _CHANGING, True),
    Asked(M.EPOCHS, (0.01, 100), "What made you stop there?", _UNFINISHED),
    Asked(
        M.DURATION, (HOUR / 2, 365 * DAY), "How much time came on top of the steps?", _UNFINISHED
    ),
    Asked(
        M.DEVICE_TIME,
        (HOUR, 1e8 * HOUR),
        "How much of that was lost to failures and restarts?",
        _SERVED,
    ),
    Asked(M.CACHE_MEMORY, (1e6, 1e14), "What did that leave for the batch?", is_checked=True),
    Asked(M.TOKEN_CACHE, (10, 1e8), "How did you bring that down?"),
    Asked(M.ROLLOUT_TOKENS, (1e3, 1e10), "Where did the time of a step go?"),
    Asked(M.BUBBLE, (0.005, 0.9), "How did you bring that down?"),
)
"""Everything that can close, the most telling first."""


def closings(run: Run) -> Iterator[Closing]:
    """All that follows from the run's numbers, the most telling first.

    Nothing follows from numbers that contradict each other, from ranges, or from a measure that has
    several values.
    """
    disputed = {claim for found in conflicts(run) for claim in found.claims}
    exact = _exactly(run)
    said: set[frozenset[Claim]] = set()
    for asked in ASKED:
        if run.has(*asked.unless) or (asked.measure in _PER_TIME and not _is_training(run)):
            continue
        fact = _followed(exact, asked.measure)
        found = _closed(exact, asked, fact) if fact else None
        if found is None or disputed.intersection(found.claims):
            continue
        if frozenset(found.claims) not in said:  # the same equation, solved for another quantity
            said.add(frozenset(found.claims))
            yield found


def _exactly(run: Run) -> Run:
    """The run without ranges and measures of several values, and of one type of device."""
    kept = [s for measure in run.distinct if run.exact(measure) for s in run.distinct[measure]]
    if len({s.device.name for s in run.statements if s.device}) > 1:
        kept = [replace(s, device=None) for s in kept]
    return replace(run, statements=tuple(kept))


def _is_training(run: Run) -> bool:
    return run.stage not in (Stage.PREFERENCE, Stage.REWARD)


@lru_cache(maxsize=256)
def _followed(run: Run, measure: M) -> Fact | None:
    """The quantity from the other numbers, by the fewest of them."""
    others = replace(run, statements=tuple(s for s in run.statements if s.claim.measure != measure))
    known = facts_of(others, measure).get(measure, ())
    return next((fact for fact in known if fact.relation is not None and _is_firm(fact)), None)


def _is_firm(fact: Fact) -> bool:
    """It rests on figures and on the device's peak alone, and lies between two ends."""
    if not 0 < fact.low <= fact.high < LOOSEST * fact.low:
        return False
    return all(leaf.is_stated or leaf.measure is M.PEAK for leaf in fact.leaves)


def _closed(run: Run, asked: Asked, fact: Fact) -> Closing | None:
    low, high = asked.plausible
    if not low <= fact.value <= high or _is_no_news(run, asked, fact):
        return None
    factors = _factors(fact)
    unit = _unit(run) if asked.measure is M.DEVICE_TIME else ""
    stated = run.exact(asked.measure)
    figure = wording.amount(asked.measure, _said(asked.measure, fact.value), unit)
    if stated is None:
        return Closing(f"{factors}: that makes {figure}.", asked.question, figure, fact.claims)
    apart = max(fact.value / stated.low, stated.low / fact.value)
    if apart > AGREES:
        return None
    [given] = stated.claims
    words = wording.stated(given)
    if apart <= EQUAL:
        verb = "is" if " × " in factors else "comes to"
        sentence = f"That fits: {factors} {verb} the {words} you gave."
    else:
        sentence = f"That fits: {factors} makes {figure}, close to the {words} you gave."
    return Closing(sentence, asked.question, "", (*fact.claims, given))


def _is_no_news(run: Run, asked: Asked, fact: Fact) -> bool:
    """It is said by another sum, or goes without saying."""
    if run.of(asked.measure):
        return fact.divisions > 0 and asked.measure is not M.MFU  # the product says it
    if asked.is_checked:
        return True
    devices = run.exact(M.GPUS)
    is_one = devices is not None and devices.high == 1
    if asked.measure is M.THROUGHPUT:  # the rate of one device compares between clusters
        return not is_one and _followed(run, M.DEVICE_THROUGHPUT) is not None
    return is_one and asked.measure in (M.DEVICE_TIME, M.DEVICE_THROUGHPUT)


def _factors(fact: Fact) -> str:
    """Three numbers and more that are multiplied are said without their units."""
    is_product = fact.divisions == 0 and all(
        relation.joint == " × " and relation.says and relation.factors
        for relation in fact.relations
    )
    if is_product and len(fact.claims) >= _FEWEST_FACTORS_BARE:
        claims = (claim for leaf in fact.leaves for claim in leaf.claims)
        return " × ".join(wording.count(claim.value) for claim in claims)
    return factors_of(fact, in_full=True)


def _unit(run: Run) -> str:
    names = [s.device.name for s in run.statements if s.device]
    return "device" if any(name.startswith(_NO_GPUS) for name in names) else "GPU"


_NO_GPUS = ("TPU", "Gaudi", "Trainium", "Ascend")


def _said(measure: M, value: float) -> float:
    """Three digits, but of time."""
    return value if measure in (M.DEVICE_TIME, M.DURATION) else float(f"{value:.3g}")
