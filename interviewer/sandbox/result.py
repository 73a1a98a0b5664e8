"""The result of a check as plain values, and the note of which challenges were tried and solved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from interviewer.content.files import put_whole
from interviewer.errors import StoreError, StoreWriteError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Mode = Literal["lines", "function"]
Tier = Literal["strict", "contained", "macos", "reduced", "off"]


class LineStatus(StrEnum):
    HOLDS = "holds"
    DEFINED = "defined"
    """It names something new; there is nothing to compare it with yet."""
    FAILS = "fails"
    """It does not follow: its numbers, shape or gradient differ."""
    ERROR = "error"
    """It could not be read or evaluated."""
    NOT_JUDGED = "not judged"
    """An earlier line failed."""


class CheckOutcome(StrEnum):
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
    outcome: CheckOutcome
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
        return self.outcome is CheckOutcome.PASSED

    @property
    def first_bad_line(self) -> int | None:
        """The line that fails or could not be evaluated; None where there is none."""
        bad = (LineStatus.FAILS, LineStatus.ERROR)
        return next((each.line for each in self.lines if each.status in bad), None)


@dataclass(frozen=True)
class Practice:
    """A challenge that has been run: when last, and when it was first solved, if it was."""

    tried: datetime
    solved: datetime | None = None


class Tries:
    """One small file in the folder of the drafts; the folder may not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "tries.json"

    def read(self) -> Mapping[str, Practice]:
        """By challenge; those never run are missing. Raises StoreError."""
        try:
            return _file_format().validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StoreError(f"{self._path} cannot be read: {error.strerror}.") from error
        except ValueError as error:
            raise StoreError(
                f"{self._path}, which says what you have solved, is damaged; delete it or fix it."
            ) from error

    def note(self, result: CheckResult, now: datetime) -> None:
        """Record a run, unless nothing came of it. Raises StoreError, StoreWriteError."""
        if result.outcome not in (CheckOutcome.STOPPED, CheckOutcome.UNAVAILABLE):
            self.record(result.challenge, passed=result.passed, now=now)

    def record(self, challenge: str, *, passed: bool, now: datetime) -> None:
        """Note a run. What was solved once stays solved. Raises StoreError, StoreWriteError."""
        known = dict(self.read())
        before = known.get(challenge)
        solved = before.solved if before else None
        known[challenge] = Practice(now, solved or (now if passed else None))
        text = _file_format().dump_json(dict(sorted(known.items())), indent=1)
        try:
            put_whole(self._path, text, durable=True, mode=0o600)
        except OSError as error:
            raise StoreWriteError(
                f"{self._path} cannot be written: {error.strerror}. This run is not marked in the "
                "list; free some space or fix the folder's permissions."
            ) from error


def _file_format() -> TypeAdapter[dict[str, Practice]]:
    from pydantic import TypeAdapter  # takes time to load, and screens need only the values above

    return TypeAdapter(dict[str, Practice])
