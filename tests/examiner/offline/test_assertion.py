"""A misconception counts only where the candidate asserts it."""

from __future__ import annotations

import pytest
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.examiner.offline.judge import judge
from interviewer.grading.transcript import exchange
from interviewer.rubric.rubric import Rating

CASES = table("sentences", __file__)["assertion"]

RUBRIC = a_rubric(
    a_criterion(
        "states",
        claim="The states of the model take 112 GB in total",
        patterns=[["112", r"\bstates?\b"]],
        misconceptions=[
            {
                "claim": "Merging is free of loss.",
                "patterns": [r"\bmerg\w*[^.;]{0,30}(lossless|no loss|loses nothing)"],
            },
            {
                "claim": "The spot price is always lower.",
                "patterns": [r"\bspot\b[^.;]{0,20}\balways (lower|cheaper)"],
            },
            {
                "claim": "A ping shows that the network is fine.",
                "patterns": [r"\bping\b[^.;]{0,25}\b(proves?|enough)"],
            },
            {
                "claim": "The buffer is large and costs nothing.",
                "patterns": [r"\bbuffer\b[^.;]{0,15}\bis (?:big|large)|\bbuffers? (?:do )?harm"],
            },
            {
                "claim": "A test that finds nothing shows that the link is clean.",
                "patterns": [r"\bfind nothing\b[^.;]{0,40}\b(?:is|it's) clean"],
            },
            {
                "claim": "The total isn't 112 GB.",
                "patterns": [r"(isn't|not|never)( \w+){0,3} 112"],
            },
        ],
    )
)


def is_contradicted(answer: str) -> bool:
    found = judge(RUBRIC, exchange(RUBRIC.question, answer)).findings
    return any(finding.verdict is Rating.CONTRADICTED for finding in found)


@pytest.mark.parametrize("answer", CASES["asserted"])
def test_what_is_asserted_contradicts(answer: str) -> None:
    assert is_contradicted(answer)


@pytest.mark.parametrize("answer", CASES["not asserted"])
def test_what_is_reported_denied_or_taken_back_does_not(answer: str) -> None:
    assert not is_contradicted(answer)


def test_a_point_and_its_opposite_are_neither_credited_nor_called_wrong() -> None:
    both = (
        "The states take 112 GB in total, all of them together. And the buffer is big, by the way."
    )
    (found,) = judge(RUBRIC, exchange(RUBRIC.question, both)).findings
    assert found.verdict is Rating.NOT_MET
    assert found.vague
