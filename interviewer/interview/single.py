"""One answer to one question, graded without a session."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.examiner.protocol import NEUTRAL, Case, Examiner, MoveKind
from interviewer.grading.score import Grade
from interviewer.grading.transcript import exchange
from interviewer.interview.asking import worded
from interviewer.interview.grades import checked, grade_of
from interviewer.interview.moves import Caps, next_move, standings
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rubric

_CAPS = Caps(follow_ups=4)


@dataclass(frozen=True)
class SingleGrade:
    """A grade, and what would be asked next; None when the examiner would go on."""

    grade: Grade
    follow_up: str | None


async def grade_answer(examiner: Examiner, rubric: Rubric, answer: str) -> SingleGrade:
    """Judge, check, score and word the next move. Raises ExaminerError."""
    case = Case(rubric, exchange(rubric.question, answer), (), NEUTRAL, exam=True)
    judged = checked(case, await examiner.judge(case))
    question = QuestionState(1, 1, rubric.id, case.turns, judged=(judged,))
    grade = grade_of(question, rubric, examiner.name)
    return SingleGrade(grade, await _follow_up(examiner, rubric, question))


async def _follow_up(examiner: Examiner, rubric: Rubric, question: QuestionState) -> str | None:
    move = next_move(question, rubric, _CAPS, "exam")
    if move.kind is MoveKind.CLOSE:
        return None
    case = Case(rubric, question.turns, tuple(standings(question).values()), NEUTRAL, exam=True)
    return await worded(examiner, case, move)
