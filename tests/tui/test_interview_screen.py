"""The interview screen: writing, sending, the keys, what the state line says."""

from __future__ import annotations

import asyncio

import pytest
from support.examiners import ScriptedExaminer
from support.rubrics import FULL, ONE, TWO, a_rubric
from support.sessions import HandClock
from support.stage import (
    NARROW,
    Script,
    an_app,
    answer,
    answers_on_disk,
    editor,
    engine_of,
    in_interview,
    interviewing,
    my_turn,
    opens,
    sees,
    shown,
    turn_owner,
    type_in,
    until,
)
from textual import events
from textual.pilot import Pilot

from interviewer.errors import ExaminerError
from tui.interview.presenter import TurnOwner
from tui.interview.widgets import FailureCard, TimeUpCard
from tui.screens.debrief import DebriefScreen
from tui.widgets.dialogs import Confirm
from tui.widgets.points import VerdictCard


async def test_whoever_types_starts_the_clock_which_looks_different_in_the_end() -> None:
    clock = HandClock()
    async with interviewing(Script(clock=clock)) as pilot:
        clock.seconds = 30
        assert engine_of(pilot).interviews[0].seconds_left == 600
        await type_in(pilot, "alpha")
        clock.seconds = 37
        await until(pilot, lambda: engine_of(pilot).interviews[0].seconds_left == 593)
        assert editor(pilot).text == "alpha"
        shown_clock = pilot.app.screen.query_one("#clock")
        assert not shown_clock.has_class("-soon")
        clock.seconds = 430
        await sees(pilot, "! 03:20 left")
        assert shown_clock.has_class("-soon")
        clock.seconds = 590
        await sees(pilot, "!! 00:40 left")
        assert shown_clock.has_class("-last")


async def test_what_sends_and_what_only_makes_a_line() -> None:
    async with interviewing() as pilot:
        await type_in(pilot, "  \n")
        await pilot.press("ctrl+s")
        await sees(pilot, "nothing to send yet")
        editor(pilot).fill("alpha")
        for key in ("enter", "ctrl+j", "shift+enter"):
            await pilot.press(key, "x")
        assert editor(pilot).text == "alpha\nx\nx\nx"
        assert answers_on_disk(pilot) == []
        assert turn_owner(pilot) is TurnOwner.CANDIDATE
        for sent, way in enumerate(("ctrl+s", "alt+enter", "#send"), 1):
            editor(pilot).fill(f"alpha by {way}")
            await (pilot.click(way) if way[0] == "#" else pilot.press(way))
            await until(pilot, lambda count=sent: len(answers_on_disk(pilot)) == count)  # type: ignore[misc]
            await my_turn(pilot)
            assert editor(pilot).text == ""


async def test_enter_sends_where_it_is_set_to_and_a_paste_never() -> None:
    async with interviewing(send_key="enter") as pilot:
        await sees(pilot, "enter or ^s sends")
        pilot.app.post_message(events.Paste("alpha\r\nbeta\rgamma\n"))
        await until(pilot, lambda: editor(pilot).text == "alpha\nbeta\ngamma\n")
        assert answers_on_disk(pilot) == []
        await pilot.press("alt+enter", "enter")
        await until(pilot, lambda: answers_on_disk(pilot) == ["alpha\nbeta\ngamma\n\n"])


async def test_a_newer_text_stays_in_the_editor() -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    async with interviewing(Script(examiner)) as pilot:
        await type_in(pilot, "alpha")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: examiner.judged and editor(pilot).text == "")
        await type_in(pilot, "and beta")
        assert examiner.hold
        examiner.hold.set()
        await my_turn(pilot)
        assert editor(pilot).text == "and beta"


async def test_thinking_counts_seconds_and_escape_cancels_it() -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    async with interviewing(Script(examiner)) as pilot:
        await type_in(pilot, "alpha")
        await pilot.press("ctrl+s")
        await sees(pilot, "reading your answer… 1 s (esc to cancel)")
        await pilot.press("escape")
        await sees(pilot, "You stopped waiting for the examiner.")
        assert examiner.cancelled == 2


async def test_skip_asks_first_and_moves_on() -> None:
    async with interviewing() as pilot:
        await pilot.press("f4")
        await opens(pilot, Confirm)
        await pilot.press("n")
        await my_turn(pilot)
        assert "And which letters follow?" not in shown(pilot)
        await pilot.press("f4")
        await opens(pilot, Confirm)
        await pilot.press("y")
        await sees(pilot, "And which letters follow?")
        await until(pilot, lambda: "Round 2: A round" in shown(pilot).splitlines()[0])


async def test_leaving_waits_for_the_grade_but_not_for_ever() -> None:
    script = Script(ScriptedExaminer(hold=asyncio.Event()))
    async with interviewing(script) as pilot:
        await type_in(pilot, "alpha")
        await pilot.press("ctrl+s")
        await sees(pilot, "reading your answer")
        await pilot.press("f4")
        await sees(pilot, "Skip this question?")
        assert "ungraded" not in shown(pilot)
        await pilot.press("y")
        await sees(pilot, "Grading your last answer first…")
        await pilot.press("f8")
        await sees(pilot, "ungraded.")
        await pilot.press("y")
        await opens(pilot, DebriefScreen)


async def test_a_dialogue_keeps_its_keys_when_what_it_asks_about_is_over() -> None:
    """The examiner moves on behind it: no letter lands in the answer, and a yes closes nothing."""
    examiner = ScriptedExaminer(hold=asyncio.Event())
    script = Script(examiner, rubrics=[a_rubric(escalations=[]), TWO])
    async with an_app(script).run_test(size=NARROW, notifications=True) as pilot:
        screen = await in_interview(pilot)
        await type_in(pilot, FULL)
        await pilot.press("ctrl+s")
        await sees(pilot, "reading your answer")
        await pilot.press("f4")
        await opens(pilot, Confirm)
        assert examiner.hold
        examiner.hold.set()
        await until(pilot, lambda: screen.turn_owner is TurnOwner.CANDIDATE)
        await pilot.press("a", "b", "y")
        await sees(pilot, "That was over by then")
        await my_turn(pilot)
        await sees(pilot, "And which letters follow?")
        assert editor(pilot).text == ""


class TestPractice:
    """The verdict stays in view until the candidate goes on."""

    async def to_the_verdict(self, pilot: Pilot[None]) -> None:
        await in_interview(pilot)
        await answer(pilot, FULL)
        await my_turn(pilot)
        await answer(pilot, "the reverse")
        await opens(pilot, VerdictCard)
        await sees(pilot, "Your verdict: band 4 of 4 · the clock is stopped")

    async def test_the_clock_stands_still_and_the_question_can_be_tried_again(
        self,
    ) -> None:
        clock = HandClock()
        app = an_app(Script(mode="practice", clock=clock))
        async with app.run_test(size=NARROW) as pilot:
            await self.to_the_verdict(pilot)
            await sees(pilot, "● met  The alpha effect decides")
            left = engine_of(pilot).interviews[0].seconds_left
            clock.seconds += 300
            await type_in(pilot, "xyz")
            assert engine_of(pilot).interviews[0].seconds_left == left
            assert isinstance(app.screen, VerdictCard)
            await pilot.press("r")
            await my_turn(pilot)
            await until(pilot, lambda: "question 2 of 2" in shown(pilot).splitlines()[0])
            await until(pilot, lambda: "Round 1: A round" in shown(pilot).splitlines()[0])
            assert editor(pilot).text == ""


@pytest.mark.parametrize("dialogue", [False, True], ids=["typing", "in a question"])
async def test_a_card_says_that_time_is_up_and_keeps_what_was_typed(dialogue: bool) -> None:
    """In the middle of a word, or of a question, which is withdrawn."""
    clock = HandClock()
    async with interviewing(Script(rubrics=[ONE, TWO], seconds=2, clock=clock)) as pilot:
        await type_in(pilot, "half an ans")
        if dialogue:
            await pilot.press("f4")
            await opens(pilot, Confirm)
        clock.seconds = 2.5
        await opens(pilot, TimeUpCard)
        await type_in(pilot, "wer qyndtaj")
        await until(pilot, lambda: answers_on_disk(pilot) == ["half an ans"])
        assert isinstance(pilot.app.screen, TimeUpCard)
        await pilot.press("enter")
        await my_turn(pilot)
        await until(pilot, lambda: "Round 2" in shown(pilot).splitlines()[0])
        assert editor(pilot).text == ""
        await sees(pilot, "What you typed so far counts")
        clock.seconds = 5
        await pilot.press("enter")  # starts the clock
        clock.seconds = 8
        await opens(pilot, TimeUpCard)
        await pilot.press("enter")
        await opens(pilot, DebriefScreen)


class TestFailures:
    """A step of the examiner that does not work."""

    @pytest.fixture
    def examiner(self) -> ScriptedExaminer:
        return ScriptedExaminer(fail_judge=[ExaminerError("The server is [red]gone[/red].")])

    async def failing(self, pilot: Pilot[None]) -> None:
        await in_interview(pilot)
        await type_in(pilot, "alpha")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: pilot.app.screen.query(FailureCard))
        await sees(pilot, "The server is [red]gone[/red].")

    async def test_the_focus_stays_in_the_editor_and_retry_goes_on(
        self, examiner: ScriptedExaminer
    ) -> None:
        """No letter chooses anything."""
        async with an_app(Script(examiner)).run_test(size=NARROW) as pilot:
            await self.failing(pilot)
            await sees(pilot, "Choose how to continue")
            await type_in(pilot, "poor hopper\n")
            assert editor(pilot).text == "poor hopper\n"
            assert turn_owner(pilot) is TurnOwner.FAILED
            await pilot.click("#retry")
            await my_turn(pilot)
            assert editor(pilot).text == "poor hopper\n"
            await until(pilot, lambda: not pilot.app.screen.query(FailureCard))
            assert answers_on_disk(pilot) == ["alpha"]
            line = pilot.app.screen.query_one("#state").region
            await until(pilot, lambda: editor(pilot).region.y == line.bottom)

    async def test_going_on_offline_asks_first(self, examiner: ScriptedExaminer) -> None:
        async with an_app(Script(examiner)).run_test(size=NARROW) as pilot:
            await self.failing(pilot)
            await pilot.press("f7")
            await opens(pilot, Confirm)
            await pilot.press("n")
            await until(pilot, lambda: turn_owner(pilot) is TurnOwner.FAILED)
            await pilot.press("f7")
            await opens(pilot, Confirm)
            await pilot.press("y")
            await my_turn(pilot)
            await sees(pilot, "Switched examiners. Offline examiner")
            assert engine_of(pilot).interviews[0].examiner.name == "offline-v3"
