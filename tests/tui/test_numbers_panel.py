"""The numbers that were stated: struck or corrected with a key, beside the answer or over it."""

from __future__ import annotations

from support.examiners import ScriptedExaminer
from support.stage import (
    NARROW,
    WIDE,
    Script,
    an_app,
    answer,
    editor,
    engine_of,
    in_interview,
    lines_with,
    my_turn,
    opens,
    sees,
    shown,
    type_in,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Input

from interviewer.errors import ExaminerError
from interviewer.grading.claims.quantity import Mark
from tui.interview.rail import NumberList, NumbersScreen
from tui.widgets.dialogs import InputDialog

STATED = "We trained 7B parameters on 64 H100s for 12 days at 41% MFU."


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


async def test_a_number_is_struck_and_the_draft_is_left_alone() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        numbers = await at_numbers(pilot)
        assert not isinstance(pilot.app.screen, NumbersScreen)
        await pilot.press("k", "k", "x")
        await until(pilot, lambda: "✗ struck" in row(pilot, "64 H100s")[1])
        assert numbers.highlighted == 1
        assert [(mark.value, mark.turn) for mark in marks(pilot)] == [(None, 2)]
        await pilot.press("x", "equals_sign")
        await until(pilot, lambda: pilot.app.focused is numbers)
        assert len(marks(pilot)) == 1
        await back_at_the_answer(pilot)
        await sees(pilot, "Struck.")
        await sees(pilot, STATED[:20])


async def test_a_number_is_corrected_and_what_is_no_value_is_told() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        numbers = await at_numbers(pilot)
        assert isinstance(pilot.app.screen, NumbersScreen)
        await pilot.press("k", "equals_sign")
        await opens(pilot, InputDialog)
        field = pilot.app.screen.query_one(Input)
        assert field.value == "12 days"
        field.value = "a while"
        await sees(pilot, "“a while” is no value of that kind")
        await pilot.press("enter")
        assert field.value == "a while"
        assert isinstance(pilot.app.screen, InputDialog)
        field.value = "21 days"
        await sees(pilot, "That is 3 weeks.")
        await pilot.press("enter")
        await until(pilot, lambda: "21 days" in shown(pilot).replace("12 days", ""))
        await until(pilot, lambda: pilot.app.focused is numbers)
        assert [(mark.value, mark.text) for mark in marks(pilot)] == [(21 * 86400, "21 days")]
        await back_at_the_answer(pilot)
        await sees(pilot, "Noted: 21 days.")


async def test_unread_numbers_are_told() -> None:
    script = Script(ScriptedExaminer(fail_figures=[ExaminerError("Nobody read them.")]))
    async with an_app(script).run_test(size=WIDE) as pilot:
        await in_interview(pilot)
        await answer(pilot, STATED)
        await my_turn(pilot)
        await sees(pilot, "Nobody read them.")
        assert not lines_with(pilot, "MFU         41% MFU")
