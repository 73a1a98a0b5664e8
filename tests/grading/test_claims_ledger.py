"""The ledger of a session: what stands, what was taken back, and what clashes over all turns."""

from __future__ import annotations

from typing import Any

import pytest
from support.stated import DAY, HOUR, stated
from support.tables import table

from interviewer.grading.claims import rules
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.quantity import Ledger, Mark, Quantity, Reading
from interviewer.grading.transcript import ParsedAnswer

CASES = table("cases", __file__)["claims_ledger"]
SAID = (
    "Ours was a dense 13B on 260 billion tokens, so I know where the time goes. Sixty-four H100s.",
    "In all it took about thirty hours of wall clock, nothing went wrong.",
)
SUM = "13B parameters on 260B tokens is 2.0e22 FLOP; 64 H100s in 30 hours give at most 6.8e21 FLOP."
MODEL, TOKENS, GPUS, TIME = (
    stated("parameters", 13e9, turn=2),
    stated("tokens", 260e9, turn=2),
    stated("gpus", 64, turn=2, device="H100"),
    stated("duration", 30 * HOUR, unit="hours", turn=4),
)
CLASH = (Reading(2, (MODEL, TOKENS, GPUS)), Reading(4, (TIME,)))
OBJECTED = {6: (frozenset(each.place for each in (MODEL, TOKENS, GPUS, TIME)),)}


def by_rules(*answers: str) -> tuple[Reading, ...]:
    return tuple(
        rules.read(ParsedAnswer(text), turn, own_work=True)
        for turn, text in zip(range(2, 99, 2), answers, strict=False)
    )


def told(*more: Quantity, marks: tuple[Mark, ...] = (), **reply: Any) -> Ledger:
    """The ledger of the clash after a reply in turn 6."""
    return ledger((*CLASH, Reading(6, more, **reply)), marks, OBJECTED)


def statuses(found: Ledger) -> list[str]:
    return [each.status for each in found.quantities]


def test_figures_of_different_answers_are_held_against_each_other() -> None:
    found = ledger(by_rules(*SAID))
    assert [each.sentence for each in found.contradictions] == [SUM]
    assert {each.turn for each in found.contradictions[0].quantities} == {2, 4}


def withdrawn(found: Ledger) -> tuple[Quantity, ...]:
    return tuple(each for each in found.quantities if each.status == "withdrawn")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_a_reply_makes_of_the_figures(case: dict[str, Any]) -> None:
    more = [stated("duration", turn=6, **case["figure"])] if "figure" in case else []
    found = told(*more, resolves=case.get("resolves", ""))
    assert statuses(found) == case["statuses"]
    assert bool(found.contradictions) is case["clashes"]


def test_an_explanation_settles_the_contradiction_and_keeps_the_figures() -> None:
    found = told(resolves="explained")
    assert set(statuses(found)) == {"stands"}
    assert found.contradictions == ()
    assert [each.sentence for each in found.explained] == [SUM]
    later = told(resolves="stands")
    assert [each.sentence for each in later.contradictions] == [SUM]


def test_an_explanation_settles_no_new_figure() -> None:
    found = told(stated("tokens", 2600e9, turn=6, replaces=True), resolves="explained")
    assert len(found.contradictions) == 1


@pytest.mark.parametrize(("after", "status"), [(4, "struck"), (5, "withdrawn"), (7, "withdrawn")])
def test_a_strike_after_an_objection_counts_as_taking_back(after: int, status: str) -> None:
    found = told(marks=(Mark(TIME.turn, TIME.span[0], after),))
    assert statuses(found) == ["stands", "stands", "stands", status]
    assert found.contradictions == ()
    assert len(withdrawn(found)) == (status == "withdrawn")


def test_a_value_corrected_by_hand_is_held_against_the_rest() -> None:
    found = told(marks=(Mark(TIME.turn, TIME.span[0], 7, 5 * DAY, "5 days"),))
    assert (found.quantities[3].value, found.quantities[3].text) == (5 * DAY, "5 days")
    assert (set(statuses(found)), found.contradictions) == ({"stands"}, ())


def test_only_ones_own_standing_figures_count() -> None:
    paper = stated("tokens", 1e9, turn=2, whose="other")
    found = ledger((Reading(2, (MODEL, paper, GPUS)), Reading(4, (TIME,))))
    assert found.contradictions == ()
    assert paper not in found.standing


def test_runs_are_told_apart_and_so_are_groups_of_counts() -> None:
    split = (Reading(2, (MODEL, TOKENS)), Reading(4, (stated("gpus", 1, turn=4, run="b"), TIME)))
    assert ledger(split).contradictions == ()
    one, other = (
        Reading(turn, (stated("part", part, turn=turn), stated("whole", 100, turn=turn), share))
        for turn, part, share in ((2, 50, stated("share", 0.5, turn=2)), (4, 20, TIME))
    )
    assert ledger((one, other)).contradictions == ()


def test_a_circumstance_holds_for_its_run_whatever_the_label() -> None:
    label = "13B, first attempt"
    said = tuple(
        stated(q.measure, q.value, unit=q.unit, device=q.device, run=label)
        for q in (MODEL, TOKENS, GPUS, TIME)
    )
    assert ledger((Reading(1, said),)).contradictions
    assert ledger((Reading(1, said, ((label, "staged"),)),)).contradictions == ()
    assert ledger((Reading(1, said, (("13B", "staged"),)),)).contradictions


def test_an_unread_turn_changes_nothing() -> None:
    assert ledger((*CLASH, Reading(6, by="model", failed="no reply"))) == ledger(CLASH)
    assert ledger(()) == Ledger()
