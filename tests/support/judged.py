"""What the offline examiner makes of an answer."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.examiner.offline.judge import judge
from interviewer.grading.evidence import check
from interviewer.grading.transcript import Turn, exchange
from interviewer.grading.verdicts import Verdict
from interviewer.rubric.rubric import Rating, Rubric


def checked(rubric: Rubric, turns: Sequence[Turn]) -> tuple[Verdict, ...]:
    """The verdicts on these turns, once code has looked for what they quote."""
    return check(rubric, turns, judge(rubric, turns).findings)


def verdicts_on(rubric: Rubric, answer: str) -> dict[str, Rating]:
    """The checked verdicts on a single answer, by criterion."""
    turns = exchange(rubric.question, answer)
    return {each.criterion: each.verdict for each in checked(rubric, turns)}
