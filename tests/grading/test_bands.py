"""The edges of the bands: what reaches them, and where they are written down."""

from __future__ import annotations

import re
from pathlib import Path

from interviewer.grading.bands import EDGES, band_of
from interviewer.grading.score import weighted_score
from interviewer.grading.verdicts import Verdict
from interviewer.rubric.rubric import Rubric

BANDS = {"full": {4}, "recited": {0, 1}, "empty": {0}, "wrong": {0}, "negated": {0}}


def test_samples_reach_the_band_of_their_kind(shipped_rubric: Rubric) -> None:
    """Complete ones are strong, recited ones at most fragments, and the rest nothing usable."""
    for sample in shipped_rubric.samples:
        verdicts = [Verdict(*each) for each in sample.verdicts.items()]
        band = band_of(weighted_score(shipped_rubric, verdicts) or 0.0)
        assert band in BANDS.get(sample.kind, {band}), sample.kind


def test_the_page_of_verdicts_names_the_edges_in_use() -> None:
    page = Path(__file__).parents[2] / "rubrics" / "VERDICTS.md"
    rows = re.findall(r"^\| [0-4] \| ([\d.]+) \|", page.read_text("utf-8"), re.MULTILINE)
    assert tuple(map(float, rows)) == (0.0, *EDGES)
