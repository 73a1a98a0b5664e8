"""Home: one card for newcomers, else what to do now and how it is going; broken data are told."""

from __future__ import annotations

import socket
from functools import partial

import pytest
from support.scenes import BY_NAME, home
from support.sessions import hold, reopen
from support.stage import (
    NARROW,
    SESSION,
    WIDE,
    an_app,
    engine_of,
    lines_with,
    my_turn,
    opens,
    sees,
    shown,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Footer

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.interview import commands
from tui import messages
from tui.bench.screens import BenchScreen
from tui.engine import Engine
from tui.interview.screen import InterviewScreen
from tui.questions.screen import QuestionsScreen
from tui.screens.home import HomeScreen, Menu
from tui.screens.sessions import SessionsScreen
from tui.screens.setup import SetupScreen
from tui.widgets.dialogs import Confirm

LIVED_IN = BY_NAME["home"]


async def loaded(pilot: Pilot[None]) -> None:
    await home(pilot)
    await sees(pilot, "from those before")


async def test_a_newcomer_sees_three_cards_and_enter_opens_a_mock() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await sees(pilot, "Three-round mock")
        assert pilot.app.screen.query_one(Menu).option_count == 3
        assert not lines_with(pilot, "Recent results")
        await sees(pilot, "Examiner: offline")
        await pilot.press("enter")
        screen = await my_turn(pilot)
        assert isinstance(screen, InterviewScreen)


async def test_the_example_is_read_without_being_a_session_and_keeps_nothing() -> None:
    async with an_app().run_test(size=WIDE, notifications=True) as pilot:
        await sees(pilot, "Look at a finished one")
        await pilot.press("e")
        await sees(pilot, "Example: three-round mock")
        await sees(pilot, "HIRE")
        assert not lines_with(pilot, "Export")
        await pilot.press("c")
        await sees(pilot, "The KL term keeps the policy")
        await pilot.press("m")
        await sees(pilot, "This is an example")
        await pilot.press("t")
        await sees(pilot, "Transcript · Example")
        await pilot.press("escape", "escape", "escape")
        await sees(pilot, "Look at a finished one")
        assert engine_of(pilot).store.history.count() == 0


async def test_a_model_server_on_this_machine_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        monkeypatch.setattr("tui.engine.LOCAL_PORTS", (port,))
        async with an_app().run_test(size=WIDE) as pilot:
            await sees(pilot, f"http://localhost:{port}/v1 runs on this machine")
            await pilot.press("m")
            await sees(pilot, f"at http://localhost:{port}/v1")
            assert engine_of(pilot).settings.examiner == "llm"


async def test_an_open_session_is_first_and_one_enter_away() -> None:
    async with LIVED_IN.app().run_test(size=NARROW) as pilot:
        await loaded(pilot)
        assert pilot.app.screen.query_one(Menu).highlighted == 0
        await sees(pilot, "Resume        Sprint, 11 min ago")
        await pilot.press("enter")
        await my_turn(pilot)
        await sees(pilot, "Resumed.")


@pytest.mark.parametrize(
    ("key", "title", "first"),
    [
        ("w", "Weak spots", "A loss spike at step 40,000"),
        ("d", "Due today", "What ZeRO-3 shards and what it costs"),
    ],
)
async def test_one_key_practises_the_weakest_or_what_is_due(
    key: str, title: str, first: str
) -> None:
    async with LIVED_IN.real_app().run_test(size=NARROW) as pilot:
        await loaded(pilot)
        await pilot.press(key)
        await my_turn(pilot)
        [row] = pilot.app.bridge.engine.store.history.sessions(1)  # type: ignore[attr-defined]
        assert (row.plan_title, row.mode) == (title, "practice")
        assert row.headline.startswith(first)


async def test_one_key_opens_the_three_round_mock_and_another_starts_its_clock() -> None:
    app = an_app()
    app.bridge.engine.begin = partial(Engine.begin, app.bridge.engine)  # type: ignore[method-assign]
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("t")
        await my_turn(pilot)
        [row] = app.bridge.engine.store.history.sessions(1)
        assert (row.plan, row.mode) == ("three-rounds", "exam")
        await sees(pilot, "09:00 left")
        await sees(pilot, "Enter starts the clock")
        await pilot.press("enter")
        await sees(pilot, "the point counts for")
        await until(pilot, lambda: not lines_with(pilot, "09:00 left"))


async def test_letters_and_clicks_open_places_and_escape_leads_back() -> None:
    places = {"n": SetupScreen, "s": SessionsScreen, "u": QuestionsScreen, "b": BenchScreen}
    async with an_app().run_test(size=NARROW) as pilot:
        for key, screen in places.items():
            await pilot.press(key)
            await until(pilot, lambda kind=screen: isinstance(pilot.app.screen, kind))  # type: ignore[misc]
            await pilot.press("escape")
            await opens(pilot, HomeScreen)
        await until(pilot, lambda: "Sessions" in shown(pilot).splitlines()[-1])
        at = shown(pilot).splitlines()[-1].index("Sessions")
        await pilot.click(Footer, offset=(at, 0))
        await opens(pilot, SessionsScreen)


async def test_a_database_that_is_none_is_told_and_nothing_crashes() -> None:
    app = an_app()
    app.settings.database.parent.mkdir(parents=True)
    app.settings.database.write_text("not a database at all, only some text\n" * 40)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await sees(pilot, "is not an SQLite file")
        await pilot.press("s")
        await opens(pilot, SessionsScreen)
        await sees(pilot, "is not an SQLite file")


@pytest.mark.parametrize(("key", "examiner"), [("y", "llm"), ("n", None)])
async def test_what_went_on_offline_may_go_back_to_the_model(
    key: str, examiner: str | None
) -> None:
    app = an_app(base_url="http://127.0.0.1:9/v1", model="small")
    async with app.run_test(size=NARROW) as pilot:
        engine = engine_of(pilot)
        await engine.hold(commands.Answer("alpha"), commands.Pause())
        await hold(reopen(engine.store, SESSION, OfflineExaminer()), [commands.Pause()])
        pilot.app.post_message(messages.ResumeSession(SESSION))
        await opens(pilot, Confirm)
        await sees(pilot, "went on with the offline examiner")
        await pilot.press(key)
        await my_turn(pilot)
        assert engine.resumed_with == [examiner]
