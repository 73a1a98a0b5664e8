"""What the candidate puts beside the examiner's verdicts: verdicts of their own, and appeals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar, cast

from interviewer.grading.score import Grade, unread_points, weighted_score
from interviewer.grading.verdicts import Source, Verdict
from interviewer.rubric.rubric import Rating, Rubric

OwnVerdict = Literal["said", "not"]
OwnMark = Literal["said", "not", "none"]
"""What is put on a point: "none" takes the verdict back."""
Q = TypeVar("Q")


@dataclass(frozen=True)
class Appeal:
    """A point judged once more by one call, with the candidate's remark on it."""

    verdict: Verdict
    remark: str
    examiner: str


@dataclass(frozen=True)
class Own:
    """Of each point the latest of both, by the question's number in the session and criterion."""

    verdicts: Mapping[int, Mapping[str, OwnVerdict]] = field(default_factory=dict)
    appeals: Mapping[tuple[int, str], Appeal] = field(default_factory=dict)


NOTHING = Own()


def latest(marks: Iterable[tuple[Q, str, str]]) -> dict[Q, dict[str, OwnVerdict]]:
    """The verdicts that count by question and criterion; the marks come oldest first."""
    found: dict[Q, dict[str, OwnVerdict]] = {}
    for question, criterion, mark in marks:
        if mark == "appeal":
            continue
        of_question = found.setdefault(question, {})
        of_question.pop(criterion, None)
        if mark != "none":
            of_question[criterion] = cast("OwnVerdict", mark)
    return {question: own for question, own in found.items() if own}


def own_score(rubric: Rubric, grade: Grade, own: Mapping[str, OwnVerdict]) -> float | None:
    """The final score with the candidate's own verdicts; None without any or with unread points."""
    settled = own and unread_points(rubric, grade.ungraded) <= own.keys()
    return weighted_score(rubric, with_own(grade.verdicts, own), grade.flags) if settled else None


def with_own(verdicts: Iterable[Verdict], own: Mapping[str, OwnVerdict]) -> tuple[Verdict, ...]:
    """The verdicts with the candidate's own in their place: said is met, not is not met.

    A hint that was taken keeps its price; a point that they made was not told to them.
    """
    found = {each.criterion: each for each in verdicts}
    for criterion, verdict in own.items():
        source = found[criterion].source if criterion in found else Source.FIRST
        source = Source.FIRST if source is Source.TOLD else source
        settled = Rating.MET if verdict == "said" else Rating.NOT_MET
        found[criterion] = Verdict(criterion, settled, source=source)
    return tuple(found.values())
