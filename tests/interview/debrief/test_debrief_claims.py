"""The numbers that were stated, and what became of those that cannot be true together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.mocks import Mock
from support.rubrics import a_rubric

from interviewer.examiner.protocol import Move, MoveKind
from interviewer.grading.claims.quantity import Contradiction, Ledger, Quantity
from interviewer.interview.debrief.assessment import ClaimsDebrief, claims_debrief

GPUS = Quantity("gpus", 64.0, "", "64 A100s", 2, (3, 11), device="A100")
DAYS = Quantity("duration", 259200.0, "days", "three days", 2, (15, 25))
MORE_DAYS = Quantity("duration", 2592000.0, "days", "thirty days", 4, (0, 11), status="withdrawn")
TOO_FAST = "7B parameters on 2T tokens take 52 days on 64 A100s, not 3."
TOO_LARGE = "112 GB of states do not fit into 80 GB."
CLASH = Contradiction(("flops",), TOO_FAST, (GPUS, DAYS), 1.0, 2.0)


def objection(said: str, *places: tuple[int, int]) -> Move:
    return Move(MoveKind.NUMBERS_CLASH, sum=said, ask="", figures=places)


FAST = objection(TOO_FAST, GPUS.place, DAYS.place)
LARGE = objection(TOO_LARGE, MORE_DAYS.place)


def found(ledger: Ledger, *raised: Move) -> ClaimsDebrief:
    """What is told of these figures where these objections were raised, in turn 3 and 5."""
    mock = Mock([a_rubric()]).ask().make("alpha")
    for move in (*raised, Move(MoveKind.CHALLENGE, "beta")):
        mock.follow_up(move, move.sum).answer("Then one of them must be wrong, I suppose.")
    return claims_debrief(mock.close().state, ledger)


@pytest.mark.parametrize(
    ("raised", "ledger", "still_open"),
    [
        ((FAST,), Ledger((GPUS, DAYS), (CLASH,)), [TOO_FAST]),
        ((LARGE,), Ledger((GPUS, DAYS, MORE_DAYS)), []),
        ((FAST,), Ledger((GPUS, DAYS)), []),
        ((), Ledger((GPUS, DAYS), (CLASH,)), []),
    ],
    ids=["fails still", "a figure was taken back", "its figures fit by now", "never put"],
)
def test_each_sum_that_was_put_is_told_with_the_reply_open_or_not(
    raised: tuple[Move, ...], ledger: Ledger, still_open: list[str]
) -> None:
    told = found(ledger, *raised)
    assert [each.sentence for each in told.impossible] == still_open
    both = (*told.impossible, *told.settled)
    assert [each.sentence for each in both] == [move.sum for move in raised]
    assert all(each.reply and "must be wrong" in each.reply.text for each in both)


def test_a_sum_without_a_reply_is_not_held_against_anyone() -> None:
    mock = Mock([a_rubric()]).ask().make("alpha").follow_up(FAST, FAST.sum).close()
    assert claims_debrief(mock.state, Ledger((GPUS, DAYS), (CLASH,))).impossible == ()


def test_own_figures_count_once_and_nobody_else_s_does() -> None:
    gone = replace(DAYS, status="struck"), MORE_DAYS
    again, more = replace(GPUS, turn=6), replace(GPUS, value=128.0, turn=8)
    others = (replace(more, value=8.0, whose=whose) for whose in ("team", "other", "exercise"))
    notes = replace(more, value=16.0, turn=0)
    told = found(Ledger((GPUS, again, more, *others, notes, *gone)))
    assert told.own == (GPUS, more)


def test_a_contradiction_that_later_figures_hide_was_not_explained() -> None:
    mock = Mock([a_rubric(kind="project")]).ask()
    mock.say("We trained a 13B model on 1.2 trillion tokens with 64 H100s in nine days.").object()
    mock.say("A step has 2,048 sequences of 4,096 tokens, and we took precisely 30,000 steps.")
    mock.object().say("It is what it is.").close()
    told = mock.debrief().claims
    assert len((*told.impossible, *told.settled)) >= 2
