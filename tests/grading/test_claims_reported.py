"""What a model reports of an answer is kept if the words hold it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import table

from interviewer.grading.claims.quantity import Quantity, Reading
from interviewer.grading.claims.reported import Reported, has_number, holds, numbers, verified

CASES = table("cases", __file__)["claims_reported"]

HOUR, DAY = 3600.0, 86400.0


def kept(text: str, *reported: Reported, **fields: Any) -> Reading:
    return verified(reported, fields.pop("circumstances", ()), 3, text, **fields)


def one(quote: str, measure: str, value: float, unit: str = "", **fields: Any) -> Quantity | None:
    found = kept(f"So it was {quote}, I think.", Reported(quote, measure, value, unit, **fields))
    assert len(found.quantities) + found.dropped == 1
    return found.quantities[0] if found.quantities else None


@pytest.mark.parametrize(("quote", "measure", "value", "unit", "base"), CASES["converted"])
def test_a_value_is_converted_to_its_base_unit(
    quote: str, measure: str, value: float, unit: str, base: float
) -> None:
    found = one(quote, measure, value, unit)
    assert found is not None
    assert found.value == pytest.approx(base, rel=0.006)
    assert (found.text, found.turn, found.loose) == (quote, 3, False)


@pytest.mark.parametrize(("quote", "measure", "value", "unit"), CASES["dropped"])
def test_what_the_words_do_not_hold_is_dropped_and_counted(
    quote: str, measure: str, value: float, unit: str
) -> None:
    assert one(quote, measure, value, unit) is None


def test_a_quote_must_stand_in_the_answer_apart_from_case_and_space() -> None:
    text = "We had “Thirty-two\n H100s”, and 7B."
    found = kept(
        text,
        Reported('"thirty-two H100s"', "gpus", 32, device="H100s"),
        Reported("64 H100s", "gpus", 64),
        unusable=2,
    )
    (quantity,) = found.quantities
    assert (quantity.text, quantity.device) == ("Thirty-two\n H100s", "H100")
    assert (found.dropped, found.by) == (3, "model")


def test_no_two_figures_have_one_place() -> None:
    text = "Eight nodes of eight, then 64 GPUs here and 64 GPUs there."
    found = kept(
        text,
        Reported("Eight nodes of eight", "nodes", 8),
        Reported("Eight nodes of eight", "node_gpus", 8),
        Reported("64 GPUs", "gpus", 64, run="a"),
        Reported("64 GPUs", "gpus", 64, run="b"),
    ).quantities
    assert len({each.place for each in found}) == 4
    assert all(text[slice(*each.span)] == each.text for each in found)


def test_the_same_figure_reported_twice_is_one() -> None:
    found = kept("It had 7B.", *[Reported("7B", "parameters", 7e9)] * 2)
    assert (len(found.quantities), found.dropped) == (1, 0)


@pytest.mark.parametrize(("whose", "status", "kept"), CASES["whose"])
def test_whose_a_figure_is_and_whether_it_stands_is_the_models_to_say(
    whose: str, status: str, kept: list[object]
) -> None:
    found = one("7B", "parameters", 7e9, whose=whose, status=status)
    assert found is not None
    assert [found.whose, found.status, found.counts] == kept


def test_what_is_hypothetical_is_left_out_and_not_counted() -> None:
    found = kept("It would be 7B.", Reported("7B", "parameters", 7e9, status="hypothetical"))
    assert (found.quantities, found.dropped) == ((), 0)


def test_circumstances_and_the_outcome_are_kept_if_they_are_known() -> None:
    found = kept("", circumstances=[("r", "moe"), ("r", "rainy")], resolves="explained")
    assert (found.circumstances, found.resolves) == ((("r", "moe"),), "explained")


@given(
    st.text(max_size=60),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["tokens", "duration", "mfu", "cost", "token_price", "each", "bandwidth"]),
    st.text(max_size=20),
)
def test_no_report_stops_it(text: str, value: float, measure: str, unit: str) -> None:
    found = kept(text, Reported(text[3:20], measure, value, unit))
    assert all(text[slice(*each.span)] == each.text for each in found.quantities)


# -- any usual spelling ---------------------------------------------------------------


SPELLINGS = table("cases", __file__)["claims_spelling"]


@pytest.mark.parametrize(("quote", "value"), SPELLINGS["found"])
def test_a_number_is_found_in_any_usual_spelling(quote: str, value: float) -> None:
    found = holds(quote, value)
    assert found == pytest.approx(value, rel=0.006)
    assert has_number(quote)


def test_an_article_is_a_one_but_no_reason_to_ask_a_model() -> None:
    assert holds("about a week", 1) == 1
    assert not has_number("about a week")


@pytest.mark.parametrize(("quote", "value"), SPELLINGS["not found"])
def test_another_number_is_not(quote: str, value: float) -> None:
    assert holds(quote, value) is None


def test_a_scale_may_stand_with_a_neighbour_only() -> None:
    assert holds("from 6.1 to 4.7 billion", 6.1e9) == 6.1e9


@given(
    st.text()
    | st.from_regex(r"[0-9.,^*/⁻¹²³×x e+%-]{0,40}")
    | st.text("零一二三十百千万亿兆点分之两", max_size=30),
    st.floats(-1e30, 1e30),
)
def test_no_text_stops_it_and_every_number_is_finite(text: str, value: float) -> None:
    assert all(math.isfinite(number * scale) for number, scale in numbers(text))
    holds(text, value)


@given(st.floats(1e-6, 1e15), st.sampled_from(["", "B", " tokens", "x"]))
def test_a_number_in_digits_is_always_held(value: float, after: str) -> None:
    assert holds(f"about {value:.4g}{after}", float(f"{value:.4g}")) is not None
