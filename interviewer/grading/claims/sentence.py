"""A sentence in shorthand: each amount one capital letter, so that grammar can speak of amounts.

"We had eight 80-gig A100s for a day and a half." becomes "we had N M G for T."; the grammar's
patterns then say ``N M G`` whatever the words for the number were.

======  ==========================================================================
``N``   a number
``B``   a number with a big scale behind it: "7b", "1.4T", "two trillion"
``G``   an accelerator's name
``T``   an amount of time
``M``   an amount of memory
``P``   a percentage
``X``   how often: "twice", "four times"
======  ==========================================================================
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace

from interviewer.grading.claims.hardware import Device
from interviewer.rubric.text import Span

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
SECONDS = {
    **dict.fromkeys(("millisecond", "ms", "msec", "milli"), 1e-3),
    **dict.fromkeys(("second", "sec", "s"), 1.0),
    **dict.fromkeys(("minute", "min"), MINUTE),
    **dict.fromkeys(("hour", "hr", "h"), HOUR),
    "night": 12 * HOUR,
    **dict.fromkeys(("day", "d"), DAY),
    **{"week": 7 * DAY, "wk": 7 * DAY, "fortnight": 14 * DAY, "weekend": 2.5 * DAY},
    **{"month": 30.4 * DAY, "quarter": 91 * DAY, "year": 365 * DAY},
}

LETTERS = frozenset("NBGTMPX")


@dataclass(frozen=True)
class Amount:
    """What a capital letter stands for: seconds, bytes, a share of one, or a plain number.

    ``low`` and ``high`` are how far the words let it reach: apart for a range, 0 or infinite at an
    end for "at most" or "at least".
    """

    value: float
    low: float
    high: float
    unit: str = ""
    device: Device | None = None
    scale: str = ""

    @classmethod
    def of(cls, value: float, unit: str = "", scale: str = "") -> Amount:
        """An amount stated plainly."""
        return cls(value, value, value, unit, scale=scale)

    def times(self, factor: float, unit: str) -> Amount:
        """The amount in a unit that holds ``factor`` base units."""
        value, low, high = self.value * factor, self.low * factor, self.high * factor
        return replace(self, value=value, low=low, high=high, unit=unit)


@dataclass(frozen=True)
class Cell:
    """The normalised characters behind one character of shorthand."""

    start: int
    end: int
    amount: Amount | None = None


@dataclass(frozen=True)
class Sentence:
    """One sentence in shorthand; ``cells`` runs parallel to ``text``.

    ``plain`` is the sentence with its numbers in place, hyphens in words as spaces.
    """

    text: str
    cells: tuple[Cell, ...]
    plain: str
    begins: int
    """Where ``plain`` begins in the normalised text."""

    def place_of(self, position: int) -> int:
        """The place in ``text`` of a position in ``plain``, or the next that was kept."""
        return bisect_left(self.cells, self.begins + position, key=lambda cell: cell.start)

    def amount(self, place: int) -> Amount:
        """What the capital letter at ``place`` stands for."""
        amount = self.cells[place].amount
        assert amount is not None
        return amount

    def span(self, start: int, end: int) -> Span:
        """The normalised characters behind ``text[start:end]``."""
        return self.cells[start].start, self.cells[end - 1].end

    def rewritten(
        self,
        pattern: re.Pattern[str],
        amount_of: Callable[[Sentence, re.Match[str]], Amount | None],
    ) -> Sentence:
        """Each match as one letter, where ``amount_of`` finds an amount in it.

        The letter is the name of the match's group that took part last.
        """
        pieces: list[str] = []
        cells: list[Cell] = []
        done = 0
        for match in pattern.finditer(self.text):
            if (amount := amount_of(self, match)) is None:
                continue
            start, end = match.span()
            pieces += (self.text[done:start], str(match.lastgroup))
            cells += (*self.cells[done:start], Cell(*self.span(start, end), amount))
            done = end
        if not done:
            return self
        text = "".join(pieces) + self.text[done:]
        return replace(self, text=text, cells=(*cells, *self.cells[done:]))

    def without(self, pattern: re.Pattern[str]) -> Sentence:
        """The sentence with each match as nothing but the spaces at its ends."""
        kept: list[int] = []
        done = 0
        for match in pattern.finditer(self.text):
            kept += range(done, match.start())
            done = match.end()
        kept += range(done, len(self.text))
        text = "".join(self.text[i] for i in kept)
        return replace(self, text=text, cells=tuple(self.cells[i] for i in kept))
