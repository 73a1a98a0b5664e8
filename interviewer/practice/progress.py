"""Progress over past sessions, how each question stands, and when to ask it again.

Pure functions of the questions graded in them. Intervals grow after Leitner (1972).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import mean

from interviewer.practice.attempts import Attempt, Past, Result

SHOWN = 5
"""Results in the list; the trend compares their mean with that of as many before."""
PASSED, FAILED = 3, 1
"""From this band on a question moves up a box; at this one or below it falls back to the first."""
INTERVALS = (1, 2, 4, 8, 16, 32, 64)
"""Days until a question in each box is due again."""
KNOWN = 2
"""The box, from 0, of what was passed once."""
REMEMBERED = 900
"""How many finished sessions are read, the latest: old SQLite binds no more than 999 values."""


@dataclass(frozen=True)
class Topic:
    """A topic: the share earned, 0..1, over the latest try of each of its questions."""

    name: str
    share: float
    questions: int
    bands: tuple[int, ...] = ()
    """Those of all tries, oldest first."""


@dataclass(frozen=True)
class Progress:
    """What the latest sessions show."""

    topics: tuple[Topic, ...] = ()
    """The weakest first."""
    results: tuple[Result, ...] = ()
    """The newest first."""
    bands: tuple[float, ...] = ()
    """Those of all results, oldest first."""
    change: float | None = None
    """How far the mean band of the last five results is above that of the five before."""
    weak: tuple[Attempt, ...] = ()
    """The latest tries that lost points, that with the costliest point first."""
    due: tuple[Attempt, ...] = ()
    """The latest tries of what is to be asked again, the longest due first."""


@dataclass(frozen=True)
class Standing:
    """A question that was asked. ``tries`` are newest first, and never empty.

    ``weak``: its last graded answer was no pass, so below band 3. ``due_since`` says since when it
    is to be asked again, None if not by the end of today.
    """

    tries: tuple[Attempt, ...]
    weak: bool = False
    due_since: datetime | None = None

    @property
    def last(self) -> Attempt:
        """The latest try."""
        return self.tries[0]

    @property
    def best(self) -> int | None:
        """The highest band, None if no try was graded."""
        return max((each.band for each in self.tries if each.band is not None), default=None)


def progress(past: Past, now: datetime) -> Progress:
    """What the latest sessions show, with what is due by the end of the day of ``now``."""
    bands = tuple(result.band for result in reversed(past.results) if result.band is not None)
    last, before = bands[-SHOWN:], bands[-2 * SHOWN : -SHOWN]
    latest: dict[str, Attempt] = {}
    for attempt in past.attempts:
        if attempt.answered and attempt.points:
            latest.setdefault(attempt.rubric, attempt)
    due = [(s.due_since, s.last) for s in standings(past.attempts, now).values() if s.due_since]
    return Progress(
        topics=tuple(_topics(latest.values(), past.attempts)),
        results=past.results[:SHOWN],
        bands=bands,
        change=mean(last) - mean(before) if before else None,
        weak=tuple(sorted((a for a in latest.values() if a.worst > 0), key=lambda a: -a.worst)),
        due=tuple(last for _, last in sorted(due, key=lambda each: each[0])),
    )


def _topics(latest: Iterable[Attempt], newest_first: Sequence[Attempt]) -> list[Topic]:
    by_topic: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in latest:
        by_topic[attempt.topic].append(attempt)
    bands: dict[str, list[int]] = defaultdict(list)
    for attempt in reversed(newest_first):
        if attempt.band is not None:
            bands[attempt.topic].append(attempt.band)
    topics = [
        Topic(name, _share(attempts), len(attempts), tuple(bands[name]))
        for name, attempts in by_topic.items()
    ]
    return sorted(topics, key=lambda topic: (topic.share, topic.name))


def _share(attempts: Sequence[Attempt]) -> float:
    points = [point for attempt in attempts for point in attempt.points]
    earned = sum(point.earned for point in points)
    return max(0.0, earned / sum(point.weight for point in points))


def standings(attempts: Iterable[Attempt], now: datetime) -> Mapping[str, Standing]:
    """The standing of each question that was asked, by its id; the attempts come newest first."""
    midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    end_of_day = midnight + timedelta(days=1)
    by_question: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_question[attempt.rubric].append(attempt)
    found = {}
    for name, tries in by_question.items():
        graded = [(each.at, each.band) for each in reversed(tries) if each.band is not None]
        bands = [band for _, band in graded]
        since = due_after(bands, graded[-1][0]) if graded else end_of_day
        is_weak = bool(bands) and bands[-1] < PASSED
        found[name] = Standing(tuple(tries), is_weak, since if since < end_of_day else None)
    return found


def box_after(bands: Iterable[int]) -> int:
    """The box, from 0, after these bands, oldest first; a band between the two changes nothing."""
    box = 0
    for band in bands:
        if band <= FAILED:
            box = 0
        elif band >= PASSED:
            box = min(max(box + 1, KNOWN), len(INTERVALS) - 1)
    return box


def due_after(bands: Iterable[int], last: datetime) -> datetime:
    """When a question with these bands, oldest first, is due again; ``last`` is the last try."""
    return last + timedelta(days=INTERVALS[box_after(bands)])
