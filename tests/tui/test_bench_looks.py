"""How the bench looks: by oneself on a small screen, and in an interview beside the talk."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.bench_stage import QUESTION, FakeBench, at_the_bench, bench_app, paste, source
from support.stage import NARROW, Script, in_interview, my_turn, sees, still, until
from textual.pilot import Pilot

from tui.bench.editor import BenchEditor

SnapCompare = Callable[..., bool]
BAD = "S = Q @ T(K)\nA = softmax(S, dim=0)  # wrong\nout = A * S"


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")


def test_the_bench_alone(snap_compare: SnapCompare) -> None:
    async def settle(pilot: Pilot[None]) -> None:
        await at_the_bench(pilot)
        await paste(pilot, "S = Q @ T(K)\nout = softmax(S, dim=-1)")
        await pilot.press("ctrl+r")
        await sees(pilot, "✓ holds")
        await sees(pilot, "saved · 2 lines")
        await still(pilot)

    assert snap_compare(bench_app(FakeBench()), terminal_size=NARROW, run_before=settle)


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
