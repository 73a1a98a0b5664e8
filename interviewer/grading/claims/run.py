"""All that was said about one run or system, and the bounds that it sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from interviewer.grading.claims.circumstances import Circumstance, Stage
from interviewer.grading.claims.claim import Claim, Measure, Statement
from interviewer.grading.claims.hardware import Device

_ROUGHLY = 1.4
"""Between the ends of "about six days"; a range is wider."""
SAME = 0.05
"""Relative difference up to which two values of a measure count as the same."""

_ADDITIVE = frozenset(
    (Measure.TOKENS, Measure.STEPS, Measure.DURATION, Measure.EPOCHS, Measure.DEVICE_TIME)
)
"""Several values of these may be parts of a whole: two phases, two weeks and then three days."""


@dataclass(frozen=True)
class Bounds:
    """Where a quantity lies, 0 <= low <= high, with the claims that say so."""

    low: float
    high: float
    claims: tuple[Claim, ...] = ()

    def times(self, low: float, high: float | None = None) -> Bounds:
        """Multiplied by a factor between two bounds."""
        return Bounds(self.low * low, self.high * (low if high is None else high), self.claims)


@dataclass(frozen=True)
class Run:
    """All that was said about one run."""

    statements: tuple[Statement, ...] = ()
    circumstances: frozenset[Circumstance] = field(default_factory=frozenset)
    stage: Stage | None = None
    is_own: bool = False

    def has(self, *circumstances: Circumstance) -> bool:
        """Any of these was stated."""
        return bool(self.circumstances.intersection(circumstances))

    def of(self, *measures: Measure) -> tuple[Statement, ...]:
        """The statements of these measures, in order; a repeated value counts once."""
        return tuple(s for measure in measures for s in self.distinct.get(measure, ()))

    @cached_property
    def distinct(self) -> dict[Measure, list[Statement]]:
        """The statements by measure, repeated values left out."""
        kept: dict[Measure, list[Statement]] = {}
        for statement in self.statements:
            same = kept.setdefault(statement.claim.measure, [])
            if not _is_repeated(statement, same):
                same.append(statement)
        return kept

    def readings(self, measure: Measure) -> Iterator[Bounds]:
        """The bounds of a measure; tokens a day and tokens a second are held against each other."""
        units = {s.claim.unit for s in self.of(measure)} if measure is Measure.THROUGHPUT else {""}
        for unit in sorted(units):
            part = self if len(units) == 1 else self._in_unit(measure, unit)
            if (bounds := part.bounds(measure)) is not None:
                yield bounds

    def _in_unit(self, measure: Measure, unit: str) -> Run:
        kept = (s for s in self.statements if s.claim.measure is measure and s.claim.unit == unit)
        return replace(self, statements=tuple(kept))

    def bounds(self, measure: Measure) -> Bounds | None:
        """Bounds for all values stated of the measure, as worded; None if there are none.

        They reach from the smallest to the largest, or to the sum of all.
        """
        statements = self.of(measure)
        if not statements:
            return None
        high = (sum if measure in _ADDITIVE else max)(s.high for s in statements)
        return Bounds(min(s.low for s in statements), high, tuple(s.claim for s in statements))

    def exact(self, measure: Measure) -> Bounds | None:
        """The one value stated of the measure; None if there are none, several or a range."""
        statements = self.of(measure)
        if len(statements) != 1:
            return None
        [only] = statements
        value = only.claim.value
        is_one = 0 < only.low <= value <= only.high <= _ROUGHLY * only.low
        return Bounds(value, value, (only.claim,)) if is_one else None

    @property
    def device(self) -> Device | None:
        """The fastest accelerator mentioned with its numbers."""
        devices = [s.device for s in self.statements if s.device]
        return max(devices, key=lambda device: device.flops, default=None)

    def device_claims(self) -> Iterator[Claim]:
        """The claims that name the accelerator."""
        for statement in self.of(Measure.GPUS):
            if statement.device:
                yield statement.claim


def _is_repeated(statement: Statement, before: Sequence[Statement]) -> bool:
    value = statement.claim.value
    return any(
        abs(value - other.claim.value) <= SAME * max(value, other.claim.value)
        and (statement.low, statement.high) == (value, value)
        for other in before
    )
