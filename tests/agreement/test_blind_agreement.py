"""The offline examiner against answers that nothing was fitted to."""

from __future__ import annotations

import asyncio

import pytest
from support.blind import EARLY, LATER, blind_rubrics

from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.examiner.selftest.exam import Exam, sit


def sat(sets: tuple[str, ...]) -> Exam:
    return asyncio.run(sit(OfflineExaminer(), blind_rubrics(sets), attacks=False, repeats=1))


@pytest.fixture(scope="module")
def exam() -> Exam:
    return sat(EARLY)


def test_verdicts_agree_with_authors_who_saw_no_pattern(exam: Exam) -> None:
    assert exam.result.samples == 144
    assert exam.result.macro_f1 >= 0.75
    assert exam.result.kappa >= 0.60


def test_scores_are_neither_kinder_nor_harsher(exam: Exam) -> None:
    assert abs(exam.result.bias) <= 0.05


def test_later_rubrics_err_towards_asking_again() -> None:
    """Their patterns were never fitted to a stranger's answers, so they miss more; a floor only."""
    exam = sat(LATER)
    assert exam.result.samples == 40
    assert exam.result.macro_f1 >= 0.5
    assert exam.result.kappa >= 0.4
    assert exam.result.bias <= 0.05
