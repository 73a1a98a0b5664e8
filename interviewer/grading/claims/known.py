"""The runs mentioned so far, as an examiner that reads the next answer is told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviewer.grading.claims.claim import PARTS
from interviewer.grading.claims.ledger import NOTHING_READ, runs_of
from interviewer.grading.claims.record import ReadClaims
from interviewer.grading.claims.wording import stated
from interviewer.grading.transcript import Turn


@dataclass(frozen=True)
class KnownRun:
    """A run by its name, with its figures ("duration: 9 days") and the devices named with them."""

    name: str
    figures: tuple[str, ...]
    devices: tuple[str, ...] = ()


def known_runs(
    turns: Sequence[Turn], read: Mapping[int, ReadClaims] = NOTHING_READ
) -> tuple[KnownRun, ...]:
    """The runs that these turns are about; counts of single sentences are none."""
    runs = runs_of(turns, read)
    return tuple(
        KnownRun(
            name,
            tuple(f"{s.claim.measure.value}: {stated(s.claim)}" for s in run.statements),
            tuple(dict.fromkeys(s.device.name for s in run.statements if s.device)),
        )
        for name, run in zip(runs.names(), runs.runs, strict=True)
        if run.statements and not any(s.claim.measure in PARTS for s in run.statements)
    )


def holds_numbers(turn: Turn) -> bool:
    """There is something to read in the turn."""
    return bool(turn.parsed.numerals)
