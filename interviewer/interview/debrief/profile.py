"""The profile: what was made and missed, by topic and by kind of point.

It leads the debrief, since one mean over everything makes strong and weak sessions look alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interviewer.grading.bands import band_of, mean_band
from interviewer.interview.debrief.lines import CriterionLine
from interviewer.interview.debrief.questions import QuestionDebrief

STRONG_BAND = 3
"""A kind of point is strong where the share of its weight that was made would be this band…"""
WEAK_BAND = 1
"""…and weak where it would be this one or less."""


@dataclass(frozen=True)
class Tally:
    """Weight made out of weight that was judged, never below 0, over ``points`` criteria."""

    earned: float
    possible: float
    points: int

    @property
    def share(self) -> float | None:
        """Made over possible, 0..1; None where nothing was judged."""
        return self.earned / self.possible if self.possible else None


@dataclass(frozen=True)
class TopicProfile:
    """One topic of one round. ``bands`` are those of its questions in order, None if ungraded."""

    topic: str
    round: int
    tally: Tally
    bands: tuple[int | None, ...]
    kinds: tuple[tuple[str, Tally], ...]
    """By kind of criterion, in the order of their weight."""

    @property
    def mean_band(self) -> float | None:
        return mean_band(self.bands)

    @property
    def strong(self) -> tuple[str, ...]:
        """The kinds of criteria that were made nearly whole."""
        return strong_kinds(self.kinds)

    @property
    def weak(self) -> tuple[str, ...]:
        """The kinds of criteria of which fragments were made at best."""
        return weak_kinds(self.kinds)


@dataclass(frozen=True)
class Profile:
    """All topics in the order asked, and the kinds of criteria over all of them."""

    topics: tuple[TopicProfile, ...]
    kinds: tuple[tuple[str, Tally], ...]


def profile_of(questions: Sequence[QuestionDebrief]) -> Profile:
    """The profile over the questions that were closed."""
    by_topic: dict[tuple[int, str], list[QuestionDebrief]] = defaultdict(list)
    for question in questions:
        if question.grade:
            by_topic[question.round, question.rubric.topic].append(question)
    return Profile(
        topics=tuple(_topic(*place, asked) for place, asked in by_topic.items()),
        kinds=_kinds(questions),
    )


def strong_kinds(kinds: Iterable[tuple[str, Tally]]) -> tuple[str, ...]:
    """Those whose share would be band 3 or more."""
    return tuple(k for k, t in kinds if t.share is not None and band_of(t.share) >= STRONG_BAND)


def weak_kinds(kinds: Iterable[tuple[str, Tally]]) -> tuple[str, ...]:
    """Those whose share would be band 1 or less."""
    return tuple(k for k, t in kinds if t.share is not None and band_of(t.share) <= WEAK_BAND)


def _topic(round_: int, topic: str, questions: Sequence[QuestionDebrief]) -> TopicProfile:
    tallies = [_tally(question.lines) for question in questions]
    return TopicProfile(
        topic=topic,
        round=round_,
        tally=Tally(
            earned=sum(tally.earned for tally in tallies),
            possible=sum(tally.possible for tally in tallies),
            points=sum(tally.points for tally in tallies),
        ),
        bands=tuple(question.grade.band for question in questions if question.grade),
        kinds=_kinds(questions),
    )


def _kinds(questions: Iterable[QuestionDebrief]) -> tuple[tuple[str, Tally], ...]:
    by_kind: dict[str, list[CriterionLine]] = defaultdict(list)
    for question in questions:
        for line in question.lines:
            if line.verdict:
                by_kind[line.criterion.kind].append(line)
    kinds = [(kind, _tally(lines)) for kind, lines in by_kind.items()]
    return tuple(sorted(kinds, key=lambda kind: -kind[1].possible))


def _tally(lines: Iterable[CriterionLine]) -> Tally:
    judged = [line for line in lines if line.verdict]
    return Tally(
        earned=max(0.0, sum(line.earned for line in judged)),
        possible=sum(line.criterion.weight for line in judged),
        points=len(judged),
    )
