"""The question browser: found, filtered, read without the answers, practised, marked."""

from __future__ import annotations

import pytest
from support.questions import at_questions
from support.scenes import BY_NAME
from support.stage import NARROW, WIDE, engine_of, lines_with, opens, sees, shown, type_in, until
from textual.pilot import Pilot

from interviewer.interview import plans
from tui import messages
from tui.app import InterviewerApp
from tui.screens.home import HomeScreen
from tui.screens.side_by_side import SideBySideScreen
from tui.screens.transcript import TranscriptScreen
from tui.widgets.browser import SearchBox
from tui.widgets.pages import ViList

LIVED_IN = BY_NAME["home"]


def ids(listed: ViList) -> list[str]:
    return [str(option.id) for option in listed.options]


async def search(pilot: Pilot[None], words: str) -> None:
    await pilot.press("slash")
    await until(pilot, lambda: isinstance(pilot.app.focused, SearchBox))
    await type_in(pilot, words)


async def test_words_and_states_filter_the_list_and_escape_goes_back_step_by_step() -> None:
    async with LIVED_IN.app().run_test(size=NARROW) as pilot:
        listed = await at_questions(pilot)
        await pilot.press("2")
        await sees(pilot, "✓2 Weak")
        assert "zero-three" in ids(listed)
        assert "kl-penalty" not in ids(listed)
        await pilot.press("3")
        await sees(pilot, "0 of 4")
        await pilot.press("x")
        await until(pilot, lambda: listed.option_count == 4)
        assert not lines_with(pilot, "✓2")
        await search(pilot, "kl-pen")
        await until(pilot, lambda: ids(listed) == ["kl-penalty"])
        await sees(pilot, "1 of 4")
        await pilot.press("down")
        await until(pilot, lambda: pilot.app.focused is listed)
        await search(pilot, "qqq")
        await sees(pilot, "Nothing found. x shows all")
        await pilot.press("escape")
        await until(pilot, lambda: listed.option_count == 4)
        await until(pilot, lambda: isinstance(pilot.app.focused, SearchBox))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused is listed)
        await pilot.press("escape")
        await opens(pilot, HomeScreen)


class TestReading:
    async def test_answers_are_shown_on_request_and_hidden_on_the_next_row(self) -> None:
        async with LIVED_IN.app().run_test(size=NARROW) as pilot:
            await at_questions(pilot)
            await pilot.press("enter")
            await sees(pilot, "Worth: 2 criteria, 5 points")
            await sees(pilot, "The answers are hidden: a shows them.")
            assert not lines_with(pilot, "hint 1")
            await pilot.press("a")
            await sees(pilot, "hint 1")
            await sees(pilot, "Criteria")
            pilot.app.screen.query_one(ViList).highlighted = 1
            await sees(pilot, "Worth: 3 criteria")
            assert not lines_with(pilot, "hint 1")


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[messages.Choice]:
    """The mocks that were asked for; none is begun."""
    choices: list[messages.Choice] = []
    monkeypatch.setattr(
        InterviewerApp, "on_begin_mock", lambda _, message: choices.append(message.choose())
    )
    return choices


class TestAsking:
    async def test_practise_begins_with_this_question_alone(
        self, begun: list[messages.Choice]
    ) -> None:
        async with LIVED_IN.app().run_test(size=NARROW) as pilot:
            await at_questions(pilot)
            await pilot.press("j", "p")
            await until(pilot, lambda: begun)
        assert [part.ask for part in begun[0].plan.rounds] == [("kl-penalty",)]
        assert begun[0].mode == "practice"

    async def test_marks_make_a_mock_and_outlive_the_screen(
        self, begun: list[messages.Choice]
    ) -> None:
        async with LIVED_IN.app().run_test(size=NARROW) as pilot:
            await at_questions(pilot)
            await pilot.press("m", "j", "m")
            await sees(pilot, "2 marked, s starts")
            rows = [row for row in lines_with(pilot, "✓ ") if row.startswith("✓ ")]
            assert len(rows) == 2
            await pilot.press("escape")
            await opens(pilot, HomeScreen)
            listed = await at_questions(pilot)
            await pilot.press("5")
            await until(pilot, lambda: len(ids(listed)) == 2)
            now = pilot.app.bridge.now()  # type: ignore[attr-defined]
            assert "my-selection" in engine_of(pilot).further_plans(now)
            await pilot.press("s")
            await until(pilot, lambda: begun)
            await pilot.press("u")
            await until(pilot, lambda: not lines_with(pilot, "marked, s"))
        plan = begun[0].plan
        assert {name for part in plan.rounds for name in part.ask} == {"zero-three", "kl-penalty"}
        assert plans.extent(plan, plans.Length.STANDARD).questions == 2
        assert begun[0].mode == "exam"


async def test_attempts_stand_side_by_side_with_what_was_gained_and_lost() -> None:
    async with BY_NAME["browser"].app().run_test(size=WIDE) as pilot:
        await BY_NAME["browser"].play(pilot)
        await pilot.press("slash", *"loss spike", "enter", "h")
        await opens(pilot, SideBySideScreen)
        await sees(pilot, "A loss spike is first checked")
        heads = next(line for line in shown(pilot).splitlines() if "band" in line)
        assert heads.count("band") == 2
        await pilot.press("left_square_bracket", "enter")
        await opens(pilot, TranscriptScreen)
