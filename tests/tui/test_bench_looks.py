"""How the bench looks in an interview, beside the talk."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.bench_stage import QUESTION, FakeBench, bench_app, paste, source
from support.stage import Script, in_interview, my_turn, sees, still, until
from textual.pilot import Pilot

from tui.bench.editor import BenchEditor

SnapCompare = Callable[..., bool]
BAD = "S = Q @ T(K)\nA = softmax(S, dim=0)  # wrong\nout = A * S"


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")


def test_a_failed_line_in_an_interview(snap_compare: SnapCompare) -> None:
    async def settle(pilot: Pilot[None]) -> None:
        await in_interview(pilot)
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))
        await paste(pilot, BAD)
        await pilot.press("ctrl+r")
        await sees(pilot, "✗ fails")
        await my_turn(pilot)
        await sees(pilot, "saved · 3 lines")
        await sees(pilot, "━━")  # the clock
        assert source(pilot).text == BAD
        await still(pilot)

    app = bench_app(FakeBench(), script=Script(rubrics=[QUESTION], clock=lambda: 0.0))
    assert snap_compare(app, terminal_size=(120, 40), run_before=settle)
