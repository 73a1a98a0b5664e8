"""What to do next: a few actions, the points to study with their sources, and all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from interviewer.examiner.protocol import is_on_own_work
from interviewer.interview.debrief.questions import Lesson, QuestionDebrief, lesson_on

TO_DO = 3
STUDIED = 7
"""More at once is not a plan. The appendix has the rest."""


@dataclass(frozen=True)
class StudyTopic:
    """A topic with the weight lost in it, its lessons (costliest first) and their sources."""

    topic: str
    lost: float
    points: tuple[Lesson, ...]
    sources: tuple[str, ...]


def study_plan(questions: Iterable[QuestionDebrief]) -> tuple[StudyTopic, ...]:
    """The topics in which weight was lost, the costliest first."""
    by_topic: dict[str, list[QuestionDebrief]] = defaultdict(list)
    for question in questions:
        if question.lessons:
            by_topic[question.rubric.topic].append(question)
    topics = [_study_topic(topic, asked) for topic, asked in by_topic.items()]
    return tuple(sorted(topics, key=lambda topic: -topic.lost))


def study_points(questions: Iterable[QuestionDebrief]) -> tuple[Lesson, ...]:
    """The costliest points lost on questions that were answered.

    Among equals must-haves come first, then the questions take turns.
    """
    ranked = [
        ((-lesson.lost, not lesson.must_have, place), lesson)
        for question in questions
        if question.answered
        for place, lesson in enumerate(question.lessons)
    ]
    ranked.sort(key=lambda each: each[0])
    return tuple(lesson for _, lesson in ranked[:STUDIED])


def actions(questions: Sequence[QuestionDebrief]) -> tuple[Lesson, ...]:
    """What to do first, by the weight lost.

    One for each question answered, standing for all that it cost; then what was skipped, then
    further points of the costliest question. What was only heard calls for nothing.
    """
    known = (q for q in questions if q.answered and q.lessons and not q.only_heard)
    answered = sorted(known, key=lambda q: -q.lost)
    first = [replace(question.lessons[0], lost=question.lost) for question in answered]
    skipped = [lesson_on(q.rubric, q.lost) for q in questions if q.skipped]
    deeper = [lesson for question in answered for lesson in question.lessons[1:]]
    return (*first, *skipped, *deeper)[:TO_DO]


def _study_topic(topic: str, questions: Sequence[QuestionDebrief]) -> StudyTopic:
    costliest_first = sorted(questions, key=lambda question: -question.lost)
    lessons = [lesson for question in costliest_first for lesson in question.lessons]
    told = (question for question in costliest_first if not is_on_own_work(question.rubric))
    sources = (source for question in told for source in question.rubric.sources)
    return StudyTopic(
        topic=topic,
        lost=sum(question.lost for question in questions),
        points=tuple(sorted(lessons, key=lambda lesson: -lesson.lost)),
        sources=tuple(dict.fromkeys(sources)),
    )
