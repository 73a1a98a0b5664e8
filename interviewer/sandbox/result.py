"""The result of a check as plain values: for screens, the journal and ``--json``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Mode = Literal["lines", "function"]
Tier = Literal["strict", "contained", "macos", "reduced", "off"]


class LineStatus(StrEnum):
    """The status of one line of a derivation."""

    HOLDS = "holds"
    DEFINED = "defined"
    """It names something new; there is nothing to compare it with yet."""
    FAILS = "fails"
    """It does not follow: its numbers, shape or gradient differ."""
    ERROR = "error"
    """It could not be read or evaluated."""
    NOT_JUDGED = "not judged"
    """An earlier line failed."""


class Outcome(StrEnum):
    """The outcome of the whole check."""

    PASSED = "passed"
    """Every line, or the function, held numerically. Never: the derivation is right."""
    FAILED = "failed"
    INCOMPLETE = "incomplete"
    """Nothing fails, but the answer or a required step is still missing."""
    STOPPED = "stopped"
    """Stopped from outside: time, memory, output, or a worker that died. No verdict."""
    UNAVAILABLE = "unavailable"
    """Nothing could be checked here (no torch, or the tier does not allow it)."""


@dataclass(frozen=True)
class LineResult:
    """One line of the source; ``line`` counts from 1. ``message`` is a sentence or empty.

    ``shows`` names the quantities that the line derives, under whatever name; ``proves`` the
    criteria of the question that it belongs to.
    """

    line: int
    status: LineStatus
    message: str = ""
    shows: tuple[str, ...] = ()
    proves: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckResult:
    """A check of one source.

    ``summary`` is one sentence for a person. ``derived`` names the parts of the answer and the
    steps that held; of an ``estimation`` those whose formula did, while ``figures`` names those
    whose typed number was right. ``criteria`` are those of the question that right lines on the way
    prove. ``matched`` is the id of the known wrong answer that these numbers
    match. ``open_points`` say what the check could not see. ``output`` is what the candidate's
    function printed in its first call, cleaned and capped.
    """

    challenge: str
    mode: Mode
    outcome: Outcome
    summary: str
    lines: tuple[LineResult, ...] = ()
    derived: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    estimation: bool = False
    matched: str | None = None
    open_points: tuple[str, ...] = ()
    output: str = ""
    tier: Tier = "off"
    milliseconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Everything asked for is there and holds."""
        return self.outcome is Outcome.PASSED

    @property
    def right_lines(self) -> tuple[int, ...]:
        """The lines that were compared with something and agree."""
        return tuple(each.line for each in self.lines if each.status is LineStatus.HOLDS)

    @property
    def first_bad_line(self) -> int | None:
        """The line that fails or could not be evaluated; None where there is none."""
        bad = (LineStatus.FAILS, LineStatus.ERROR)
        return next((each.line for each in self.lines if each.status in bad), None)
