"""The bench's editor without an app: which marks stay beside changed text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interviewer.sandbox.result import LineResult, LineStatus
from tui.bench.editor import current_marks

LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8)


@given(LINES, LINES)
def test_the_lines_above_the_first_change_keep_their_marks(ran: list[str], now: list[str]) -> None:
    results = [LineResult(n, LineStatus.HOLDS) for n in range(1, len(ran) + 1)]
    kept = current_marks(ran, results, now)
    assert list(kept) == list(range(1, len(kept) + 1))
    assert ran[: len(kept)] == now[: len(kept)]
    assert ran[: len(kept) + 1] != now[: len(kept) + 1] or ran == now[: len(ran)]
