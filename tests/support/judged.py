"""What the offline examiner makes of an answer."""

from __future__ import annotations

from interviewer.examiner.offline.judge import judge
from interviewer.grading.evidence import check
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.rubric.rubric import Rubric, Verdict


def verdicts_on(rubric: Rubric, answer: str) -> dict[str, Verdict]:
    """The checked verdicts on a single answer, by criterion."""
    turns = (
        Turn(1, "examiner", TurnKind.QUESTION, rubric.question),
        Turn(2, "candidate", TurnKind.ANSWER, answer),
    )
    findings = judge(rubric, turns).findings
    return {each.criterion: each.verdict for each in check(rubric, turns, findings)}
