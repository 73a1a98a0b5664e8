"""The palette finds everything, late and off the event loop, and keeps an interview's secrets."""

from __future__ import annotations

from datetime import UTC, datetime

from support.rubrics import ONE
from support.scenes import BY_NAME
from support.stage import (
    SESSION,
    WIDE,
    an_app,
    app_of,
    editor,
    engine_of,
    in_interview,
    lines_with,
    opens,
    sees,
    shown,
    turn_owner,
    type_in,
    until,
)
from textual.command import CommandPalette
from textual.pilot import Pilot

from interviewer.interview.commands import EndInterview
from interviewer.settings import load_settings
from tui.interview.screen import InterviewScreen
from tui.screens.debrief import DebriefScreen
from tui.screens.settings import DoctorScreen, SettingsScreen
from tui.widgets.dialogs import Confirm


async def search(pilot: Pilot[None], words: str) -> None:
    await pilot.press("ctrl+p")
    await opens(pilot, CommandPalette)
    await type_in(pilot, words)


async def find(pilot: Pilot[None], words: str, told: str) -> None:
    """Search, wait for a line, and choose the first hit."""
    await search(pilot, words)
    await sees(pilot, told)
    await pilot.press("enter")
    await until(pilot, lambda: not isinstance(pilot.app.screen, CommandPalette))


async def test_a_question_is_practised_and_its_answer_is_not_shown() -> None:
    scene = BY_NAME["home"]
    async with scene.app().run_test(size=WIDE) as pilot:
        await scene.play(pilot)
        await search(pilot, "practise loss spike")
        await sees(pilot, "Practise: ")
        rubrics = engine_of(pilot).library().entries.values()
        spike = next(e.model for e in rubrics if "loss spike" in e.model.title.lower())
        assert spike.reference[:30] not in shown(pilot)
        await pilot.press("enter")
        await opens(pilot, InterviewScreen)


async def test_sessions_are_resumed_or_read() -> None:
    app = an_app()
    engine = app.bridge.engine
    await engine.hold(EndInterview())  # type: ignore[attr-defined]
    async with app.run_test(size=WIDE) as pilot:
        await find(pilot, "debrief", "Debrief: ")
        await opens(pilot, DebriefScreen)
    open_one = an_app()
    engine_open = open_one.bridge.engine
    engine_open.store.delete_session(SESSION)
    engine_open.store.empty(datetime.now(UTC))  # the next has the same id
    await engine_open.hold()  # type: ignore[attr-defined]
    async with open_one.run_test(size=WIDE) as pilot:
        await find(pilot, "resume", "Resume: ")
        await until(pilot, lambda: turn_owner(pilot))


async def test_screens_and_themes_are_found() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await find(pilot, "theme: dark-colour", "Theme: dark-colour-blind")
        await until(pilot, lambda: load_settings().theme == "dark-colour-blind")
        await find(pilot, "doctor", "Check everything on this machine")
        await opens(pilot, DoctorScreen)
        await find(pilot, "settings", "Endpoint, theme, keys and clock")
        await opens(pilot, SettingsScreen)
        await find(pilot, "all keys", "See and change all keys")
        await until(pilot, lambda: not isinstance(pilot.app.screen, SettingsScreen))


async def test_in_an_interview_nothing_leaves_it_unasked_or_tells_of_questions() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await in_interview(pilot)
        await type_in(pilot, "half a word")
        await search(pilot, "e")
        await sees(pilot, "Send your answer")
        for words in ("Start: ", "Practise: ", "Debrief: ", "Resume: ", "Past interviews"):
            assert not lines_with(pilot, words)
        assert ONE.reference not in shown(pilot)
        await pilot.press("escape")
        await find(pilot, "skip", "Skip this question")
        await opens(pilot, Confirm)
        await pilot.press("escape")
        await until(pilot, lambda: editor(pilot).text == "half a word")
        assert app_of(pilot).bridge.in_interview
