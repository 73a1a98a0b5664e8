"""What the candidate puts beside the examiner's verdicts: verdicts of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal, TypeVar

from interviewer.grading.score import Grade, unread_points, weighted_score
from interviewer.grading.verdicts import Source, Verdict
from interviewer.rubric.rubric import Rating, Rubric

OwnMark = Literal["said", "not", "none"]
"""What is put on a point: "none" takes the verdict back."""
_RATING = {"said": Rating.MET, "not": Rating.NOT_MET}
Q = TypeVar("Q")


Own = Mapping[int, Mapping[str, Verdict]]
"""The latest on each point, by the question's number in the session and criterion."""
NOTHING: Own = {}


def own_verdict(criterion: str, mark: str) -> Verdict | None:
    """What the mark says of the point, None where it takes that back."""
    return Verdict(criterion, _RATING[mark], by="candidate") if mark in _RATING else None


def own_mark(own: Verdict | None) -> str | None:
    """The mark that says this."""
    return next((mark for mark, each in _RATING.items() if own and own.verdict is each), None)


def latest(marks: Iterable[tuple[Q, str, str]]) -> dict[Q, dict[str, Verdict]]:
    """The verdicts that count by question and criterion; the marks come oldest first.

    Earlier versions kept appeals among them, which are passed over.
    """
    last = {(question, criterion): mark for question, criterion, mark in marks if mark != "appeal"}
    found: dict[Q, dict[str, Verdict]] = {}
    for (question, criterion), mark in last.items():
        if own := own_verdict(criterion, mark):
            found.setdefault(question, {})[criterion] = own
    return found


def own_score(rubric: Rubric, grade: Grade, own: Mapping[str, Verdict]) -> float | None:
    """The final score with the candidate's own verdicts; None without any or with unread points."""
    settled = own and unread_points(rubric, grade.verdicts) <= own.keys()
    return weighted_score(rubric, with_own(grade.verdicts, own), grade.flags) if settled else None


def with_own(verdicts: Iterable[Verdict], own: Mapping[str, Verdict]) -> tuple[Verdict, ...]:
    """The verdicts with the candidate's own in their place.

    A hint that was taken keeps its price; a point that they made was not told to them.
    """
    found = {each.criterion: each for each in verdicts}
    for criterion, verdict in own.items():
        source = found.get(criterion, verdict).source
        source = Source.FIRST if source is Source.TOLD else source
        found[criterion] = replace(verdict, source=source)
    return tuple(found.values())
