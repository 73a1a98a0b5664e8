"""The criteria of a question with what they got."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.grading.score import Grade, credit
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.rubric.rubric import Criterion, Rubric


@dataclass(frozen=True)
class CriterionLine:
    """A criterion with what it got; ``verdict`` is None where it could not be judged."""

    criterion: Criterion
    verdict: CriterionVerdict | None
    ungraded_reason: str = ""

    @property
    def earned(self) -> float:
        """The weight made, hints at their price; below 0 for a contradiction, 0 if not judged."""
        return self.criterion.weight * credit(self.verdict) if self.verdict else 0.0

    @property
    def lost(self) -> float:
        """The weight not made, more than all of it for a contradiction; 0 if not judged."""
        return self.criterion.weight - self.earned if self.verdict else 0.0


def criterion_lines(rubric: Rubric, grade: Grade) -> Iterator[CriterionLine]:
    """A line for each criterion of the rubric, in its order."""
    verdicts = {verdict.criterion: verdict for verdict in grade.verdicts}
    reasons = dict(grade.ungraded)
    for criterion in rubric.criteria:
        yield CriterionLine(criterion, verdicts.get(criterion.id), reasons.get(criterion.id, ""))
