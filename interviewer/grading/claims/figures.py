"""What is known of one run, as figures that reach from a low to a high end.

A figure is as wide as the candidate's words let it be, and all its ends are taken in their favour:
two figures clash only where no values within them agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from interviewer.grading.claims.circumstances import Circumstance, Stage
from interviewer.grading.claims.claim import Claim, Measure
from interviewer.grading.claims.hardware import Device
from interviewer.grading.claims.reading import SAME, Statement

_ADDITIVE = (
    Measure.TOKENS,
    Measure.STEPS,
    Measure.DURATION,
    Measure.EPOCHS,
    Measure.DEVICE_TIME,
)
"""Several values of these may be parts of one whole: two phases, two weeks and then three days."""


@dataclass(frozen=True)
class Figure:
    """A number between two ends, with the claims that it was reckoned from."""

    low: float
    high: float
    claims: tuple[Claim, ...] = ()

    def __mul__(self, other: Figure | float) -> Figure:
        if isinstance(other, Figure):
            claims = tuple(dict.fromkeys((*self.claims, *other.claims)))
            return Figure(self.low * other.low, self.high * other.high, claims)
        return Figure(self.low * other, self.high * other, self.claims)

    def above(self, other: Figure, slack: float) -> bool:
        """Even its low end is more than the other's high end, by more than the factor."""
        return self.low > other.high * slack


@dataclass(frozen=True)
class Run:
    """All that was said of one training run."""

    statements: tuple[Statement, ...] = ()
    circumstances: frozenset[Circumstance] = field(default_factory=frozenset)
    stage: Stage | None = None
    is_own: bool = False

    def has(self, *circumstances: Circumstance) -> bool:
        """Any of these was stated."""
        return bool(self.circumstances.intersection(circumstances))

    def of(self, *measures: Measure) -> tuple[Statement, ...]:
        """The statements of these measures, in order; a value said twice counts once."""
        return tuple(s for s in self._distinct if s.claim.measure in measures)

    @cached_property
    def _distinct(self) -> tuple[Statement, ...]:
        kept: dict[Measure, list[Statement]] = {}
        for statement in self.statements:
            said = kept.setdefault(statement.claim.measure, [])
            if not _is_said(statement, said):
                said.append(statement)
        return tuple(statement for said in kept.values() for statement in said)

    def figure(self, *measures: Measure) -> Figure | None:
        """What was stated of the measures, all values together; None where nothing was."""
        return figure_of(self.of(*measures), is_sum=measures[0] in _ADDITIVE)

    @property
    def device(self) -> Device | None:
        """The fastest accelerator that its numbers name."""
        devices = [s.device for s in self.statements if s.device]
        return max(devices, key=lambda device: device.flops, default=None)


def figure_of(statements: Sequence[Statement], *, is_sum: bool = False) -> Figure | None:
    """One figure for all values: from the least to the greatest, or to the sum of all."""
    if not statements:
        return None
    high = (sum if is_sum else max)(s.high for s in statements)
    return Figure(min(s.low for s in statements), high, tuple(s.claim for s in statements))


def product(factors: Iterable[Figure | None]) -> Figure | None:
    """All factors multiplied; None where one is not known."""
    result = Figure(1.0, 1.0)
    for factor in factors:
        if factor is None:
            return None
        result *= factor
    return result


def _is_said(statement: Statement, before: Sequence[Statement]) -> bool:
    value = statement.claim.value
    return any(
        abs(value - other.claim.value) <= SAME * max(value, other.claim.value)
        and (statement.low, statement.high) == (value, value)
        for other in before
    )
