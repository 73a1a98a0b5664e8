"""The bench's editor without an app: completion, and which marks stay beside changed text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.bench_stage import CHALLENGE, FakeBench, at_the_bench, bench_app, paste, source
from support.stage import NARROW, burst, lines_with, sees, type_in, until
from support.tables import table
from textual.pilot import Pilot

from interviewer.sandbox.result import LineResult, LineStatus
from tui.bench.completion import Offer, offered
from tui.bench.editor import BenchEditor, Mark, code, current_marks
from tui.bench.panel import first_problem

CASES = table("bench_completion", __file__)


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


@pytest.mark.parametrize("before", CASES["nothing_is_offered_where_nothing_is_meant"])
def test_nothing_is_offered_where_nothing_is_meant(before: str) -> None:
    assert offer(before).rest == ""


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


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8)


def marks_of(ran: list[str], now: list[str]) -> dict[int, Mark]:
    results = [LineResult(n, LineStatus.HOLDS) for n in range(1, len(ran) + 1)]
    return current_marks(ran, results, now)


@given(LINES)
def test_an_unchanged_text_keeps_every_mark(lines: list[str]) -> None:
    marks = marks_of(lines, lines)
    assert set(marks) == set(range(1, len(lines) + 1))
    assert not any(mark.stale for mark in marks.values())


@given(LINES, LINES)
def test_a_mark_only_ever_stands_beside_the_line_it_was_made_of(
    ran: list[str], now: list[str]
) -> None:
    for line, mark in marks_of(ran, now).items():
        assert now[line - 1] in ran
        if not mark.stale:
            assert ran[:line] == now[:line]


def test_a_line_put_in_moves_those_below_and_makes_them_stale() -> None:
    marks = marks_of(["a", "b"], ["a", "new", "b"])
    assert str(marks[1]) == "✓ holds"
    assert 2 not in marks
    assert str(marks[3]) == "~ holds"


@given(st.text(alphabet=st.characters(), max_size=200), st.integers(1, 9))
def test_reading_half_typed_text_never_fails(text: str, row: int) -> None:
    assert "\n" not in first_problem(CHALLENGE, code(text), row).strip()


def test_the_line_under_the_cursor_is_complained_about_last() -> None:
    source = "S = Q @\nA = (S"
    assert first_problem(CHALLENGE, source, 1).startswith("line 2:")
    assert first_problem(CHALLENGE, source, 2).startswith("line 1:")


def test_a_function_is_not_read_as_lines() -> None:
    assert first_problem(CHALLENGE, "def f(Q, K, beta):\n    return (", 2) == ""
