"""What to do next: a few actions, the points to study with their sources, and all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from interviewer.interview.debrief.questions import Lesson, QuestionDebrief
from interviewer.rubric.rubric import Rubric, Verdict

TO_DO = 3
STUDIED = 7
"""More at once is not a plan. The appendix has the rest."""


@dataclass(frozen=True)
class StudyTopic:
    """A topic with the weight lost in it, its lessons (costliest first) and their sources."""

    topic: str
    lost: float
    lessons: tuple[Lesson, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class StudyPoint:
    """A lost point, the question it belongs to, and where to read about it, "" for nowhere."""

    lesson: Lesson
    rubric: Rubric
    source: str

    @property
    def lost(self) -> float:
        """Weight lost on the point."""
        return self.lesson.line.lost


@dataclass(frozen=True)
class Action:
    """Something to do about one question; ``lost`` is the weight lost on it.

    ``point`` is the costliest point of the question, None for a question to answer for the first
    time.
    """

    rubric: Rubric
    lost: float
    source: str
    point: StudyPoint | None = None

    @property
    def contradicted(self) -> bool:
        """What was said about the point is wrong."""
        verdict = self.point.lesson.line.verdict if self.point else None
        return verdict is not None and verdict.verdict is Verdict.CONTRADICTED


def study_plan(questions: Iterable[QuestionDebrief]) -> tuple[StudyTopic, ...]:
    """The topics in which weight was lost, the costliest first."""
    by_topic: dict[str, list[QuestionDebrief]] = defaultdict(list)
    for question in questions:
        if question.lessons:
            by_topic[question.rubric.topic].append(question)
    topics = [_study_topic(topic, asked) for topic, asked in by_topic.items()]
    return tuple(sorted(topics, key=lambda topic: -topic.lost))


def study_points(questions: Iterable[QuestionDebrief]) -> tuple[StudyPoint, ...]:
    """The costliest points lost on questions that were answered.

    Among equals must-haves come first, then the questions take turns.
    """
    ranked = [
        ((-point.lost, not point.lesson.line.criterion.must_have, place), point)
        for question in questions
        if question.answered
        for place, point in enumerate(_points(question))
    ]
    ranked.sort(key=lambda each: each[0])
    return tuple(point for _, point in ranked[:STUDIED])


def actions(questions: Sequence[QuestionDebrief]) -> tuple[Action, ...]:
    """What to do first, by the weight lost.

    One for each question answered; then what was skipped, then further points of the costliest
    question.
    """
    answered = sorted((q for q in questions if q.answered and q.lessons), key=lambda q: -q.lost)
    first = [_action(question, 0) for question in answered]
    skipped = [_first_try(question) for question in questions if question.skipped]
    deeper = [_action(q, place) for q in answered for place in range(1, len(q.lessons))]
    return (*first, *skipped, *deeper)[:TO_DO]


def _action(question: QuestionDebrief, place: int) -> Action:
    point = tuple(_points(question))[place]
    lost = question.lost if place == 0 else point.lost
    return Action(question.rubric, lost, point.source, point)


def _first_try(question: QuestionDebrief) -> Action:
    return Action(question.rubric, question.lost, _source(question.rubric))


def _points(question: QuestionDebrief) -> Iterator[StudyPoint]:
    for lesson in question.lessons:
        yield StudyPoint(lesson, question.rubric, _source(question.rubric))


def _source(rubric: Rubric) -> str:
    return rubric.sources[0] if rubric.sources else ""


def _study_topic(topic: str, questions: Sequence[QuestionDebrief]) -> StudyTopic:
    costliest_first = sorted(questions, key=lambda question: -question.lost)
    lessons = [lesson for question in costliest_first for lesson in question.lessons]
    sources = (source for question in costliest_first for source in question.rubric.sources)
    return StudyTopic(
        topic=topic,
        lost=sum(question.lost for question in questions),
        lessons=tuple(sorted(lessons, key=lambda lesson: -lesson.line.lost)),
        sources=tuple(dict.fromkeys(sources)),
    )
