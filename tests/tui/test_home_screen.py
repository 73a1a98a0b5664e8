"""Home: one card for newcomers, else what to do now and how it is going; broken data are told."""

from __future__ import annotations

from functools import partial

import pytest
from support.lived_in import FINISHED
from support.scenes import BY_NAME, home
from support.sessions import hold, log_a_call, reopen
from support.stage import (
    NARROW,
    SESSION,
    WIDE,
    an_app,
    engine_of,
    lines_with,
    my_turn,
    opens,
    resumed,
    sees,
    shown,
    until,
)
from textual.pilot import Pilot

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.interview import commands
from tui import messages
from tui.bench.screens import BenchScreen
from tui.engine import Engine
from tui.interview.screen import InterviewScreen
from tui.questions.screen import QuestionsScreen
from tui.screens.debrief import DebriefScreen
from tui.screens.home import HomeScreen, Menu, Results
from tui.screens.sessions import SessionsScreen
from tui.screens.setup import SetupScreen
from tui.widgets.dialogs import Confirm

LIVED_IN = BY_NAME["home"]


async def loaded(pilot: Pilot[None]) -> None:
    await home(pilot)
    await sees(pilot, "from the previous five")


async def test_a_newcomer_sees_one_card_and_enter_opens_a_mock() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await sees(pilot, "Three-round mock")
        assert pilot.app.screen.query_one(Menu).option_count == 1
        assert not lines_with(pilot, "Recent results")
        await sees(pilot, "Examiner: offline")
        await pilot.press("enter")
        screen = await my_turn(pilot)
        assert isinstance(screen, InterviewScreen)


async def test_the_board_shows_results_trend_topics_and_what_is_due() -> None:
    async with LIVED_IN.app().run_test(size=NARROW) as pilot:
        await loaded(pilot)
        await sees(pilot, "2.2  Frontier loop")
        await sees(pilot, "Up 1.6 from the previous five")
        await sees(pilot, "Due today     2 questions")
        await sees(pilot, "Weak spots    A loss spike")
        topics = [place(pilot, name) for name in ("debugging ", "distributed ", "alignment ")]
        assert topics == sorted(topics)
        await sees(pilot, "71%")


def place(pilot: Pilot[None], words: str) -> int:
    return next(n for n, line in enumerate(shown(pilot).splitlines()) if words in line)


async def test_rows_stay_in_their_places_while_figures_load() -> None:
    async with LIVED_IN.app().run_test(size=NARROW) as pilot:
        before = place(pilot, "New mock      choose")
        await sees(pilot, "Weak spots    …")
        await loaded(pilot)
        assert place(pilot, "New mock      choose") == before


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
        ("o", "One question", ""),
    ],
)
async def test_one_key_practises_the_weakest_what_is_due_or_anything(
    key: str, title: str, first: str
) -> None:
    async with LIVED_IN.real_app().run_test(size=NARROW) as pilot:
        await loaded(pilot)
        await pilot.press(key)
        await my_turn(pilot)
        assert bool(lines_with(pilot, "Round 1")) == (key == "t")  # one question is no round
        row = pilot.app.bridge.engine.store.history.latest_unfinished()  # type: ignore[attr-defined]
        assert (row.plan_title, row.mode) == (title, "practice")
        assert row.headline.startswith(first)


async def test_one_key_opens_the_three_round_mock_and_another_starts_its_clock() -> None:
    app = an_app()
    app.bridge.engine.begin = partial(Engine.begin, app.bridge.engine)  # type: ignore[method-assign]
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("t")
        await my_turn(pilot)
        row = app.bridge.engine.store.history.latest_unfinished()
        assert row
        assert (row.plan, row.mode) == ("three-rounds", "exam")
        await sees(pilot, "09:00 left")
        await sees(pilot, "Enter starts the clock")
        await pilot.press("enter")
        await sees(pilot, "the point counts for")
        await until(pilot, lambda: not lines_with(pilot, "09:00 left"))


async def test_a_result_opens_its_debrief() -> None:
    async with LIVED_IN.app().run_test(size=NARROW) as pilot:
        await loaded(pilot)
        await pilot.press("tab")
        assert isinstance(pilot.app.focused, Results)
        await pilot.press("enter")
        await opens(pilot, DebriefScreen)
        assert pilot.app.screen._session_id == FINISHED  # type: ignore[attr-defined]


async def test_letters_open_places_and_escape_leads_back() -> None:
    places = {"n": SetupScreen, "s": SessionsScreen, "u": QuestionsScreen, "b": BenchScreen}
    async with an_app().run_test(size=NARROW) as pilot:
        for key, screen in places.items():
            await pilot.press(key)
            await until(pilot, lambda kind=screen: isinstance(pilot.app.screen, kind))  # type: ignore[misc]
            await pilot.press("escape")
            await opens(pilot, HomeScreen)


async def test_what_there_is_nothing_for_cannot_be_chosen() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(commands.Answer("alpha"))
        pilot.app.screen.on_screen_resume()  # type: ignore[attr-defined]
        await sees(pilot, "Weak spots    none known")
        await pilot.press("w", "d")
        assert isinstance(pilot.app.screen, HomeScreen)
        await pilot.press("j")
        menu = pilot.app.screen.query_one(Menu)
        assert menu.highlighted_option is not None
        assert menu.highlighted_option.id == "mock"


async def test_a_database_that_is_none_is_told_and_nothing_crashes() -> None:
    app = an_app()
    app.settings.database.parent.mkdir(parents=True)
    app.settings.database.write_text("not a database at all, only some text\n" * 40)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await sees(pilot, "is not an SQLite file")
        await pilot.press("s")
        await opens(pilot, SessionsScreen)
        await sees(pilot, "is not an SQLite file")


async def test_resuming_beyond_the_months_budget_is_asked_about() -> None:
    settings = {"base_url": "http://127.0.0.1:9/v1", "model": "gpt-5", "budget": 0.01}
    async with an_app(examiner="llm", **settings).run_test(size=NARROW) as pilot:
        engine = engine_of(pilot)
        await engine.hold(commands.Answer("alpha"), commands.Pause())
        log_a_call(engine.store, SESSION, "gpt-5")
        engine.examiner_of = lambda _: "llm"  # type: ignore[method-assign]
        for key in ("n", "y"):
            pilot.app.post_message(messages.ResumeSession(SESSION))
            await opens(pilot, Confirm)
            await sees(pilot, "The budget of 0.01")
            assert engine.resumed_with == []
            await pilot.press(key)
            await until(pilot, lambda: not isinstance(pilot.app.screen, Confirm))
        await my_turn(pilot)


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


async def test_who_prefers_the_offline_examiner_is_not_asked_to_go_back() -> None:
    app = an_app(base_url="http://127.0.0.1:9/v1", model="small", examiner="offline")
    async with app.run_test(size=NARROW) as pilot:
        engine = engine_of(pilot)
        await engine.hold(commands.Answer("alpha"), commands.Pause())
        await hold(reopen(engine.store, SESSION, OfflineExaminer()), [commands.Pause()])
        await resumed(pilot)
        assert engine.resumed_with == [None]
