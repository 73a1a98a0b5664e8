"""Two gradings of one session side by side: what moved, and why. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from interviewer.grading.score import credit
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.interview.regrade import GradedQuestion
from interviewer.rubric.rubric import Verdict


class Reason(StrEnum):
    """Why a verdict moved, as far as the two verdicts show."""

    ADDED = "criterion_added"
    REMOVED = "criterion_removed"
    NOT_JUDGED = "not_judged"
    """It could not be judged the second time."""
    JUDGED_NOW = "judged_now"
    NUMBER = "number_rule"
    """The number asked for was not stated within its tolerance."""
    QUOTE_REFUSED = "quote_refused"
    OBJECTION_GONE = "objection_gone"
    """The first time the quote or number was refused, the second time it was not."""
    OTHER_QUOTE = "other_quote"
    OTHER_HELP = "other_help"
    """The point counts as made with more or with less help."""
    VOTES = "votes"
    """The looks of one of the two did not agree."""
    RUBRIC_CHANGED = "rubric_changed"
    OTHER_EXAMINER = "other_examiner"
    SAME_WORDS = "same_words"
    """The same examiner read the same words otherwise."""


@dataclass(frozen=True)
class PointChange:
    """A criterion whose verdict, or what it earns, moved; None: not judged, or not there."""

    criterion: str
    claim: str
    before: CriterionVerdict | None
    after: CriterionVerdict | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class QuestionChange:
    """A question of which something moved. ``points`` is empty where only weights did."""

    before: GradedQuestion
    after: GradedQuestion
    points: tuple[PointChange, ...]


def compare(
    before: Sequence[GradedQuestion], after: Sequence[GradedQuestion]
) -> tuple[QuestionChange, ...]:
    """The questions of which a score, the band or a verdict moved, in the order of ``before``."""
    later = {(graded.round, graded.question): graded for graded in after}
    return tuple(
        change
        for graded in before
        if (other := later.get((graded.round, graded.question)))
        if (change := _change(graded, other))
    )


def _change(before: GradedQuestion, after: GradedQuestion) -> QuestionChange | None:
    points = tuple(_points(before, after))
    return QuestionChange(before, after, points) if points or _moved(before, after) else None


def _moved(before: GradedQuestion, after: GradedQuestion) -> bool:
    scores = [
        (graded.grade.first, graded.grade.unassisted, graded.grade.final)
        for graded in (before, after)
    ]
    return any(
        (a is None) != (b is None) or (a is not None and b is not None and abs(a - b) > 1e-9)
        for a, b in zip(*scores, strict=True)
    )


def _points(before: GradedQuestion, after: GradedQuestion) -> Iterator[PointChange]:
    earlier = {verdict.criterion: verdict for verdict in before.grade.verdicts}
    later = {verdict.criterion: verdict for verdict in after.grade.verdicts}
    for criterion, claim in {**before.claims, **after.claims}.items():
        a, b = earlier.get(criterion), later.get(criterion)
        if a == b or (a and b and a.verdict is b.verdict and credit(a) == credit(b)):
            continue
        reasons = tuple(_reasons(criterion, before, after, a, b))
        yield PointChange(criterion, claim, a, b, reasons)


def _reasons(
    criterion: str,
    before: GradedQuestion,
    after: GradedQuestion,
    a: CriterionVerdict | None,
    b: CriterionVerdict | None,
) -> Iterator[Reason]:
    """All that the two gradings show, from the nearest cause to the furthest."""
    if criterion not in before.claims:
        yield Reason.ADDED
    elif criterion not in after.claims:
        yield Reason.REMOVED
    elif a is None or b is None:
        yield Reason.JUDGED_NOW if a is None else Reason.NOT_JUDGED
    else:
        seen = [*_seen(a, b), *_circumstances(before, after)]
        yield from seen or [Reason.SAME_WORDS]


def _seen(a: CriterionVerdict, b: CriterionVerdict) -> Iterator[Reason]:
    if b.unsupported:
        # A number that was not stated leaves a partial credit, a refused quote leaves none.
        yield Reason.NUMBER if b.verdict is Verdict.PARTIAL else Reason.QUOTE_REFUSED
    elif a.unsupported:
        yield Reason.OBJECTION_GONE
    if a.evidence != b.evidence:
        yield Reason.OTHER_QUOTE
    if a.source is not b.source:
        yield Reason.OTHER_HELP
    if len(set(a.votes)) > 1 or len(set(b.votes)) > 1:
        yield Reason.VOTES


def _circumstances(before: GradedQuestion, after: GradedQuestion) -> Iterator[Reason]:
    versions = before.grade.rubric_version, after.grade.rubric_version
    if versions[0] != versions[1] or before.claims != after.claims:
        yield Reason.RUBRIC_CHANGED
    if before.grade.examiner != after.grade.examiner:
        yield Reason.OTHER_EXAMINER
