"""Where a doubt about a verdict matters: the criteria whose other reading would move the band."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from interviewer.grading.bands import band_of
from interviewer.grading.score import weighted_score
from interviewer.grading.verdicts import Verdict
from interviewer.rubric.rubric import Rubric


def decisive(rubric: Rubric, verdicts: Iterable[Verdict]) -> frozenset[str]:
    """The criteria in doubt whose ``alternative``, taken in place of the verdict, moves the band.

    Each is tried by itself: that several doubts all turn out the other way is rare.
    """
    standing = {verdict.criterion: verdict for verdict in verdicts}
    others = {
        criterion: replace(verdict, verdict=verdict.alternative)
        for criterion, verdict in standing.items()
        if verdict.alternative and verdict.alternative is not verdict.verdict
    }
    band = _band(rubric, standing)
    return frozenset(
        each for each in others if _band(rubric, {**standing, each: others[each]}) != band
    )


def _band(rubric: Rubric, verdicts: Mapping[str, Verdict]) -> int | None:
    score = weighted_score(rubric, verdicts.values())
    return None if score is None else band_of(score)
