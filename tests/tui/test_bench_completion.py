"""Completion at the bench: what is offered, who takes it, and that no key typed is altered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.bench_stage import CHALLENGE, FakeBench, at_the_bench, bench_app, paste, source
from support.stage import NARROW, burst, lines_with, opens, sees, type_in, until
from textual.pilot import Pilot

from tui.bench.completion import Offer, offered
from tui.bench.editor import BenchEditor
from tui.bench.task import GrammarCard


def offer(before: str, *above: str, after: str = "") -> Offer:
    return offered(CHALLENGE, above, before, after)


def test_a_function_is_offered_with_an_example_and_its_meaning() -> None:
    found = offer("out = sof")
    assert found.rest == "tmax("
    assert found.says == (
        "softmax(x, dim=-1) · exp(x) divided by its sum along an axis · also softplus"
    )


@pytest.mark.parametrize(
    ("before", "rest"),
    [
        ("out = be", "ta"),  # given
        ("out = sco", "res"),  # defined above
        ("ou", "t"),  # asked for
        ("x = 2 * softp", "lus("),
        ("x = (log_", "softmax("),
    ],
)
def test_names_come_from_the_task_the_lines_above_and_the_language(before: str, rest: str) -> None:
    assert offer(before, "scores = Q @ T(K)").rest == rest


@pytest.mark.parametrize(
    "before",
    [
        "",
        "o",  # one letter
        "x = out",  # finished, though not defined yet
        "x = sum",  # finished
        "x = beta",
        "x = Q.so",  # after a dot
        "# so",
        'x = einsum("so',
        "x = 2so",
        "x = scaled_dot",  # not allowed here
        "x = zz",
    ],
)
def test_nothing_is_offered_where_nothing_is_meant(before: str) -> None:
    assert offer(before).rest == ""


def test_in_the_middle_of_a_word_nothing_is_offered() -> None:
    assert offer("out = so", after="ft").rest == ""
    assert offer("out = sof", after="(Q)").rest == "tmax"


def test_inside_brackets_the_function_is_explained() -> None:
    assert offer("out = softmax(Q, ").says.startswith("softmax(x, dim=-1) · exp(x)")
    assert offer("out = softmax(sum(Q), ").says.startswith("softmax(x, dim=-1)")
    assert offer("out = (Q + ").says == ""


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=4), st.text(max_size=10))
def test_whatever_is_typed_offers_without_an_error(
    before: str, above: list[str], after: str
) -> None:
    found = offered(CHALLENGE, above, before, after)
    assert not found.rest or found.says


async def offering(pilot: Pilot[None], typed: str, usage: str) -> BenchEditor:
    """Type it and wait until the completion can be taken."""
    await type_in(pilot, typed)
    editor = source(pilot)
    await until(pilot, lambda: lines_with(pilot, usage) and editor._painted < float("inf"))
    return editor


async def test_tab_takes_what_is_shown_and_indents_otherwise() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        editor = await offering(pilot, "sof", "softmax(x, dim=-1)")
        assert lines_with(pilot, "softmax(")  # the rest of the word, behind the cursor
        assert editor.text == "sof"
        await pilot.press("tab")
        assert editor.text == "softmax("
        await sees(pilot, "softmax(x, dim=-1) · exp(x)")
        await pilot.press("tab")
        assert editor.text == "softmax(" + " " * 4


async def test_a_tab_typed_before_it_was_shown_indents() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        burst(pilot, "s", "o", "f", "tab", "x")
        await until(pilot, lambda: source(pilot).text.endswith("x"))
        assert source(pilot).text == "sof x"


async def test_nothing_typed_over_an_offer_is_lost() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        editor = await offering(pilot, "so", "softmax(x, dim=-1)")
        await type_in(pilot, "rt")
        await pilot.press("left_parenthesis", "Q", "enter", "b")
        assert editor.text == "sort(Q\nb"


@pytest.mark.parametrize("key", ["right", "up", "down", "left", "home", "end"])
async def test_arrows_move_and_take_nothing(key: str) -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        await paste(pilot, "a = Q\n\nb = Q")
        await pilot.press("up")
        await pilot.press("home")
        editor = await offering(pilot, "so", "softmax(x, dim=-1)")
        await pilot.press(key)
        assert editor.text == "a = Q\nso\nb = Q"
        if key != "end":
            await until(pilot, lambda: not editor.suggestion)


async def test_moving_onto_a_word_offers_nothing() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        await paste(pilot, "so\nx = Q")
        await pilot.press("up", "home", "right", "right")
        await pilot.press("tab")
        assert source(pilot).text == "so  \nx = Q"


async def test_a_function_gets_no_offers() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        await paste(pilot, "def f(Q, K, beta):\n    return ")
        await type_in(pilot, "sof")
        await pilot.press("tab")
        assert source(pilot).text.endswith("return sof  ")


async def test_another_key_can_take_it() -> None:
    app = bench_app(FakeBench(), keys={"bench_editor.indent": "f12"})
    async with app.run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        await offering(pilot, "sof", "F12 → softmax")
        await pilot.press("f12")
        assert source(pilot).text == "softmax("


@pytest.mark.parametrize(
    ("kind", "example"), [("derivation", "g = X.T @"), ("estimation", "time = tokens / rate")]
)
async def test_the_grammar_is_a_key_away_and_fits_the_task(kind: str, example: str) -> None:
    from support.bench_stage import a_challenge

    app = bench_app(FakeBench(), a_challenge(kind=kind))
    async with app.run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        await paste(pilot, "S = Q")
        await pilot.press("ctrl+l")
        await opens(pilot, GrammarCard)
        await sees(pilot, example)
        for about in ("Lines", "Operators", "Tensors", "Functions", "Numbers", "Checking"):
            assert len(lines_with(pilot, f"{about} ")) >= 1
        await sees(pilot, "Esc goes back")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))
        assert source(pilot).text == "S = Q"
