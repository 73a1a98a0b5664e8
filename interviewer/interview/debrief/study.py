"""What to study: the points lost over the whole session, by topic, the costliest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interviewer.interview.debrief.lessons import Lesson
from interviewer.interview.debrief.questions import QuestionDebrief


@dataclass(frozen=True)
class StudyTopic:
    """A topic with the weight lost in it, its lessons heaviest first, and their sources."""

    topic: str
    lost: float
    lessons: tuple[Lesson, ...]
    sources: tuple[str, ...]


def study_plan(questions: Iterable[QuestionDebrief]) -> tuple[StudyTopic, ...]:
    """The topics in which weight was lost, the one that lost most first."""
    by_topic: dict[str, list[QuestionDebrief]] = defaultdict(list)
    for question in questions:
        if question.lessons:
            by_topic[question.rubric.topic].append(question)
    topics = [_topic(topic, asked) for topic, asked in by_topic.items()]
    return tuple(sorted(topics, key=lambda topic: -topic.lost))


def _topic(topic: str, questions: Sequence[QuestionDebrief]) -> StudyTopic:
    costliest_first = sorted(questions, key=lambda question: -question.lost)
    lessons = [lesson for question in costliest_first for lesson in question.lessons]
    sources = (source for question in costliest_first for source in question.rubric.sources)
    return StudyTopic(
        topic=topic,
        lost=sum(question.lost for question in questions),
        lessons=tuple(sorted(lessons, key=lambda lesson: -lesson.line.lost)),
        sources=tuple(dict.fromkeys(sources)),
    )
