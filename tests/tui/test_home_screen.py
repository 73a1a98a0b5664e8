"""Home: what is open comes first, every item opens its place, broken data are told."""

from __future__ import annotations

import pytest
from support.stage import (
    FULL,
    NARROW,
    WIDE,
    an_app,
    engine_of,
    my_turn,
    shown,
    until,
)

from interviewer.interview import commands
from tui.bench.screens import BenchScreen
from tui.screens.home import HomeScreen
from tui.screens.rubrics import RubricsScreen
from tui.screens.sessions import SessionsScreen
from tui.screens.setup import SetupScreen
from tui.widgets.pages import ViList


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_an_empty_home_begins_with_a_new_mock(size: tuple[int, int]) -> None:
    async with an_app().run_test(size=size) as pilot:
        await until(pilot, lambda: "New mock   choose a plan and start" in shown(pilot))
        assert "Sessions   none yet" in shown(pilot)
        assert "Resume" not in shown(pilot)
        assert "Offline examiner: checks by word patterns" in shown(pilot)
        await until(pilot, lambda: "shipped, 0 yours" in shown(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SetupScreen))


async def test_an_open_session_is_first_and_one_enter_away() -> None:
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(commands.Answer("alpha"))
        app.screen.on_screen_resume()  # type: ignore[attr-defined]
        await until(pilot, lambda: "Resume     Test plan · round 1 of 2" in shown(pilot))
        assert "Greek letters" in shown(pilot)
        assert pilot.app.screen.query_one(ViList).highlighted == 0
        await pilot.press("enter")
        await my_turn(pilot)
        await until(pilot, lambda: "Resumed." in shown(pilot))


async def test_the_last_result_is_told() -> None:
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(commands.Answer(FULL), commands.EndInterview())
        app.screen.on_screen_resume()  # type: ignore[attr-defined]
        await until(pilot, lambda: "Sessions   1 · last: Test plan, band 4.0" in shown(pilot))


@pytest.mark.parametrize(
    ("key", "screen"),
    [("n", SetupScreen), ("s", SessionsScreen), ("u", RubricsScreen), ("b", BenchScreen)],
)
async def test_letters_open_places_and_escape_leads_back(key: str, screen: type) -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: isinstance(pilot.app.screen, screen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen))


async def test_vi_keys_move_in_the_list() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        menu = pilot.app.screen.query_one(ViList)
        await pilot.press("j")
        assert menu.highlighted == 1
        await pilot.press("G")
        assert menu.highlighted == menu.option_count - 1
        await pilot.press("k", "g")
        assert menu.highlighted == 0


async def test_the_last_item_quits() -> None:
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("G", "enter")
        await until(pilot, lambda: not app.is_running)


async def test_a_database_that_is_none_is_told_and_nothing_crashes() -> None:
    app = an_app()
    app.settings.database.parent.mkdir(parents=True)
    app.settings.database.write_text("not a database at all, only some text\n" * 40)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: str(app.settings.database) in shown(pilot))
        await pilot.press("s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))
        await until(pilot, lambda: str(app.settings.database) in shown(pilot))


async def test_the_line_about_the_examiner_names_the_model() -> None:
    app = an_app(api_key="sk-test", model="some-[b]model")
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, lambda: "LLM examiner (some-[b]model): judges" in shown(pilot))
