"""The numbers that were stated, and what became of those that cannot be true together."""

from __future__ import annotations

from dataclasses import replace

from support.mocks import Mock, met
from support.rubrics import a_rubric

from interviewer.examiner.protocol import Move, MoveKind
from interviewer.grading.claims.quantity import Contradiction, Ledger, Quantity, Reading
from interviewer.interview.debrief.assessment import ClaimsDebrief, Impossibility, claims_debrief

GPUS = Quantity("gpus", 64.0, "", "64 A100s", 2, (3, 11), device="A100")
DAYS = Quantity("duration", 259200.0, "days", "three days", 2, (15, 25))
MORE_DAYS = Quantity("duration", 2592000.0, "days", "thirty days", 4, (0, 11), status="withdrawn")
TOO_FAST = "7B parameters on 2T tokens take 52 days on 64 A100s, not 3."
TOO_LARGE = "112 GB of states do not fit into 80 GB."
CLASH = Contradiction(("flops",), TOO_FAST, (GPUS, DAYS), 1.0, 2.0)


def challenged(*sums: Move) -> Mock:
    mock = Mock([a_rubric()])
    mock.ask()
    text, findings = met("alpha")
    mock.answer(text, *findings)
    for move in sums:
        mock.follow_up(move, move.sum)
        mock.answer("Then one of the two must be wrong, I suppose.", *findings[1:])
    mock.follow_up(Move(MoveKind.CHALLENGE, "beta"))
    mock.answer("That has nothing to do with any number.", *findings[1:])
    mock.close()
    return mock


def test_a_sum_that_still_fails_stands_and_one_that_no_longer_does_was_given_up() -> None:
    fast = Move(MoveKind.NUMBERS_CLASH, sum=TOO_FAST, ask="", figures=(GPUS.place, DAYS.place))
    large = Move(MoveKind.NUMBERS_CLASH, sum=TOO_LARGE, ask="", figures=(MORE_DAYS.place,))
    ledger = Ledger((GPUS, DAYS, MORE_DAYS), (CLASH,))
    assert claims_debrief(challenged(fast, large).state, ledger) == ClaimsDebrief(
        made=(GPUS, DAYS),
        retracted=(MORE_DAYS,),
        impossible=(
            Impossibility(TOO_FAST, 3, "stands", (GPUS, DAYS)),
            Impossibility(TOO_LARGE, 5, "given_up", (MORE_DAYS,)),
        ),
    )


def test_a_sum_whose_figures_stand_and_that_no_longer_fails_was_explained() -> None:
    fast = Move(MoveKind.NUMBERS_CLASH, sum=TOO_FAST, ask="", figures=(GPUS.place, DAYS.place))
    found = claims_debrief(challenged(fast).state, Ledger((GPUS, DAYS)))
    assert [each.outcome for each in found.impossible] == ["explained"]
    assert found.standing == ()


def test_what_was_corrected_or_struck_was_not_taken_back() -> None:
    struck, corrected = replace(GPUS, status="struck"), replace(DAYS, status="corrected")
    found = claims_debrief(challenged().state, Ledger((struck, corrected)))
    assert (found.made, found.retracted, found.replaced) == ((), (), (struck, corrected))


def test_only_ones_own_figures_are_listed() -> None:
    theirs = replace(GPUS, whose="other")
    assert claims_debrief(challenged().state, Ledger((theirs, DAYS))).made == (DAYS,)


def test_a_sum_that_was_never_put_to_the_candidate_says_so() -> None:
    found = claims_debrief(challenged().state, Ledger((GPUS, DAYS), (CLASH,)))
    assert found.impossible == (Impossibility(TOO_FAST, None, "stands", (GPUS, DAYS)),)
    assert found.standing == found.impossible


def test_fewer_of_the_figures_raised_make_no_new_sum() -> None:
    raised = Move(
        MoveKind.NUMBERS_CLASH,
        sum="Another sentence.",
        ask="",
        figures=(GPUS.place, DAYS.place, (9, 9)),
    )
    found = claims_debrief(challenged(raised).state, Ledger((GPUS, DAYS), (CLASH,)))
    assert [(each.challenged, each.outcome) for each in found.impossible] == [(3, "stands")]


def test_a_session_without_numbers_has_no_claims() -> None:
    assert claims_debrief(challenged().state, Ledger()) == ClaimsDebrief()


def test_answers_that_were_not_read_are_told() -> None:
    mock = Mock([a_rubric()])
    mock.ask()
    mock.say("64 A100s.", Reading(2, by="model", failed="The model said nothing."))
    mock.close()
    doubts = mock.debrief().doubts
    assert any("did not read the numbers in 1 answer" in each for each in doubts)


def test_a_contradiction_that_later_figures_hide_was_not_explained() -> None:
    mock = Mock([a_rubric(kind="project")])
    mock.ask()
    mock.say("We trained a 13B model on 1.2 trillion tokens with 64 H100s in nine days.")
    mock.object()
    mock.say("A step has 2,048 sequences of 4,096 tokens, and we took precisely 30,000 steps.")
    mock.object()
    mock.say("It is what it is.")
    mock.close()
    found = mock.debrief().claims.impossible
    assert len(found) >= 2
    assert {each.outcome for each in found} == {"stands"}
