"""The runs mentioned so far, as an examiner that reads the next answer is told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviewer.grading.claims.claim import PARTS
from interviewer.grading.claims.in_quotes import amounts_in
from interviewer.grading.claims.ledger import NOTHING_READ, runs_of
from interviewer.grading.claims.meanings import Unit
from interviewer.grading.claims.record import ReadClaims
from interviewer.grading.claims.wording import stated
from interviewer.grading.transcript import Turn

_SMALL = 2
"""Number words up to here are mostly no figures."""


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
    """There is something to read in the turn: more than "one of them" or "two things"."""
    answer = turn.parsed
    if any(not n.is_spoken or n.scale or n.value > _SMALL for n in answer.numerals):
        return True
    return bool(answer.numerals) and any(
        amounts_in(answer, (0, len(answer.plain.text)), unit) for unit in (Unit.TIME, Unit.BYTES)
    )
