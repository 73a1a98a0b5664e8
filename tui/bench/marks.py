"""Which marks of a check still stand beside the text as it is now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content

from interviewer.report.bench import SIGN
from interviewer.sandbox.result import LineResult, LineStatus

COLOUR = {
    LineStatus.HOLDS: "$text-success",
    LineStatus.DEFINED: "$text-primary",
    LineStatus.FAILS: "bold $text-error",
    LineStatus.ERROR: "bold $text-error",
    LineStatus.NOT_JUDGED: "$text-muted",
}
EARLIER = "~"
"""In place of the sign: what was found before a line further up was changed."""


@dataclass(frozen=True)
class Mark:
    """What a check found of a line; ``stale`` where a line above it has been changed since."""

    status: LineStatus
    stale: bool = False

    def __str__(self) -> str:
        return f"{EARLIER} {self.status}" if self.stale else SIGN[self.status]

    @property
    def shown(self) -> Content:
        """Sign and word, with a colour on top."""
        return Content.styled(str(self), "dim" if self.stale else COLOUR[self.status])


def standing(
    ran: Sequence[str], results: Iterable[LineResult], now: Sequence[str]
) -> dict[int, Mark]:
    """The marks by line of the text ``now``, counted from 1; ``results`` belong to ``ran``.

    Lines above the first change keep theirs. Changed lines have none. Lines below the last change
    keep theirs as stale: a line stands on those before it.
    """
    above = _common(ran, now)
    below = _common(ran[above:][::-1], now[above:][::-1])
    unchanged = len(ran) == len(now) == above
    moved = len(now) - len(ran)
    marks = {}
    for result in results:
        if result.line <= above:
            marks[result.line] = Mark(result.status)
        elif result.line > len(ran) - below:
            marks[result.line + moved] = Mark(result.status, stale=not unchanged)
    return marks


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same from the start."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count
