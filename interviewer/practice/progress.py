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
REMEMBERED = 1000
"""How many finished sessions are read, the latest: more than a person has in years."""


@dataclass(frozen=True)
class Topic:
    """A topic: the share earned, 0..1, over the latest try of each of its questions."""

    name: str
    share: float
    questions: int


@dataclass(frozen=True)
class WeakSpot:
    """A criterion that lost weight when its question was last tried."""

    rubric: str
    title: str
    topic: str
    claim: str
    lost: float


@dataclass(frozen=True)
class Due:
    """A question to be asked again, and since when."""

    rubric: str
    title: str
    since: datetime


@dataclass(frozen=True)
class Progress:
    """``topics`` weakest first, ``results`` newest first, ``bands`` of all results oldest first.

    ``change`` is how far the mean band of the last five results is above that of the five before,
    None without any before. ``weak`` are the weak spots, the costliest first, and ``due`` what is
    due, the longest first.
    """

    topics: tuple[Topic, ...] = ()
    results: tuple[Result, ...] = ()
    bands: tuple[float, ...] = ()
    change: float | None = None
    weak: tuple[WeakSpot, ...] = ()
    due: tuple[Due, ...] = ()


def progress(past: Past, now: datetime) -> Progress:
    """What the latest sessions show, with what is due by the end of the day of ``now``."""
    graded = [result for result in past.results if result.band is not None]
    bands = tuple(result.band for result in reversed(graded) if result.band is not None)
    last, before = bands[-SHOWN:], bands[-2 * SHOWN : -SHOWN]
    latest = _latest(past.attempts)
    return Progress(
        topics=tuple(_topics(latest)),
        results=past.results[:SHOWN],
        bands=bands,
        change=mean(last) - mean(before) if before else None,
        weak=tuple(_weak(latest)),
        due=tuple(due_today(past.attempts, now)),
    )


def _latest(attempts: Iterable[Attempt]) -> list[Attempt]:
    """The latest try of each question that was answered; the attempts come newest first."""
    found: dict[str, Attempt] = {}
    for attempt in attempts:
        if attempt.answered and attempt.points:
            found.setdefault(attempt.rubric, attempt)
    return list(found.values())


def _topics(latest: Iterable[Attempt]) -> list[Topic]:
    by_topic: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in latest:
        by_topic[attempt.topic].append(attempt)
    topics = [Topic(name, _share(attempts), len(attempts)) for name, attempts in by_topic.items()]
    return sorted(topics, key=lambda topic: (topic.share, topic.name))


def _share(attempts: Sequence[Attempt]) -> float:
    points = [point for attempt in attempts for point in attempt.points]
    earned = sum(point.earned for point in points)
    return max(0.0, earned / sum(point.weight for point in points))


def _weak(latest: Iterable[Attempt]) -> list[WeakSpot]:
    spots = [
        WeakSpot(attempt.rubric, attempt.title, attempt.topic, point.claim, point.lost)
        for attempt in latest
        for point in attempt.points
        if point.lost > 0
    ]
    return sorted(spots, key=lambda spot: -spot.lost)


def due_today(attempts: Iterable[Attempt], now: datetime) -> list[Due]:
    """The questions due by the end of the day of ``now``, the longest first.

    The attempts come newest first.
    """
    midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    by = midnight + timedelta(days=1)
    tries: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        if attempt.band is not None:
            tries[attempt.rubric].append(attempt)
    found = []
    for rubric, newest_first in tries.items():
        bands = [each.band for each in reversed(newest_first) if each.band is not None]
        since = due_after(bands, newest_first[0].at)
        if since < by:
            found.append(Due(rubric, newest_first[0].title, since))
    return sorted(found, key=lambda due: due.since)


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


@dataclass(frozen=True)
class Standing:
    """A question that was asked. ``tries`` are newest first, and never empty.

    ``weak``: its last graded answer was no pass, so below band 3. ``due``: it is to be asked again
    by the end of today.
    """

    tries: tuple[Attempt, ...]
    weak: bool = False
    due: bool = False

    @property
    def last(self) -> Attempt:
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
    by_question: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in newest_first:
        by_question[attempt.rubric].append(attempt)
    standings = {}
    for name, tries in by_question.items():
        last = next((each.band for each in tries if each.band is not None), PASSED)
        standings[name] = Standing(tuple(tries), last < PASSED, name in due)
    return standings
