"""The list of sessions, and reading one turn by turn."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from support.commits import NOON, new_session, started
from support.examiners import ScriptedExaminer
from support.rubrics import FULL
from support.sessions import hold, reopen
from support.stage import (
    NARROW,
    SESSION,
    WIDE,
    an_app,
    answers_on_disk,
    editor,
    engine_of,
    in_interview,
    interviewing,
    lines_with,
    my_turn,
    opens,
    sees,
    shown,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Select

from interviewer.interview import commands
from interviewer.store.records import Draft
from tui import messages
from tui.interview.widgets import FailureCard
from tui.screens import sessions as sessions_module
from tui.screens.debrief import DebriefScreen
from tui.screens.home import HomeScreen
from tui.screens.sessions import SessionsScreen
from tui.screens.transcript import TranscriptScreen
from tui.widgets.dialogs import Confirm
from tui.widgets.form import FormCard
from tui.widgets.pages import ViList
from tui.widgets.transcript_view import TranscriptView


async def at_sessions(pilot: Pilot[None]) -> None:
    await pilot.press("s")
    await opens(pilot, SessionsScreen)


async def choose_the_session(pilot: Pilot[None]) -> None:
    """Enter on the one that there is."""
    await at_sessions(pilot)
    await sees(pilot, "Test plan")
    await pilot.press("enter")


async def test_a_row_tells_plan_band_and_state_and_enter_opens_the_debrief() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(commands.Answer(FULL), commands.EndInterview())
        await at_sessions(pilot)
        await sees(pilot, "Test plan")
        row = next(line for line in shown(pilot).splitlines() if "Test plan" in line)
        for cell in ("4.0", "finished"):
            assert cell in row
        await pilot.press("enter")
        await opens(pilot, DebriefScreen)


async def test_a_finished_session_has_nothing_unsent() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(commands.Answer("alpha"))
        interview = engine_of(pilot).interviews[0]
        interview.save_draft("and then", "answer")
        await at_sessions(pilot)
        await sees(pilot, "unsent answer")
        await hold(engine_of(pilot).resume(SESSION), [commands.EndInterview()])
        engine_of(pilot).store.save_draft(SESSION, "answer", Draft("late", NOON, 1.0))
        await pilot.press("escape")
        await at_sessions(pilot)
        await sees(pilot, "finished")
        assert not lines_with(pilot, "unsent")


async def test_a_session_open_in_another_window_is_taken_over_only_if_asked() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        engine = engine_of(pilot)
        await engine.hold(commands.Answer("alpha"))
        with closing(sqlite3.connect(engine.store.place)) as connection, connection:
            connection.execute("UPDATE sessions SET holder = 'elsewhere 12'")
        await choose_the_session(pilot)
        await sees(pilot, "open in another window")
        await pilot.press("n")
        await opens(pilot, SessionsScreen)
        assert engine.resumed_with == []
        await pilot.press("d")
        await sees(pilot, "elsewhere). Delete Test plan")
        await pilot.press("n")
        await opens(pilot, SessionsScreen)
        assert engine.store.history.count() == 1
        await pilot.press("enter")
        await sees(pilot, "another window")
        await pilot.press("y")
        await my_turn(pilot)


async def test_the_window_left_behind_keeps_what_was_typed_and_may_take_over() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        engine = engine_of(pilot)
        await in_interview(pilot)
        other = reopen(engine.store, SESSION, ScriptedExaminer())
        await hold(other, [commands.Answer("First alpha."), commands.Answer("Then beta.")])
        other.save_draft("theirs", "answer")
        editor(pilot).fill("mine")
        await pilot.press("ctrl+s")
        await sees(pilot, "continued in another window")
        assert editor(pilot).text == "mine"
        await until(pilot, lambda: pilot.app.screen.query(FailureCard))
        await pilot.press("f5")
        await my_turn(pilot)
        assert editor(pilot).text == "theirs\nmine"
        assert answers_on_disk(pilot) == ["First alpha.", "Then beta."]


@pytest.mark.parametrize(
    ("keys", "examiner"), [(["tab", "enter"], None), (["enter"], "offline")], ids=["agree", "stay"]
)
async def test_a_model_examines_the_rest_only_where_answers_may_go(
    keys: list[str], examiner: str | None
) -> None:
    async with an_app(api_key="sk-test").run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(commands.Answer("alpha"))
        await choose_the_session(pilot)
        await sees(pilot, "Your answers leave this machine")
        await pilot.press("escape")
        await opens(pilot, SessionsScreen)
        assert engine_of(pilot).resumed_with == []
        await pilot.press("enter")
        await sees(pilot, "Your answers leave this machine")
        await pilot.press(*keys)
        await my_turn(pilot)
        assert engine_of(pilot).resumed_with == [examiner]


async def test_what_was_deleted_comes_back_by_a_key() -> None:
    async with an_app().run_test(size=NARROW, notifications=True) as pilot:
        await a_long_list(pilot, 2, page=2)
        history = engine_of(pilot).store.history
        assert not lines_with(pilot, "Undo")
        await pilot.press("d")
        await sees(pilot, "u brings")
        await pilot.press("d")
        await sees(pilot, "No interviews yet")
        assert history.count() == 0
        for count in (1, 2):
            await pilot.press("u")
            await until(pilot, lambda n=count: history.count() == n)
        await sees(pilot, "2 sessions")
        await until(pilot, lambda: not lines_with(pilot, "Undo"))


async def test_the_window_whose_session_was_deleted_keeps_what_was_typed() -> None:
    async with interviewing() as pilot:
        editor(pilot).fill("mine")
        await sees(pilot, "saved")
        engine_of(pilot).store.delete_session(SESSION)
        editor(pilot).fill("mine, and more")
        await sees(pilot, "NOT SAVED")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: pilot.app.screen.query(FailureCard))
        [card] = pilot.app.screen.query(FailureCard)
        assert card.remedies == ("leave",)
        await sees(pilot, "it was deleted. Copy what")
        assert editor(pilot).text == "mine, and more"
        for answer in ("n", "y"):
            await pilot.press("f2")
            await sees(pilot, "Leave anyway?")
            await pilot.press(answer)
            await until(pilot, lambda: not isinstance(pilot.app.screen, Confirm))
            assert isinstance(pilot.app.screen, HomeScreen) == (answer == "y")
        await pilot.press("q")
        await until(pilot, lambda: not pilot.app.is_running)
    assert pilot.app.return_code in (0, None)


async def a_long_list(pilot: Pilot[None], count: int, *, page: int) -> ViList:
    """Go to the list of so many sessions, numbered as they were held."""
    store = engine_of(pilot).store
    for number in range(count):
        at = NOON + timedelta(minutes=number)
        title = f"[b]Plan {number}"
        new = new_session(f"5e55{number:06}", plan_title=title, created_at=at)
        store.create_session(new, started(at))
    await at_sessions(pilot)
    entries = pilot.app.screen.query_one("#entries", ViList)
    await until(pilot, lambda: entries.option_count == page)
    return entries


async def test_the_list_goes_on_as_the_cursor_nears_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sessions_module, "PAGE", 5)
    async with an_app().run_test(size=NARROW) as pilot:
        entries = await a_long_list(pilot, 12, page=5)
        for rows in (10, 12, 12):
            await pilot.press("G")
            await until(pilot, lambda n=rows: entries.option_count == n)
        await pilot.press("G")
        titles = [str(option.prompt).split(maxsplit=3)[-1] for option in entries.options]
        assert [title[-len("[b]Plan 11") :].strip() for title in titles] == [
            f"[b]Plan {number}" for number in range(11, -1, -1)
        ]
        await until(pilot, lambda: entries.highlighted == 11)
        await pilot.press("g")
        await until(pilot, lambda: entries.highlighted == 0)


async def test_what_was_said_is_found_shown_lit_and_opened_at_its_turn() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await engine_of(pilot).hold(commands.Answer(FULL), commands.EndInterview())
        await a_long_list(pilot, 2, page=3)
        await sees(pilot, "Greek letters")
        await pilot.press("slash", *'"alpha decides"')
        await sees(pilot, "1 found")
        await sees(pilot, "You, ")
        await pilot.press("enter", "enter")
        await opens(pilot, TranscriptScreen)
        await sees(pilot, "First alpha decides")
        view = pilot.app.screen.query_one(TranscriptView)
        await until(pilot, lambda: view.turn == 2)
        await pilot.press("escape", "slash", *" nobody")
        await sees(pilot, "Nothing found")
        await pilot.press("enter", "x")
        await sees(pilot, "3 sessions")


async def test_a_filter_lists_some_in_an_order_of_ones_own() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await engine_of(pilot).hold(commands.Answer(FULL), commands.EndInterview())
        await a_long_list(pilot, 2, page=3)
        await pilot.press("f")
        await sees(pilot, "Which sessions?")
        card = pilot.app.screen
        assert isinstance(card, FormCard)
        card.query_one("#field-state", Select).value = "finished"
        card.query_one("#field-order", Select).value = "weakest first"
        card.query_one("#keep").focus()
        await pilot.press("enter")
        await sees(pilot, "finished · weakest first")
        await sees(pilot, "1 found")
        await pilot.press("x")
        await sees(pilot, "3 sessions")


async def test_sessions_are_named_tagged_and_deleted_together_and_restored_from_the_trash() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await a_long_list(pilot, 3, page=3)
        history = engine_of(pilot).store.history
        await pilot.press("r", "ctrl+u", *"Onsite", "enter")
        await sees(pilot, "Onsite")
        await pilot.press("space", "space")
        await sees(pilot, "2 sessions picked")
        await pilot.press("number_sign", *"hard #again", "enter")
        await until(pilot, lambda: history.plans_and_tags()[1] == ("again", "hard"))
        assert [row.title for row in history.sessions(1)] == ["Onsite"]
        await pilot.press("g", "space", "space", "d")
        await until(pilot, lambda: history.count() == 1)
        await pilot.press("z")
        await sees(pilot, "kept for 30 days")
        await pilot.press("enter")
        await until(pilot, lambda: history.count() == 2)
        await sees(pilot, "1 session")


async def read(pilot: Pilot[None]) -> None:
    pilot.app.post_message(messages.Go("transcript", (SESSION,)))
    await opens(pilot, TranscriptScreen)
    await sees(pilot, "Which letters matter here")


async def test_a_finished_transcript_has_times_and_verdicts() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await engine_of(pilot).hold(commands.Answer(FULL), commands.EndInterview())
        await read(pilot)
        await sees(pilot, "● met  The alpha effect")
        line = next(line for line in shown(pilot).splitlines() if "First alpha decides" in line)
        assert "● met" in line
        times = engine_of(pilot).session(SESSION).replay.times
        await sees(pilot, times[1].astimezone().strftime("%H:%M:%S"))


async def test_keys_go_to_questions_words_and_notes_and_a_replay_ends_where_it_began() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await engine_of(pilot).hold(
            commands.Answer("alpha"), commands.Answer("beta"), commands.EndInterview()
        )
        await read(pilot)
        view = pilot.app.screen.query_one(TranscriptView)
        await pilot.press("slash", *"beta", "enter")
        await until(pilot, lambda: (view.turn or 0) > 2)
        found = view.turn
        await pilot.press("m", *"say why", "enter")
        await sees(pilot, "✎ say why")
        await pilot.press("left_square_bracket")
        await until(pilot, lambda: view.turn == 1)
        await pilot.press("apostrophe")
        await until(pilot, lambda: view.turn == found)
        await pilot.press("w")
        await pilot.press("m", "ctrl+u", "minus", "enter")
        await pilot.press("p")
        await sees(pilot, "Which letters matter here")
        await pilot.press("p")
        await until(pilot, lambda: not pilot.app.screen._replaying)
