"""Estimations: typed numbers with a tolerance, their units, and mistakes of a power."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from interviewer.sandbox.challenges.challenge import Challenge
from interviewer.sandbox.checking.comparing import Difference, Tolerance
from interviewer.sandbox.language import Statement
from interviewer.sandbox.language.units import unit

_REL = 0.03
"""How far a typed number may be off where nothing else is declared."""
_FACTORS = (
    (8, "a factor of 8: bits or bytes?"),
    (60, "a factor of 60: seconds, minutes or hours?"),
    (3600, "a factor of 3600: seconds or hours?"),
    (24, "a factor of 24: hours or days?"),
    (86400, "a factor of 86400: seconds or days?"),
)


class Estimates:
    """What is special about the lines of an estimation; of other challenges, nothing.

    A part is a number where it hangs on no input or dim, through other lines either.
    """

    def __init__(self, challenge: Challenge, statements: Sequence[Statement]) -> None:
        self._on = challenge.kind == "estimation"
        self._units = {part.name: (part.unit, part.rel) for part in challenge.answer}
        self._statements = statements
        self._numbers = _numbers(challenge, statements)
        self._only_here: set[int] = set()

    @property
    def points(self) -> list[str]:
        """What is right for the numbers of the question only, as sentences."""
        if not self._on:
            return []
        return [
            f"Line {self._statements[item].line} is right for the numbers given; whether its "
            "formula holds for others was not shown."
            for item in sorted(self._only_here)
        ]

    def formula(self, item: int) -> bool:
        """What the line defines was given as a formula that holds for other numbers too."""
        return item not in self._only_here

    def figure(self, item: int) -> bool:
        """What the line defines was given as a number, by itself or at the end of a chain."""
        below = item + 1
        while below < len(self._statements) and self._statements[below].continues:
            below += 1
        return self._on and any(item <= at < below for at, _ in self._numbers)

    def tolerance(
        self, parts: set[tuple[int, int]], declared: str | None, exact: Tolerance
    ) -> Tolerance:
        """Between these parts (item, part): typed numbers may be rounded, formulas may not."""
        if not (self._on and parts & self._numbers):
            return exact
        return Tolerance(0.0, self._units.get(declared or "", ("", _REL))[1])

    def elsewhere(
        self, item: int, parts: set[tuple[int, int]], found: Difference | None, *, asked: bool
    ) -> None:
        """Note what another draw shows: that a line holds for the question's numbers alone.

        A typed number beside a formula says nothing there; one that is all there is for what was
        ``asked`` does.
        """
        typed = bool(parts & self._numbers)
        if (typed and asked) or (found is not None and not typed):
            self._only_here.add(item)

    def wrong_unit(self, item: int, part: int, name: str | None) -> str:
        """What is wrong with the unit that a number was given, "" where nothing is."""
        asked = self._units.get(name or self._statements[item].defines or "", ("", 0))[0]
        given = self._statements[item].parts[part].unit
        known = unit(asked)
        if not (self._on and known and given) or given == known.dimension:
            return ""
        return f"The unit is one of {given}; what is asked comes in {asked}."

    @staticmethod
    def power(found: Difference) -> str:
        """Which slip of a power or unit the ratio of two numbers speaks of, "" where none."""
        if len(found.got.entries) != 1 or found.got.shape != found.wanted.shape:
            return ""
        got, wanted = found.got.entries[0], found.wanted.entries[0]
        if not (wanted and got / wanted > 0):
            return ""
        ratio = got / wanted
        for factor, words in _FACTORS:
            if min(abs(ratio / factor - 1), abs(ratio * factor - 1)) < 0.02:
                return f"It is off by {words}"
        power = round(log10(ratio))
        if power and abs(ratio / 10.0**power - 1) < 0.03:
            return (
                f"The digits are right, and it is off by a factor of 10^{abs(power)}: "
                "check the powers of ten and the unit."
            )
        for binary in range(1, 5):
            exact = 1.024**binary
            if min(abs(ratio / exact - 1), abs(ratio * exact - 1)) < 0.004:
                return "It is off by what lies between powers of 1000 and of 1024: GB or GiB?"
        return ""


def _numbers(challenge: Challenge, statements: Sequence[Statement]) -> set[tuple[int, int]]:
    depends = set(challenge.given)
    found: set[tuple[int, int]] = set()
    for item, statement in enumerate(statements):
        for place, part in enumerate(statement.parts):
            if not part.names & depends:
                found.add((item, place))
        if statement.defines and statement.parts[0].names & depends:
            depends.add(statement.defines)
    return found
