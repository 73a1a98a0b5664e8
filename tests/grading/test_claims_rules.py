"""What rules read in an answer, and what they leave out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import table

from interviewer.grading.claims import rules
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.quantity import Quantity, Reading
from interviewer.grading.transcript import ParsedAnswer

CASES = table("cases", __file__)["claims_rules"]

TRUE = CASES["true passages"]


def read(text: str, *, own_work: bool = True, to_objection: bool = False) -> Reading:
    return rules.read(ParsedAnswer(text), 1, own_work=own_work, to_objection=to_objection)


def values(text: str, *, own_work: bool = True) -> dict[str, float]:
    return {each.measure: each.value for each in read(text, own_work=own_work).quantities}


@pytest.mark.parametrize("text", TRUE)
def test_a_true_passage_is_neither_accused_nor_closed(text: str) -> None:
    found = ledger([read(text)])
    assert (found.contradictions, found.closings) == ((), ())


@pytest.mark.parametrize(("text", "wanted"), CASES["read"])
def test_a_number_beside_its_noun_is_read(text: str, wanted: dict[str, float]) -> None:
    assert values(text) == pytest.approx(wanted)


@pytest.mark.parametrize("text", CASES["left out"])
def test_what_is_no_figure_of_a_run_of_theirs_is_left_out(text: str) -> None:
    assert values(text) == {}


@pytest.mark.parametrize(("text", "measure", "wanted"), CASES["words near numbers"])
def test_a_word_near_numbers_tells_of_one_of_them(
    text: str, measure: str, wanted: float | None
) -> None:
    assert values(text).get(measure) == wanted


def test_figures_count_from_the_first_word_of_ones_own() -> None:
    assert values("It took 64 GPUs.", own_work=False) == {}
    assert values("We trained it. It took 64 GPUs.", own_work=False) == {"gpus": 64}
    assert values("The paper used 512 GPUs, but we used 64 GPUs.") == {"gpus": 64}
    both = "Meta trained theirs on 15T tokens, and we had 64 H100s for ten days with our 8B."
    assert set(values(both)) == {"gpus", "duration", "parameters"}


def runs(text: str) -> list[tuple[str, str, float]]:
    return [(each.run, each.measure, each.value) for each in read(text).quantities]


def test_another_model_size_begins_a_run() -> None:
    assert runs("We trained a 7B, then a 13B on 64 GPUs. The 7B took 32 GPUs.") == [
        ("#1", "parameters", 7e9),
        ("#1.2", "parameters", 13e9),
        ("#1.2", "gpus", 64),
        ("#1", "parameters", 7e9),
        ("#1", "gpus", 32),
    ]


def test_of_a_number_corrected_in_the_same_breath_the_last_counts() -> None:
    assert values("We used 32, sorry, 64 H100s.") == {"gpus": 64}
    assert not any(q.status == "withdrawn" for q in read("We used 32, no, 64 H100s.").quantities)


def test_a_correction_of_an_earlier_turn_replaces() -> None:
    (found,) = read("I misspoke, we had 64 GPUs.").quantities
    (plain,) = read("We had 64 GPUs.").quantities
    (reply,) = read("We had 64 GPUs.", to_objection=True).quantities
    assert (found.replaces, plain.replaces, reply.replaces) == (True, False, True)


@pytest.mark.parametrize(("text", "wanted"), CASES["replies"])
def test_a_reply_to_an_objection_gives_up_or_explains(text: str, wanted: str) -> None:
    assert read(text, to_objection=True).resolves == wanted
    assert read(text).resolves == ""


def test_circumstances_are_read_unless_they_are_denied() -> None:
    assert read("We trained with LoRA, without offloading.").circumstances == (("#1", "adapters"),)


def test_the_only_device_named_is_that_of_all_figures() -> None:
    found = read("We had 64 GPUs, all H100s.").quantities
    assert [each.device for each in found] == ["H100"]


def spans_hold(text: str, found: tuple[Quantity, ...]) -> bool:
    return all(text[slice(*each.span)] == each.text for each in found)


@given(st.text(max_size=200) | st.lists(st.sampled_from(" ".join(TRUE).split())).map(" ".join))
def test_no_text_stops_the_rules_and_quotes_are_the_candidates_words(text: str) -> None:
    assert spans_hold(text, read(text).quantities)


@pytest.mark.parametrize(("typed", "unit", "wanted"), CASES["typed"])
def test_a_typed_value_is_of_the_figures_unit(typed: str, unit: str, wanted: float | None) -> None:
    assert rules.value_of(typed, unit) == (None if wanted is None else pytest.approx(wanted))
