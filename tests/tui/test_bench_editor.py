"""The bench's editor without an app: which marks stay beside changed text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.bench_stage import CHALLENGE

from interviewer.sandbox.result import LineResult, LineStatus
from tui.bench.editor import Mark, code, current_marks
from tui.bench.panel import first_problem

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
