"""The numbers that were stated: struck or corrected with a key, beside the answer or over it."""

from __future__ import annotations

import pytest
from support.examiners import ScriptedExaminer
from support.stage import (
    NARROW,
    SESSION,
    WIDE,
    Script,
    an_app,
    answer,
    editor,
    engine_of,
    in_interview,
    interviewing,
    lines_with,
    my_turn,
    opens,
    sees,
    shown,
    type_in,
    until,
)
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input

from interviewer.errors import ExaminerError
from interviewer.grading.claims.quantity import Mark
from interviewer.interview import commands
from tui import messages
from tui.interview.rail import NumberList, NumbersScreen
from tui.interview.screen import InterviewScreen
from tui.screens.debrief import DebriefScreen
from tui.widgets.dialogs import Prompt

STATED = "We trained 7B parameters on 64 H100s for 12 days at 41% MFU."
SIZES = pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])


async def at_numbers(pilot: Pilot[None]) -> NumberList:
    """State some numbers, begin the next answer and go to the list, the cursor on the MFU."""
    await in_interview(pilot)
    await answer(pilot, STATED)
    await my_turn(pilot)
    await type_in(pilot, "half a")
    await pilot.press("alt+m")
    await until(pilot, lambda: isinstance(pilot.app.focused, NumberList))
    numbers = pilot.app.focused
    assert isinstance(numbers, NumberList)
    await until(pilot, lambda: numbers.highlighted == 3)
    return numbers


def marks(pilot: Pilot[None]) -> tuple[Mark, ...]:
    return engine_of(pilot).interviews[-1].state.marks


def row(pilot: Pilot[None], words: str) -> tuple[str, str]:
    """The line of a number, and the one below."""
    lines = [line for line in shown(pilot).splitlines() if "You  " not in line]
    at = next(n for n, line in enumerate(lines) if words in line)
    return lines[at], lines[at + 1]


async def back_at_the_answer(pilot: Pilot[None]) -> None:
    await pilot.press("escape")
    await until(pilot, lambda: pilot.app.focused is editor(pilot))
    assert editor(pilot).text == "half a"
    await type_in(pilot, " sentence")
    assert editor(pilot).text == "half a sentence"


@SIZES
async def test_a_number_is_struck_and_the_draft_is_left_alone(size: tuple[int, int]) -> None:
    async with an_app().run_test(size=size) as pilot:
        numbers = await at_numbers(pilot)
        assert isinstance(pilot.app.screen, NumbersScreen) == (size == NARROW)
        await pilot.press("k", "k", "x")
        await until(pilot, lambda: "✗ struck" in row(pilot, "64 H100s")[1])
        assert numbers.highlighted == 1
        assert [(mark.value, mark.turn) for mark in marks(pilot)] == [(None, 2)]
        await pilot.press("x", "equals_sign")
        assert pilot.app.focused is numbers
        assert len(marks(pilot)) == 1
        await back_at_the_answer(pilot)
        await sees(pilot, "Struck.")
        assert lines_with(pilot, STATED[:20])


async def test_a_number_is_corrected_and_what_is_no_value_is_told() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        numbers = await at_numbers(pilot)
        await pilot.press("k", "equals_sign")
        await opens(pilot, Prompt)
        field = pilot.app.screen.query_one(Input)
        assert field.value == "12 days"
        field.value = "a while"
        await sees(pilot, "“a while” is no value of that kind")
        await pilot.press("enter")
        assert field.value == "a while"
        assert isinstance(pilot.app.screen, Prompt)
        field.value = "21 days"
        await sees(pilot, "That is 3 weeks.")
        await pilot.press("enter")
        await until(pilot, lambda: "21 days" in shown(pilot).replace("12 days", ""))
        assert pilot.app.focused is numbers
        assert [(mark.value, mark.text) for mark in marks(pilot)] == [(21 * 86400, "21 days")]
        await back_at_the_answer(pilot)
        await sees(pilot, "Noted: 21 days.")


async def test_a_correction_may_be_given_up() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        numbers = await at_numbers(pilot)
        for keys in (("e", "escape"), ("enter", "enter")):  # the second: as it was
            await pilot.press(keys[0])
            await opens(pilot, Prompt)
            await pilot.press(keys[1])
            await until(pilot, lambda: pilot.app.focused is numbers)
        assert not marks(pilot)


async def test_the_key_to_the_numbers_also_leads_back() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await at_numbers(pilot)
        await sees(pilot, "alt+m: x strike, = correct")
        await pilot.press("alt+m")
        assert editor(pilot).has_focus
        await pilot.resize_terminal(*NARROW)
        await until(pilot, lambda: not pilot.app.screen.query_one("#rail").display)
        await pilot.press("alt+m")
        await opens(pilot, NumbersScreen)
        await pilot.press("alt+m")
        await opens(pilot, InterviewScreen)


async def test_without_numbers_the_list_says_so_and_its_keys_do_nothing() -> None:
    async with interviewing() as pilot:
        await pilot.press("ctrl+p")
        await opens(pilot, CommandPalette)
        await type_in(pilot, "your numbers")
        await sees(pilot, "Strike a number of yours")
        await pilot.press("enter")
        await sees(pilot, "None yet.")
        await pilot.press("x", "e", "enter")
        assert isinstance(pilot.app.screen, NumbersScreen)
        assert not marks(pilot)


async def test_numbers_wait_while_the_examiner_thinks() -> None:
    async with an_app().run_test(size=NARROW, notifications=True) as pilot:
        numbers = await at_numbers(pilot)
        screen = pilot.app.screen_stack[-2]
        assert isinstance(screen, InterviewScreen)
        owner, screen.turn_owner = screen.turn_owner, type(screen.turn_owner).EXAMINER
        await pilot.press("x")
        await sees(pilot, "Numbers can be put right")
        screen.turn_owner = owner
        await pilot.press("x")
        await until(pilot, lambda: marks(pilot))
        assert pilot.app.focused is numbers


async def test_unread_numbers_are_told_and_read_again() -> None:
    failures = [ExaminerError("Nobody read them."), ExaminerError("Nobody read them again.")]
    script = Script(ScriptedExaminer(fail_figures=failures))
    async with an_app(script).run_test(size=WIDE) as pilot:
        screen = await in_interview(pilot)
        await pilot.press("alt+g")
        assert screen.check_action("read_again", ()) is False
        await answer(pilot, STATED)
        await my_turn(pilot)
        await sees(pilot, "Nobody read them. alt+g reads them again.")
        assert not lines_with(pilot, "MFU         41% MFU")
        await pilot.press("alt+g")
        await sees(pilot, "Nobody read them again.")
        await my_turn(pilot)
        await pilot.press("alt+g")
        await sees(pilot, "MFU         41% MFU")
        await my_turn(pilot)
        assert screen.check_action("read_again", ()) is False


async def test_the_debrief_tells_what_was_not_struck_and_changes_none() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await at_numbers(pilot)
        await pilot.press("x")
        await until(pilot, lambda: marks(pilot))
        engine_of(pilot).interviews[-1].send(commands.EndInterview())
        await opens(pilot, DebriefScreen)
        pilot.app.screen.post_message(messages.ReadDebrief(SESSION))
        await until(pilot, lambda: pilot.app.focused)
        await pilot.press("4")
        await sees(pilot, "“12 days”")
        assert not lines_with(pilot, "“41% MFU”")
        await pilot.press("x")
        assert len(marks(pilot)) == 1
