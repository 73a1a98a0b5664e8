"""What is said of an examiner's own exam."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from interviewer.grading.agreement import ExamResult
from interviewer.report.words import exam_sentence, signed

PASSED = ExamResult(
    "offline-v3", "offline-v3", datetime(2026, 1, 2, tzinfo=UTC), 320, 0.711, 0.8, -0.021, 0.1
)


def test_a_passed_exam_tells_agreement_and_bias() -> None:
    assert exam_sentence(PASSED, "offline-v3") == (
        "offline-v3 agreed with the authors at κ 0.71 on 320 samples (bias −0.02)."
    )
    assert "on 1 sample " in exam_sentence(replace(PASSED, samples=1), "offline-v3")


def test_a_failed_exam_asks_for_care_and_says_why() -> None:
    failed = replace(PASSED, failed_on=("kappa 0.40, under 0.60", "2 of 9 attacks"))
    assert exam_sentence(failed, "tiny") == (
        "tiny failed its exam on 320 samples (kappa 0.40, under 0.60; 2 of 9 attacks): take its "
        "grades with care."
    )


def test_without_an_exam_the_way_to_one_is_told() -> None:
    told = exam_sentence(None, "tiny")
    assert told.startswith("tiny has not taken the exam here")
    assert "interviewer rubrics selftest" in told


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0.00"), (-0.004, "0.00"), (0.05, "+0.05"), (-0.2, "−0.20"), (1.0, "+1.00")],
)
def test_signs_are_shown_and_nothing_has_none(value: float, shown: str) -> None:
    assert signed(value) == shown
