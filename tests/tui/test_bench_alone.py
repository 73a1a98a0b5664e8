"""The bench by oneself: the list, running, marks, hints, the solution, drafts."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.bench_stage import (
    FakeBench,
    a_challenge,
    at_the_bench,
    bench_app,
    panel,
    paste,
    source,
)
from support.stage import NARROW, WIDE, an_app, lines_with, opens, sees, shown, type_in, until
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList

from interviewer.errors import StoreError
from interviewer.sandbox.result import Practice, Tries
from tui.bench.screens import BenchScreen, SolutionScreen
from tui.widgets.browser import SearchBox
from tui.widgets.dialogs import Confirm

GOOD = "S = Q @ T(K)\nout = softmax(S, dim=-1)"
BAD = "S = Q @ T(K)\nA = wrong(S)\nout = A @ V"


async def test_what_one_writes_is_indented_cleaned_and_kept() -> None:
    fake = FakeBench()
    async with bench_app(fake).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        await until(pilot, lambda: fake.about in shown(pilot))
        await pilot.press("ctrl+r")
        await sees(pilot, "There is nothing to run yet.")
        assert not fake.checked
        await type_in(pilot, "def")
        await pilot.press("colon", "enter", "a", "enter", "tab", "b")
        await until(pilot, lambda: source(pilot).text == "def:\n    a\n        b")
        source(pilot).fill("")
        pilot.app.post_message(events.Paste("a\r\n\tb\x1b[2J"))
        await until(pilot, lambda: source(pilot).text == "a\n    b␛[2J")
        source(pilot).fill(GOOD)
        await pilot.press("escape")
        await opens(pilot, BenchScreen)
        assert not fake.closed
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.query("BenchPanel"))
        await until(pilot, lambda: source(pilot).text == GOOD)
        await sees(pilot, "saved · 2 lines")
        await pilot.press("escape")
        await opens(pilot, BenchScreen)
        await pilot.press("escape")
        await until(pilot, lambda: fake.closed == 1)


async def test_each_line_is_marked_by_sign_and_word_as_long_as_it_is_the_one_that_was_run() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        await paste(pilot, BAD)
        await pilot.press("f5")
        await sees(pilot, "A line does not hold.")
        assert lines_with(pilot, "· defined")[0].rstrip().endswith("S = Q @ T(K)")
        assert lines_with(pilot, "✗ fails")[0].rstrip().endswith("A = wrong(S)")
        assert lines_with(pilot, "– not judged")[0].rstrip().endswith("out = A @ V")
        await sees(pilot, "✗ Line 2: The columns sum to 1, not the")
        await sees(pilot, "[b]Which axis?[/b]")
        await sees(pilot, "strict · 12 ms")
        source(pilot).fill("S = broken(")
        await pilot.press("ctrl+r")
        await sees(pilot, "! error")
        source(pilot).fill("S = Q @ T(K)\nA = S\nout = A")
        await pilot.press("ctrl+r")
        await sees(pilot, "✓ holds")
        await sees(pilot, "Every line holds numerically.")
        await pilot.press("up")
        await type_in(pilot, " x")
        await until(pilot, lambda: not lines_with(pilot, "✓ holds"))
        assert len(lines_with(pilot, "· defined")) == 1
        await pilot.press("backspace", "backspace")
        await sees(pilot, "✓ holds")


async def test_a_running_check_can_be_stopped_and_a_second_one_waits() -> None:
    fake = FakeBench(hold=asyncio.Event())
    async with bench_app(fake).run_test(size=NARROW) as pilot:
        screen = await at_the_bench(pilot)
        await paste(pilot, GOOD)
        await pilot.press("ctrl+r")
        await sees(pilot, "Checking…")
        await pilot.press("ctrl+r")
        await sees(pilot, "A check is already running…")
        assert len(fake.checked) == 1
        await type_in(pilot, "x")
        assert source(pilot).text == GOOD + "x"
        await pilot.press("escape")
        await sees(pilot, "Stopped. Nothing was checked.")
        assert fake.cancelled == 1
        assert pilot.app.screen is screen


async def test_a_function_without_walls_needs_a_yes_once_and_what_it_prints_is_text() -> None:
    after = {"output": "[bold]loud[/bold] \x1b[31mred", "open_points": ("Why sqrt?",)}
    fake = FakeBench(tier="reduced", after=after)
    async with bench_app(fake).run_test(size=WIDE) as pilot:
        await at_the_bench(pilot)
        await paste(pilot, "def f(Q, K, beta):\n    return Q")
        await pilot.press("ctrl+r")
        await opens(pilot, Confirm)
        await pilot.press("n")
        await until(pilot, lambda: not isinstance(pilot.app.screen, Confirm))
        assert not fake.checked
        await pilot.press("ctrl+r")
        await opens(pilot, Confirm)
        await pilot.press("y")
        await until(pilot, lambda: len(fake.checked) == 1)
        await until(pilot, lambda: not panel(pilot).checking)
        await sees(pilot, "[bold]loud[/bold] ␛[31mred")
        await sees(pilot, "– Why sqrt?")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(fake.checked) == 2)


async def test_hints_come_one_by_one_and_the_solution_asks_first_unless_something_was_run() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        before = source(pilot).size.height
        await pilot.press("f3")
        await until(pilot, lambda: source(pilot).size.height > before)
        await pilot.press("ctrl+t")
        await sees(pilot, "Hint 1  Look at the axes.")
        assert "Hint 2" not in shown(pilot)
        await pilot.press("ctrl+t", "ctrl+t")
        await sees(pilot, "Hint 2  Rows are queries.")
        await pilot.press("ctrl+o")
        await opens(pilot, Confirm)
        await pilot.press("n")
        await until(pilot, lambda: not isinstance(pilot.app.screen, Confirm))
        await paste(pilot, GOOD)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: not panel(pilot).checking)
        await pilot.press("ctrl+o")
        await opens(pilot, SolutionScreen)
        await sees(pilot, "since *one query* spreads")
        await pilot.press("escape")
        await until(pilot, lambda: source(pilot).text == GOOD)


async def test_a_folder_that_cannot_be_written_is_told_and_nothing_is_lost() -> None:
    app = bench_app(FakeBench())
    app.settings.data_folder.mkdir(parents=True)
    (app.settings.data_folder / "bench").write_text("in the way")
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await at_the_bench(pilot)
        await paste(pilot, GOOD)
        await sees(pilot, "NOT SAVED")
        assert source(pilot).text == GOOD


NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
CHALLENGES = (
    a_challenge(id="bb", title="Banana", topic="Fruit"),
    a_challenge(id="aa", title="Apple", topic="Fruit"),
    a_challenge(id="tt", title="Table", topic=""),
)


async def in_the_list(pilot: Pilot[None]) -> OptionList:
    await pilot.press("b")
    await sees(pilot, "Apple")
    return pilot.app.screen.query_one("#entries", OptionList)


def test_what_was_solved_stays_solved(tmp_path: Path) -> None:
    tries = Tries(tmp_path / "not" / "yet")
    assert tries.read() == {}
    tries.record("attn", passed=False, now=NOW)
    assert tries.read()["attn"] == Practice(NOW)
    tries.record("attn", passed=True, now=NOW + timedelta(hours=1))
    tries.record("attn", passed=False, now=NOW + timedelta(hours=2))
    tries.record("dpo", passed=False, now=NOW)
    assert tries.read() == {
        "attn": Practice(NOW + timedelta(hours=2), NOW + timedelta(hours=1)),
        "dpo": Practice(NOW),
    }


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1}', '{"a": {"tried": "x"}}'])
def test_a_damaged_file_is_named_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tries.json"
    path.write_text(text)
    with pytest.raises(StoreError, match="damaged"):
        Tries(tmp_path).record("attn", passed=True, now=NOW)
    assert path.read_text() == text


async def test_challenges_stand_under_their_topics_and_are_found_by_words() -> None:
    app = bench_app(FakeBench(), *CHALLENGES)
    Tries(app.settings.data_folder / "bench").record("bb", passed=True, now=NOW)
    found = {
        "APP": ["aa"],
        "fruit an": ["bb"],
        "tt": ["tt"],
        "other": ["tt"],
        "fruit": ["aa", "bb"],
    }
    async with app.run_test(size=NARROW) as pilot:
        listed = await in_the_list(pilot)
        assert [option.id for option in listed.options] == [None, "aa", "bb", None, "tt"]
        await sees(pilot, "Other topics")
        await sees(pilot, "1 of 3 solved")
        assert listed.highlighted == 1  # a heading cannot be chosen
        for unsolved in ("tt", "aa"):
            await pilot.press("n")
            assert listed.highlighted_option
            assert listed.highlighted_option.id == unsolved
        for words, wanted in found.items():
            await pilot.press("slash")
            pilot.app.screen.query_one(SearchBox).value = words
            await until(pilot, lambda ids_=wanted: ids(listed) == ids_)  # type: ignore[misc]
            await sees(pilot, f"{len(wanted)} found")
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.focused is listed)


def ids(listed: OptionList) -> list[str]:
    return [option.id for option in listed.options if option.id]


async def test_torch_is_installed_from_the_list_with_its_progress_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    going_on = threading.Event()

    def install(report: Callable[[str], None]) -> str:
        report("Collecting torch")
        assert going_on.wait(30)
        return "2.13.0"

    app = an_app()
    monkeypatch.setattr(app.bridge.engine, "lacks_torch", lambda: "200 MB")
    monkeypatch.setattr(app.bridge.engine, "install_torch", install)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await pilot.press("b")
        await sees(pilot, "needs torch. i installs it (200 MB)")
        await pilot.press("i")
        await sees(pilot, "Install torch for the bench?")
        await pilot.press("y")
        await sees(pilot, "Installing torch… Collecting torch")
        going_on.set()
        await sees(pilot, "The bench now has torch 2.13.0")
