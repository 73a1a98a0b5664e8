"""The offline examiner against answers that nothing was fitted to."""

from __future__ import annotations

import asyncio

import pytest
from support.blind import blind_rubrics

from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.examiner.selftest.exam import Exam, sit


@pytest.fixture(scope="module")
def exam() -> Exam:
    return asyncio.run(sit(OfflineExaminer(), blind_rubrics(), attacks=False, repeats=1))


def test_verdicts_agree_with_authors_who_saw_no_pattern(exam: Exam) -> None:
    assert exam.result.samples == 144
    assert exam.result.macro_f1 >= 0.75
    assert exam.result.kappa >= 0.60


def test_scores_are_neither_kinder_nor_harsher(exam: Exam) -> None:
    assert abs(exam.result.bias) <= 0.05
