"""The offline examiner against answers that nothing was fitted to."""

from __future__ import annotations

import asyncio

import pytest
from support.blind import EARLY, LATER, blind_rubrics
from support.rated import (
    EXCELLENT,
    GOOD,
    band_agreement,
    fooled,
    mean_score,
    order,
    rated_offline,
)

from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.examiner.selftest.exam import Exam, eval_set, run_exam


def exam_of(sets: tuple[str, ...]) -> Exam:
    items = eval_set(blind_rubrics(sets), attacks=False, repeats=1)
    return asyncio.run(run_exam(OfflineExaminer(), items))


@pytest.fixture(scope="module")
def exam() -> Exam:
    return exam_of(EARLY)


def test_verdicts_agree_with_authors_who_saw_no_pattern(exam: Exam) -> None:
    assert exam.result.samples == 144
    assert exam.result.macro_f1 >= 0.75
    assert exam.result.kappa >= 0.60


def test_scores_are_neither_kinder_nor_harsher(exam: Exam) -> None:
    assert abs(exam.result.bias) <= 0.05


def test_later_rubrics_err_towards_asking_again() -> None:
    """Their patterns were never fitted to a stranger's answers, so they miss more; a floor only."""
    exam = exam_of(LATER)
    assert exam.result.samples == 40
    assert exam.result.macro_f1 >= 0.5
    assert exam.result.kappa >= 0.4
    assert exam.result.bias <= 0.05


def test_bands_and_order_are_those_of_raters() -> None:
    rated = rated_offline()
    assert len(rated) == 240
    assert band_agreement(rated) >= 0.62
    assert order(rated) >= 0.85
    assert mean_score(rated, EXCELLENT) > mean_score(rated, GOOD)
    assert len(fooled(rated)) <= 1
    assert all(each.score < 0.5 for each in rated if each.kind == "keywords")
