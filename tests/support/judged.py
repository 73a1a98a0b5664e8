"""What the offline examiner makes of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from interviewer.examiner.offline.judge import judge
from interviewer.grading.evidence import check
from interviewer.grading.transcript import Turn, exchange
from interviewer.grading.verdicts import Ungraded, Verdict, own_mark
from interviewer.rubric.rubric import Rating, Rubric


def checked(rubric: Rubric, turns: Sequence[Turn]) -> tuple[Verdict, ...]:
    """The verdicts on these turns, once code has looked for what they quote."""
    return check(rubric, turns, judge(rubric, turns).findings)


def unjudged(criterion: str, why: str = "The reply was unreadable.") -> Verdict:
    """That there is no verdict on the criterion, in words alone."""
    return Verdict(criterion, None, ungraded=(Ungraded.OTHER,), missing=why)


def reasons(verdicts: Iterable[Verdict]) -> dict[str, str]:
    """Why there is no verdict, by criterion, where there is none."""
    return {each.criterion: each.reason for each in verdicts if each.ungraded}


def marks(own: Mapping[int, Mapping[str, Verdict]]) -> dict[int, dict[str, str | None]]:
    """The candidate's own verdicts by question and criterion, as they mark them."""
    return {place: {c: own_mark(v) for c, v in points.items()} for place, points in own.items()}


def verdicts_on(rubric: Rubric, answer: str) -> dict[str, Rating | None]:
    turns = exchange(rubric.question, answer)
    return {each.criterion: each.verdict for each in checked(rubric, turns)}
