"""The edges of the bands against people's: two raters' whole answers, and the library's samples."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from statistics import mean

from support.rated import (
    EXCELLENT,
    GOOD,
    as_imported,
    band_agreement,
    fooled,
    halves,
    mean_score,
    order,
    rated_by_reader,
    rated_offline,
    without_patterns,
)
from support.shipped import shipped_rubrics

from interviewer.grading.agreement import pearson
from interviewer.grading.bands import EDGES, band_of
from interviewer.grading.score import weighted_score
from interviewer.grading.verdicts import CriterionVerdict


def test_good_verdicts_give_the_bands_that_raters_give() -> None:
    rated = rated_by_reader()
    assert len(rated) == 84
    assert band_agreement(rated) >= 0.9
    assert all(band_agreement(half) >= 0.88 for half in halves(rated))
    assert order(rated) >= 0.95
    assert abs(mean(band_of(each.score) - each.people for each in rated)) <= 0.15
    assert mean_score(rated, EXCELLENT) > mean_score(rated, GOOD)
    assert fooled(rated) == []


def test_each_kind_of_answer_is_within_half_a_band_of_the_raters() -> None:
    kinds = defaultdict(list)
    for each in rated_by_reader():
        kinds[each.kind].append(band_of(each.score) - each.people)
    assert all(abs(mean(off)) <= 0.5 for off in kinds.values())
    assert {"level 0", "level 1", "level 2", "level 3", "level 4", "plain"} <= kinds.keys()


def test_samples_reach_the_band_of_their_kind() -> None:
    """Complete ones are strong, recited ones at most fragments, and the rest nothing usable."""
    reached = defaultdict(set)
    for rubric in shipped_rubrics():
        for sample in rubric.samples:
            verdicts = [CriterionVerdict(*each) for each in sample.verdicts.items()]
            reached[sample.kind].add(band_of(weighted_score(rubric, verdicts) or 0.0))
    assert reached["full"] == {4}
    assert reached["recited"] <= {0, 1}
    assert reached["empty"] == reached["wrong"] == reached["negated"] == {0}


def test_the_page_of_verdicts_names_the_edges_in_use() -> None:
    page = Path(__file__).parents[2] / "rubrics" / "VERDICTS.md"
    rows = re.findall(r"^\| [0-4] \| ([\d.]+) \|", page.read_text("utf-8"), re.MULTILINE)
    assert tuple(map(float, rows)) == (0.0, *EDGES)


def test_rubrics_without_patterns_order_answers_as_people_do() -> None:
    """Most own rubrics have none: written by hand, or imported with a question and an answer."""
    for change in (without_patterns, as_imported):
        rated = rated_offline(change)
        correlation = pearson([(each.people, each.score) for each in rated])
        assert correlation is not None
        assert correlation >= 0.6
        assert order(rated) >= 0.8
        assert abs(mean(each.score - each.people / 4 for each in rated)) <= 0.1
