"""Rounds and questions of a debrief."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interviewer.examiner.protocol import CloseReason
from interviewer.grading.agreement import ExamResult
from interviewer.grading.bands import mean_band
from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn
from interviewer.interview.debrief.bench import BenchDebrief, bench_debrief
from interviewer.interview.debrief.lessons import Lesson, lessons
from interviewer.interview.debrief.lines import CriterionLine, criterion_lines
from interviewer.interview.debrief.moments import Freeze, Strength, freezes, strengths
from interviewer.interview.state import QuestionState, RoundState
from interviewer.rubric.rubric import Criterion, Rubric
from interviewer.sandbox.challenges.challenge import Challenge


@dataclass(frozen=True)
class QuestionDebrief:
    """One question. ``grade`` is None while it is still open; nothing below it is there then.

    ``failed_exam`` names the examiners that judged it and had failed their own exam. ``bench`` is
    there where the question has a challenge.
    """

    round: int
    number: int
    rubric: Rubric
    grade: Grade | None
    closed: CloseReason | None
    lines: tuple[CriterionLine, ...]
    turns: tuple[Turn, ...]
    lessons: tuple[Lesson, ...] = ()
    strengths: tuple[Strength, ...] = ()
    freezes: tuple[Freeze, ...] = ()
    examiners: tuple[str, ...] = ()
    failed_exam: tuple[str, ...] = ()
    bench: BenchDebrief | None = None

    @property
    def lost(self) -> float:
        """The weight lost on it."""
        return sum(line.lost for line in self.lines)

    def lesson_on(self, criterion: Criterion) -> Lesson | None:
        """What to say next time on this criterion, None where nothing of it was lost."""
        on_it = (lesson for lesson in self.lessons if lesson.line.criterion.id == criterion.id)
        return next(on_it, None)


@dataclass(frozen=True)
class RoundDebrief:
    """One round that was begun; ``band`` is the mean of its graded questions."""

    number: int
    title: str
    band: float | None
    questions: tuple[QuestionDebrief, ...]
    not_asked: tuple[str, ...]
    """Titles of questions that the round had no time for."""


def round_debrief(
    state: RoundState,
    rubrics: Mapping[str, Rubric],
    exams: Mapping[str, ExamResult],
    challenges: Mapping[str, Challenge] = {},
) -> RoundDebrief:
    """The round as far as it got."""
    # On a ladder, what was not asked was not due: it stands on another rung.
    in_order = state.outline.questions if state.ended and not state.outline.rungs else ()
    return RoundDebrief(
        number=state.number,
        title=state.outline.title,
        band=mean_band([q.grade.band for q in state.questions if q.grade]),
        questions=tuple(
            question_debrief(q, rubrics[q.rubric], exams, challenges) for q in state.questions
        ),
        not_asked=tuple(rubrics[rubric].title for rubric in in_order[len(state.questions) :]),
    )


def question_debrief(
    state: QuestionState,
    rubric: Rubric,
    exams: Mapping[str, ExamResult] = {},
    challenges: Mapping[str, Challenge] = {},
) -> QuestionDebrief:
    """The question with its lines, lessons and moments once it is graded."""
    lines = tuple(criterion_lines(rubric, state.grade)) if state.grade else ()
    examiners = tuple(dict.fromkeys(judged.examiner for judged in state.judged))
    return QuestionDebrief(
        round=state.round,
        number=state.number,
        rubric=rubric,
        grade=state.grade,
        closed=state.closed,
        lines=lines,
        turns=state.turns,
        lessons=tuple(lessons(rubric, state.turns, lines)),
        strengths=tuple(strengths(state, rubric, lines)),
        freezes=tuple(freezes(state, rubric, lines)) if state.grade else (),
        examiners=examiners,
        failed_exam=tuple(name for name in examiners if name in exams and not exams[name].passed),
        bench=bench_debrief(state, rubric, challenges),
    )
