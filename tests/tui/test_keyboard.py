"""Keys in a burst: all arrive, in order, and none acts on a screen that was not yet there."""

from __future__ import annotations

import pytest
from support.bench_stage import FakeBench, bench_app
from support.sessions import HandClock
from support.stage import (
    NARROW,
    ONE,
    SESSION,
    Script,
    an_app,
    answers_on_disk,
    burst,
    draft_on_disk,
    editor,
    engine_of,
    in_interview,
    my_turn,
    until,
)
from textual import events
from textual.pilot import Pilot

from tui import keyboard
from tui.bench.editor import BenchEditor
from tui.interview.cards import TimeUpCard
from tui.screens.debrief import DebriefScreen
from tui.screens.home import HomeScreen
from tui.screens.setup import SetupScreen
from tui.widgets.confirm import Confirm

TEXT = "The alpha effect decides, beta adds to it ok"
assert len(TEXT) == 44


async def at_the_bench(pilot: Pilot[None]) -> None:
    await in_interview(pilot)
    await pilot.press("f9")
    await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))


RUNS = pytest.mark.parametrize("run", range(8))


@RUNS
@pytest.mark.parametrize("key", ["ctrl+s", "alt+enter"])
async def test_what_was_typed_before_is_in_what_is_sent(key: str, run: int) -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        burst(pilot, *TEXT, key)
        await until(pilot, lambda: answers_on_disk(pilot) == [TEXT])
        await my_turn(pilot)
        assert editor(pilot).text == ""


@RUNS
async def test_enter_that_sends_comes_in_its_turn(run: int) -> None:
    async with an_app(send_key="enter").run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        burst(pilot, *TEXT, "enter", *"and more")
        await until(pilot, lambda: answers_on_disk(pilot) == [TEXT])
        await until(pilot, lambda: editor(pilot).text == "and more")


@RUNS
async def test_a_paste_is_in_what_is_sent(run: int) -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        burst(pilot, *"Well: ")
        pilot.app.post_message(events.Paste(TEXT))
        burst(pilot, "ctrl+s")
        await until(pilot, lambda: answers_on_disk(pilot) == [f"Well: {TEXT}"])


@RUNS
async def test_what_is_typed_right_after_sending_is_the_next_answer(run: int) -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        burst(pilot, *TEXT, "ctrl+s", *"xyz")
        await until(pilot, lambda: answers_on_disk(pilot) == [TEXT])
        await my_turn(pilot)
        await until(pilot, lambda: editor(pilot).text == "xyz")
        await until(pilot, lambda: draft_on_disk(pilot) == "xyz")
        assert answers_on_disk(pilot) == [TEXT]


@RUNS
@pytest.mark.parametrize("key", ["f4", "f6", "f8", "ctrl+c"])
async def test_keys_that_end_something_ask_and_lose_no_character(key: str, run: int) -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        burst(pilot, *TEXT, key)
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("n")
        await my_turn(pilot)
        assert editor(pilot).text == TEXT
        assert answers_on_disk(pilot) == []


@RUNS
@pytest.mark.parametrize(
    ("key", "answers"), [("ctrl+t", []), ("f3", ["I don't know."])], ids=["hint", "don't know"]
)
async def test_help_leaves_all_that_was_typed(key: str, answers: list[str], run: int) -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        burst(pilot, *TEXT, key, *" and")
        await until(pilot, lambda: len(engine_of(pilot).store.turns(SESSION)) == 2 + len(answers))
        await my_turn(pilot)
        await until(pilot, lambda: editor(pilot).text == f"{TEXT} and")
        assert answers_on_disk(pilot) == answers


@RUNS
async def test_a_pause_keeps_all_that_was_typed(run: int) -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        burst(pilot, *TEXT, "f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen))
        assert draft_on_disk(pilot) == TEXT


LINE = "out = softmax(Q @ T(K), dim=-1) @ V + 0*beta"
assert len(LINE) == 44


@RUNS
@pytest.mark.parametrize("key", ["ctrl+s", "alt+enter"])
async def test_what_was_typed_at_the_bench_is_in_what_is_handed_in(key: str, run: int) -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        burst(pilot, *LINE, key)
        await until(pilot, lambda: answers_on_disk(pilot)[-1:] == [LINE])


@RUNS
@pytest.mark.parametrize("key", ["ctrl+r", "f5"])
async def test_what_was_typed_at_the_bench_is_in_what_is_run(key: str, run: int) -> None:
    fake = FakeBench()
    async with bench_app(fake).run_test(size=NARROW) as pilot:
        await at_the_bench(pilot)
        burst(pilot, *LINE, key)
        await until(pilot, lambda: fake.checked == [LINE])


class TestGrace:
    """Keys typed for the screen before."""

    @pytest.fixture(autouse=True)
    def _grace(self, _no_grace: None, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(keyboard, "GRACE", 0.3)

    async def test_keys_in_mid_word_do_nothing_on_the_next_screen(self) -> None:
        clock = HandClock()
        app = an_app(Script(rubrics=[ONE], seconds=2, clock=clock))
        async with app.run_test(size=NARROW) as pilot:
            await in_interview(pilot)
            await pilot.pause(0.35)
            clock.seconds = 2.5
            while not isinstance(app.screen, TimeUpCard):
                burst(pilot, "a")
                await pilot.pause(0.01)
            burst(pilot, "q", "enter", "t", "enter", "escape")
            await pilot.pause(0.1)
            assert isinstance(app.screen, TimeUpCard)
            await pilot.pause(0.35)
            burst(pilot, "enter")
            await until(pilot, lambda: isinstance(app.screen, DebriefScreen))

    async def test_a_burst_does_not_reach_through_a_question(self) -> None:
        async with an_app().run_test(size=NARROW) as pilot:
            await in_interview(pilot)
            await pilot.pause(0.35)
            burst(pilot, *"half", "f8", "y", "y", "enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
            await pilot.pause(0.1)
            assert isinstance(pilot.app.screen, Confirm)
            await pilot.pause(0.35)
            burst(pilot, "n")
            await my_turn(pilot)
            assert editor(pilot).text == "half"

    async def test_text_for_an_editor_is_never_dropped(self) -> None:
        async with an_app().run_test(size=NARROW) as pilot:
            await in_interview(pilot)
            burst(pilot, *TEXT, "x", "backspace")
            await until(pilot, lambda: editor(pilot).text == TEXT)

    async def test_a_key_that_is_kept_down_is_heard_in_the_end(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(keyboard, "LONGEST_GRACE", 0.6)
        async with an_app().run_test(size=NARROW) as pilot:
            for _ in range(100):
                burst(pilot, "n")
                await pilot.pause(0.02)
                if isinstance(pilot.app.screen, SetupScreen):
                    break
            await until(pilot, lambda: bool(pilot.app.screen.query("#plans")))
