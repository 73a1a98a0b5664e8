"""How each question stands after all its tries: best, last, weak, due, or never asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from interviewer.practice.attempts import Attempt
from interviewer.practice.progress import due_today
from interviewer.practice.schedule import PASSED

REMEMBERED = 1000
"""How many finished sessions are read, the latest: more than a person has in years."""


@dataclass(frozen=True)
class Try:
    """One time the question was asked; ``band`` is None where nothing could be graded."""

    at: datetime
    band: int | None
    session: str


@dataclass(frozen=True)
class Standing:
    """A question that was asked. ``tries`` are newest first, and never empty.

    ``weak``: its last graded answer was no pass, so below band 3. ``due``: it is to be asked again
    by the end of today.
    """

    tries: tuple[Try, ...]
    weak: bool = False
    due: bool = False

    @property
    def last(self) -> Try:
        """The latest try."""
        return self.tries[0]

    @property
    def best(self) -> int | None:
        """The highest band, None if no try was graded."""
        return max((each.band for each in self.tries if each.band is not None), default=None)


def standings(attempts: Iterable[Attempt], now: datetime) -> Mapping[str, Standing]:
    """The standing of each question that was asked, by its id; the attempts come newest first."""
    newest_first = tuple(attempts)
    due = {each.rubric for each in due_today(newest_first, now)}
    by_question: dict[str, list[Try]] = defaultdict(list)
    for attempt in newest_first:
        by_question[attempt.rubric].append(Try(attempt.at, attempt.band, attempt.session))
    return {
        name: Standing(tuple(tries), _is_weak(tries), name in due)
        for name, tries in by_question.items()
    }


def _is_weak(tries: Iterable[Try]) -> bool:
    last = next((each.band for each in tries if each.band is not None), None)
    return last is not None and last < PASSED
