"""The bench's editor without an app: which marks stay beside changed text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.bench_stage import CHALLENGE

from interviewer.sandbox.result import LineResult, LineStatus
from tui.bench.editor import code, current_marks
from tui.bench.panel import first_problem

LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8)


@given(LINES, LINES)
def test_the_lines_above_the_first_change_keep_their_marks(ran: list[str], now: list[str]) -> None:
    results = [LineResult(n, LineStatus.HOLDS) for n in range(1, len(ran) + 1)]
    kept = current_marks(ran, results, now)
    assert list(kept) == list(range(1, len(kept) + 1))
    assert ran[: len(kept)] == now[: len(kept)]
    assert ran[: len(kept) + 1] != now[: len(kept) + 1] or ran == now[: len(ran)]


@given(st.text(alphabet=st.characters(), max_size=200), st.integers(1, 9))
def test_reading_half_typed_text_never_fails(text: str, row: int) -> None:
    assert "\n" not in first_problem(CHALLENGE, code(text), row).strip()


def test_the_line_under_the_cursor_is_complained_about_last() -> None:
    source = "S = Q @\nA = (S"
    assert first_problem(CHALLENGE, source, 1).startswith("line 2:")
    assert first_problem(CHALLENGE, source, 2).startswith("line 1:")


def test_a_function_is_not_read_as_lines() -> None:
    assert first_problem(CHALLENGE, "def f(Q, K, beta):\n    return (", 2) == ""
