"""The candidate's own verdicts in place of the examiner's: what they make of a score."""

from __future__ import annotations

import pytest
from support.rubrics import a_criterion, a_rubric

from interviewer.grading.own import latest, own_verdict, with_own
from interviewer.grading.score import weighted_score
from interviewer.grading.verdicts import Source, Verdict
from interviewer.rubric.rubric import Rating

RUBRIC = a_rubric(a_criterion("alpha", weight=2, must_have=True), a_criterion("beta", weight=3))


def score(*verdicts: Verdict, **own: str) -> float | None:
    settled = {each: own_verdict(each, mark) for each, mark in own.items()}
    return weighted_score(RUBRIC, with_own(verdicts, settled))  # type: ignore[arg-type]


@pytest.mark.parametrize("verdict", list(Rating))
def test_said_is_met_and_not_is_not_met_whatever_the_examiner_says(verdict: Rating) -> None:
    found = Verdict("beta", verdict), Verdict("alpha", Rating.MET)
    assert score(*found, beta="said") == 1
    assert score(*found, beta="not") == 0.4


def test_a_hint_keeps_its_price_but_what_one_made_was_not_told() -> None:
    found = Verdict("alpha", Rating.PARTIAL, source=Source.HINT_1)
    assert score(found, alpha="said") == 0.75
    assert score(Verdict("alpha", Rating.MET, source=Source.TOLD), alpha="said") == 1


def test_a_point_that_could_not_be_judged_counts_once_it_is_settled() -> None:
    alpha = Verdict("alpha", Rating.MET)
    assert (score(alpha), score(alpha, beta="said")) == (1, 1)
    assert score(alpha, beta="not") == 0.4


def test_a_must_have_that_one_did_not_make_caps_the_score() -> None:
    found = [Verdict(each, Rating.MET) for each in ("alpha", "beta")]
    assert score(*found, alpha="not") == 0.5


def test_the_latest_mark_counts() -> None:
    marks = [
        (1, "a", "said"),
        (1, "a", "not"),
        (2, "a", "said"),
        (2, "a", "none"),
        (1, "b", "none"),
    ]
    assert latest(marks) == {1: {"a": Verdict("a", Rating.NOT_MET, by="candidate")}}
