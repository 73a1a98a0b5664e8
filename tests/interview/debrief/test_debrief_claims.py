"""The numbers that were stated, and what became of those that cannot be true together."""

from __future__ import annotations

from interviewer.grading.claims.claim import Claim, Contradiction, Ledger, Measure
from support.mocks import Mock, met
from support.rubrics import a_rubric

from interviewer.examiner.moves import Challenge, SumChallenge
from interviewer.interview.debrief.assessment import ClaimsDebrief, Impossibility, claims_debrief

GPUS = Claim("64 A100s", Measure.GPUS, 64.0, "A100", 2, (3, 11))
DAYS = Claim("three days", Measure.DURATION, 259200.0, "days", 2, (15, 25))
MORE_DAYS = Claim("thirty days", Measure.DURATION, 2592000.0, "days", 4, (0, 11))
TOO_FAST = "7B parameters on 2T tokens take 52 days on 64 A100s, not 3."
TOO_LARGE = "112 GB of states do not fit into 80 GB."


def challenged(*sums: str) -> Mock:
    mock = Mock([a_rubric()])
    mock.ask()
    text, findings = met("alpha")
    mock.answer(text, *findings)
    for said in sums:
        mock.follow_up(SumChallenge(said), f"Let me do the sum: {said}")
        mock.answer("Then one of the two must be wrong, I suppose.", *findings[1:])
    mock.follow_up(Challenge("beta"))
    mock.answer("That has nothing to do with any number.", *findings[1:])
    mock.close()
    return mock


def test_a_sum_that_still_fails_stands_and_one_that_no_longer_does_was_given_up() -> None:
    state = challenged(TOO_FAST, TOO_LARGE).state
    ledger = Ledger(
        (GPUS, DAYS),
        (MORE_DAYS,),
        (Contradiction(("FLOPs of a run",), TOO_FAST, (GPUS, DAYS)),),
    )
    assert claims_debrief(state, ledger) == ClaimsDebrief(
        made=(GPUS, DAYS),
        retracted=(MORE_DAYS,),
        impossible=(
            Impossibility(TOO_FAST, 3, "stands"),
            Impossibility(TOO_LARGE, 5, "given_up"),
        ),
    )


def test_a_sum_that_was_never_put_to_the_candidate_says_so() -> None:
    ledger = Ledger((GPUS, DAYS), (), (Contradiction(("FLOPs of a run",), TOO_FAST, (GPUS, DAYS)),))
    found = claims_debrief(challenged().state, ledger)
    assert found.impossible == (Impossibility(TOO_FAST, None, "stands", (GPUS, DAYS)),)
    assert found.standing == found.impossible


def test_a_session_without_numbers_has_no_claims() -> None:
    found = claims_debrief(challenged().state, Ledger())
    assert found == ClaimsDebrief()
