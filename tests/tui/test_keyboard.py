"""Keys: what the terminal means, byte by byte; a burst arrives whole, in order, on its screen."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.bench_stage import FakeBench, bench_app
from support.rubrics import ONE
from support.sessions import HandClock
from support.stage import (
    NARROW,
    SESSION,
    Script,
    ScriptedEngine,
    an_app,
    answers_on_disk,
    app_of,
    burst,
    draft_on_disk,
    editor,
    engine_of,
    in_interview,
    interviewing,
    my_turn,
    opens,
    sees,
    until,
)
from support.tables import table
from textual import events
from textual.message import Message
from textual.pilot import Pilot

from interviewer.interview.commands import Pause
from tui import keyboard
from tui.app import InterviewerApp
from tui.interview.widgets import AnswerEditor, TimeUpCard
from tui.messages import ResumeSession
from tui.screens.debrief import DebriefScreen
from tui.screens.home import HomeScreen
from tui.terminal import PASTE_BEGINS, PASTE_ENDS, CarefulParser
from tui.widgets.dialogs import Confirm

TEXT = "The alpha effect decides, beta adds to it ok"
assert len(TEXT) == 44


async def test_what_came_before_is_sent_and_what_comes_after_is_the_next_answer() -> None:
    async with interviewing() as pilot:
        burst(pilot, *"Well: ")
        pilot.app.post_message(events.Paste(TEXT))
        burst(pilot, "ctrl+s", *"xyz")
        await until(pilot, lambda: answers_on_disk(pilot) == [f"Well: {TEXT}"])
        await my_turn(pilot)
        await until(pilot, lambda: editor(pilot).text == "xyz")
        await until(pilot, lambda: draft_on_disk(pilot) == "xyz")
        assert answers_on_disk(pilot) == [f"Well: {TEXT}"]


async def test_keys_that_end_something_ask_and_lose_no_character() -> None:
    async with interviewing() as pilot:
        for count, key in enumerate(("f4", "f6", "f8", "ctrl+c"), 1):
            burst(pilot, *TEXT, key)
            await opens(pilot, Confirm)
            await pilot.press("n")
            await my_turn(pilot)
            assert editor(pilot).text == TEXT * count
        assert answers_on_disk(pilot) == []


async def test_help_leaves_all_that_was_typed() -> None:
    async with interviewing() as pilot:
        burst(pilot, *TEXT, "ctrl+t", *" and")
        await until(pilot, lambda: len(engine_of(pilot).store.turns(SESSION)) == 2)
        await my_turn(pilot)
        await until(pilot, lambda: editor(pilot).text == f"{TEXT} and")
        assert answers_on_disk(pilot) == []
        burst(pilot, "f3", *" so")
        await until(pilot, lambda: answers_on_disk(pilot) == ["I don't know."])
        await my_turn(pilot)
        await until(pilot, lambda: editor(pilot).text == f"{TEXT} and so")


LINE = "out = softmax(Q @ T(K), dim=-1) @ V + 0*beta"
assert len(LINE) == 44


@pytest.mark.parametrize(
    ("step", "opening"),
    [("held_by", ResumeSession(SESSION)), ("drill", events.Key("o", "o"))],
    ids=["resumed", "begun"],
)
async def test_what_is_typed_while_an_interview_is_opened_is_typed_there(
    monkeypatch: pytest.MonkeyPatch, step: str, opening: Message
) -> None:
    """And does nothing at home, where "t" begins a mock, however long the opening takes."""
    free = threading.Event()
    at_once = getattr(ScriptedEngine, step)

    def slowly(engine: ScriptedEngine, *given: Any) -> Any:
        assert free.wait(60)
        return at_once(engine, *given)

    monkeypatch.setattr(ScriptedEngine, step, slowly)
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(Pause())
        await until(pilot, lambda: app.screen.query("#menu"))
        begun = len(engine_of(pilot).interviews)
        app.post_message(opening)
        burst(pilot, *"to be asked next")
        await until(pilot, lambda: not app.message_queue_size and not is_idle(app))
        assert isinstance(app.screen, HomeScreen)
        free.set()
        await until(pilot, lambda: pilot.app.screen.query(AnswerEditor))
        await until(pilot, lambda: editor(pilot).text == "to be asked next")
        await until(pilot, lambda: len(engine_of(pilot).interviews) == begun + 1)


async def test_what_is_typed_after_the_key_of_the_bench_is_typed_there() -> None:
    fake = FakeBench()
    async with bench_app(fake).run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        burst(pilot, "f9", *LINE, "ctrl+r")
        await until(pilot, lambda: fake.checked == [LINE])
        assert editor(pilot).text == ""
        await my_turn(pilot)
        burst(pilot, *" # ok", "alt+enter")
        await until(pilot, lambda: answers_on_disk(pilot)[-1:] == [f"{LINE} # ok"])


class TestBusyWidget:
    """A widget that takes its time is waited for, however long."""

    @pytest.fixture
    def free(self, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
        """Set: the answer's editor may go on with the key "z"."""
        monkeypatch.setattr(keyboard, "LOOK_AGAIN", 0.005)
        free = asyncio.Event()
        at_once = AnswerEditor.on_key

        async def later(self: AnswerEditor, event: events.Key) -> None:
            if event.key == "z":
                await free.wait()
            await at_once(self, event)

        monkeypatch.setattr(AnswerEditor, "on_key", later)
        return free

    async def test_no_key_overtakes_one_that_is_being_handled(self, free: asyncio.Event) -> None:
        async with interviewing() as pilot:
            burst(pilot, *TEXT, "z", "ctrl+s", *"next")
            await asyncio.sleep(0.2)
            assert answers_on_disk(pilot) == []
            free.set()
            await until(pilot, lambda: answers_on_disk(pilot) == [f"{TEXT}z"])
            await until(pilot, lambda: editor(pilot).text == "next")


class TestGrace:
    """Keys typed for the screen before; when they were typed, and painted, is told by hand."""

    @pytest.fixture
    def clock(self, _no_grace: None, monkeypatch: pytest.MonkeyPatch) -> HandClock:
        clock = HandClock()
        monkeypatch.setattr(keyboard, "GRACE", 0.3)
        monkeypatch.setattr(keyboard, "now", lambda: clock.seconds)
        return clock

    async def test_keys_in_mid_word_do_nothing_on_the_next_screen(self, clock: HandClock) -> None:
        interview = HandClock()
        app = an_app(Script(rubrics=[ONE], seconds=2, clock=interview))
        async with app.run_test(size=NARROW) as pilot:
            await in_interview(pilot)
            await pilot.press("enter")
            clock.seconds = 10
            interview.seconds = 2.5
            await opens(pilot, TimeUpCard)
            await sees(pilot, "Time is up")
            burst(pilot, *"aq", "enter", "t", "enter", "escape", at=10.2)
            burst(pilot, "enter", "escape", at=10.4)
            await handled(pilot)
            assert isinstance(app.screen, TimeUpCard)
            burst(pilot, "enter", at=10.8)
            await opens(pilot, DebriefScreen)

    async def test_a_burst_does_not_reach_through_a_question(self, clock: HandClock) -> None:
        async with interviewing() as pilot:
            clock.seconds = 10
            burst(pilot, *"half", "f8", "y", "y", "enter", at=10)
            await asked(pilot)
            burst(pilot, "n", at=10.4)
            await my_turn(pilot)
            assert editor(pilot).text == "half"

    async def test_a_key_that_asks_parts_the_answer_from_the_question(
        self, clock: HandClock
    ) -> None:
        """Also where the interview has only just come back, and other commands would be early."""
        async with interviewing() as pilot:
            clock.seconds = 10
            burst(pilot, "f8", at=10)
            await asked(pilot)
            burst(pilot, "n", at=11)
            await my_turn(pilot)
            await handled(pilot)
            burst(pilot, *"before", "f4", *"behind", "y", "n", "enter", at=10)
            await asked(pilot)
            burst(pilot, "n", at=11)
            await my_turn(pilot)
            assert editor(pilot).text == "before"
            assert answers_on_disk(pilot) == []

    async def test_a_key_that_acts_at_once_may_be_too_early(self, clock: HandClock) -> None:
        async with interviewing() as pilot:
            turns = len(engine_of(pilot).store.turns(SESSION))
            clock.seconds = 10
            burst(pilot, "f8", at=10)
            await asked(pilot)
            burst(pilot, "n", at=11)
            await my_turn(pilot)
            await handled(pilot)
            burst(pilot, *"kept", "ctrl+s", "f2", at=10)
            await handled(pilot)
            assert editor(pilot).text == "kept"
            await my_turn(pilot)
            assert len(engine_of(pilot).store.turns(SESSION)) == turns


async def asked(pilot: Pilot[None]) -> None:
    """A question is on the screen, and nothing typed so far has answered it."""
    await opens(pilot, Confirm)
    await handled(pilot)
    assert isinstance(pilot.app.screen, Confirm)


async def handled(pilot: Pilot[None]) -> None:
    """All keys posted so far have acted, or were found to be early."""
    app = app_of(pilot)
    await until(pilot, lambda: not app.message_queue_size and is_idle(app))


def is_idle(app: InterviewerApp) -> bool:
    """All keys taken have been handled, and the screen that gets the next is in sight."""
    keyboard = app.keyboard
    return not (keyboard._line or keyboard._under_way) and keyboard._painted is app.screen


CASES = table("keyboard", __file__)


def parsed(chunks: Sequence[str]) -> list[str]:
    """The keys by name and the pastes by text, in order."""
    parser = CarefulParser()
    found = []
    for event in [event for chunk in chunks for event in parser.feed(chunk)]:
        if isinstance(event, events.Key):
            found.append(event.key)
        elif isinstance(event, events.Paste):
            found.append(f"paste {event.text}")
    return found


@pytest.mark.parametrize(("sent", "key"), CASES["keys_are_what_the_terminal_means"])
def test_keys_are_what_the_terminal_means(sent: str, key: str) -> None:
    assert parsed([sent]) == [key]


def test_a_paste_is_one_event_whatever_is_in_it() -> None:
    text = "red \x1b[31m line\rnext \x13 \x1b\r end \x1b"
    paste = f"paste {text}".replace("\x1b", "␛")
    assert parsed([f"a{PASTE_BEGINS}{text}{PASTE_ENDS}b"]) == ["a", paste, "b"]


def test_a_paste_may_come_character_by_character() -> None:
    assert parsed(f"a{PASTE_BEGINS}b\r\x1b\x13{PASTE_ENDS}c") == ["a", "paste b\r␛\x13", "c"]


@given(
    text=st.text(alphabet="a\r\x1b[2013;~\x13", min_size=1, max_size=40).filter(
        lambda text: PASTE_ENDS not in text
    ),
    cuts=st.lists(st.integers(0, 60), max_size=5),
)
def test_reads_that_split_a_paste_change_nothing(text: str, cuts: list[int]) -> None:
    whole = f"{PASTE_BEGINS}{text}{PASTE_ENDS}"
    places = [0, *sorted(min(cut, len(whole)) for cut in cuts), len(whole)]
    chunks = [whole[a:b] for a, b in itertools.pairwise(places) if a < b]
    pasted = text.replace("\x1b", "␛")
    assert parsed(chunks) == [f"paste {pasted}"]
