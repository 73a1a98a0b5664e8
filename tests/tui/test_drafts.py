"""What is typed is not lost: saved while typing, on leaving, and however the program ends."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
from typing import Any

import pytest
from support.stage import (
    NARROW,
    an_app,
    answers_on_disk,
    draft_on_disk,
    editor,
    engine_of,
    in_interview,
    interviewing,
    my_turn,
    opens,
    resumed,
    sees,
    shown,
    type_in,
    until,
)

from interviewer.interview.interview import Interview
from tui import bridge
from tui.interview.widgets import FailureCard
from tui.widgets.dialogs import Confirm


async def test_a_draft_is_saved_while_typing_and_the_bar_says_so() -> None:
    async with interviewing() as pilot:
        await type_in(pilot, "two words")
        await sees(pilot, "2 words · saved")
        assert draft_on_disk(pilot) == "two words"
        await type_in(pilot, "x")
        assert "saved" not in shown(pilot)
        editor(pilot).select_all()
        await pilot.press("ctrl+c")  # copies, and quits nothing
        await until(pilot, lambda: pilot.app.clipboard == "two wordsx")
        assert pilot.app.is_running


async def test_going_on_typing_does_not_put_the_save_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "SAVE_AFTER", 0.1)
    async with interviewing() as pilot:
        for _ in range(20):
            await type_in(pilot, "y")
            if draft_on_disk(pilot):
                break
            await pilot.pause(0.02)
        assert "y" in draft_on_disk(pilot)


async def test_quitting_saves_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "SAVE_AFTER", 3600)
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        await type_in(pilot, "not yet sent")
        assert draft_on_disk(pilot) == ""
        await pilot.press("ctrl+q")
        await opens(pilot, Confirm)
        assert draft_on_disk(pilot) == "not yet sent"
        await pilot.press("y")
        await until(pilot, lambda: not app.is_running)
        assert draft_on_disk(pilot) == "not yet sent"
    assert app.return_code == 0


async def test_ctrl_c_outside_an_interview_quits_when_pressed_twice() -> None:
    app = an_app()
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await sees(pilot, "New mock")
        await pilot.press("ctrl+c")
        await sees(pilot, "Press ^c again to quit.")
        await pilot.press("ctrl+c")
        await until(pilot, lambda: not app.is_running)


async def test_a_closed_terminal_saves_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "SAVE_AFTER", 3600)
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        await type_in(pilot, "cut off")
        os.kill(os.getpid(), signal.SIGHUP)
        await until(pilot, lambda: not app.is_running)
        assert draft_on_disk(pilot) == "cut off"
    assert app.return_code == 128 + signal.SIGHUP


async def test_a_resumed_session_has_its_past_and_its_draft() -> None:
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        await type_in(pilot, "alpha")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: answers_on_disk(pilot) == ["alpha"])
        await my_turn(pilot)
        await type_in(pilot, "to be continued")
        await pilot.press("f2")
        await sees(pilot, "Resume")
        assert draft_on_disk(pilot) == "to be continued"
        await resumed(pilot)
        assert editor(pilot).text == "to be continued"
        await until(pilot, lambda: "Which letters matter here" in shown(pilot).splitlines()[1])
        await sees(pilot, "alpha")
        await until(pilot, lambda: "question 1 of 1" in shown(pilot).splitlines()[0])


async def test_typing_before_the_session_is_open_adds_to_the_draft(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with interviewing() as pilot:
        await type_in(pilot, "begun")
        await pilot.press("f2")
        await sees(pilot, "Resume")
        engine, opening = engine_of(pilot), threading.Event()
        resume = engine.resume

        def slowly(*names: Any, **options: Any) -> Interview:
            opening.wait(10)
            return resume(*names, **options)

        monkeypatch.setattr(engine, "resume", slowly)
        await pilot.press("enter")
        await sees(pilot, "Opening the interview")
        await type_in(pilot, "and more")
        await pilot.press("ctrl+s")
        await sees(pilot, "You can send once it is open.")
        opening.set()
        await my_turn(pilot)
        assert editor(pilot).text == "begun\nand more"
        await until(pilot, lambda: draft_on_disk(pilot) == "begun\nand more")


def break_writes(path: object) -> None:
    """From now on every write of an answer or a draft fails, as on a full disk."""
    with sqlite3.connect(str(path)) as connection:
        for table in ("entries", "drafts"):
            connection.execute(
                f"CREATE TRIGGER refuse_{table} BEFORE INSERT ON {table} "
                "BEGIN SELECT RAISE(ABORT, 'refused'); END"
            )
    connection.close()


def mend_writes(path: object) -> None:
    with sqlite3.connect(str(path)) as connection:
        for table in ("entries", "drafts"):
            connection.execute(f"DROP TRIGGER refuse_{table}")
    connection.close()


async def test_an_answer_that_cannot_be_stored_stays_in_the_editor() -> None:
    async with interviewing() as pilot:
        path = engine_of(pilot).settings.database
        break_writes(path)
        await type_in(pilot, "keep me")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: pilot.app.screen.query(FailureCard))
        assert editor(pilot).text == "keep me"
        await sees(pilot, "NOT SAVED")
        mend_writes(path)
        await pilot.press("f5")
        await my_turn(pilot)
        assert editor(pilot).text == "keep me"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: answers_on_disk(pilot) == ["keep me"])


async def test_quitting_asks_where_the_draft_cannot_be_saved() -> None:
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        break_writes(engine_of(pilot).settings.database)
        await type_in(pilot, "precious")
        await pilot.press("ctrl+q")
        await opens(pilot, Confirm)
        await pilot.press("n")
        await my_turn(pilot)
        assert editor(pilot).text == "precious"
        await pilot.press("ctrl+q")
        await opens(pilot, Confirm)
        await pilot.press("y")
        await until(pilot, lambda: not app.is_running)
