"""What makes answering easy: the pinned question, scrolling, $EDITOR, the rail."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from support.rubrics import a_rubric
from support.stage import (
    NARROW,
    SESSION,
    WIDE,
    Script,
    an_app,
    answer,
    draft_on_disk,
    editor,
    engine_of,
    in_interview,
    my_turn,
    opens,
    resumed,
    sees,
    shown,
    type_in,
    until,
)
from textual.widgets import TextArea

from tui.screens.home import HomeScreen
from tui.widgets.transcript_view import notice

LONG = a_rubric(question=" ".join(f"And what of letter number {n}?" for n in range(1, 13)))


def top(pilot_shown: str, lines: int = 4) -> str:
    return "\n".join(pilot_shown.splitlines()[:lines])


async def test_the_question_stays_at_the_top_in_two_lines() -> None:
    async with an_app(Script(rubrics=[LONG])).run_test(size=NARROW) as pilot:
        screen = await in_interview(pilot)
        for number in range(30):
            screen.transcript.add(notice(f"line {number}"))
        await sees(pilot, "line 29")
        await until(pilot, lambda: "And what of letter number 1?" in top(shown(pilot)))
        pinned = screen.query_one("#pinned")
        await until(pilot, lambda: pinned.size.height <= 2)
        await until(pilot, lambda: "^o shows all" in top(shown(pilot)))
        await pilot.press("ctrl+o")
        await until(pilot, lambda: pinned.size.height > 2)
        assert "letter number 12?" in " ".join(top(shown(pilot), 14).split())
        await pilot.press("ctrl+o")
        await until(pilot, lambda: pinned.size.height == 2)


async def test_the_conversation_scrolls_while_typing() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        screen = await in_interview(pilot)
        for number in range(60):
            screen.transcript.add(notice(f"line {number}."))
        await sees(pilot, "line 59.")
        await type_in(pilot, "typing")
        for _ in range(12):
            await pilot.press("pageup")
        await sees(pilot, "Test plan: 2 rounds")
        await type_in(pilot, " on")
        assert editor(pilot).text == "typing on"
        await pilot.press("ctrl+s")
        await sees(pilot, "You     typing on")


async def test_what_was_written_there_is_in_the_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In $EDITOR, with ctrl+g; one that fails is told and changes nothing."""
    script = tmp_path / "an editor"
    script.write_text('#!/bin/sh\necho "and [b]more[/b]" >> "$1"\n')
    script.chmod(0o755)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"'{script}'")
    app = an_app()
    monkeypatch.setattr(app, "suspend", nullcontext)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await in_interview(pilot)
        await type_in(pilot, "begun\n")
        await pilot.press("ctrl+g")
        await until(pilot, lambda: editor(pilot).text == "begun\nand [b]more[/b]")
        await until(pilot, lambda: draft_on_disk(pilot) == "begun\nand [b]more[/b]")
        for command in ("/no/such/editor", "false", "'unclosed"):
            monkeypatch.setenv("VISUAL", command)
            await pilot.press("ctrl+g")
            await sees(pilot, "could not be used")
            assert editor(pilot).text == "begun\nand [b]more[/b]"
            pilot.app.clear_notifications()
            await until(pilot, lambda: "could not be used" not in shown(pilot))
        await pilot.press("ctrl+z")
        assert editor(pilot).text == "begun\n"
        await pilot.press("ctrl+y")
        assert editor(pilot).text == "begun\nand [b]more[/b]"


async def test_resizing_keeps_draft_focus_and_question() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await in_interview(pilot)
        await type_in(pilot, "half a")
        for size in ((80, 24), (40, 40), (200, 60), (120, 36)):
            await pilot.resize_terminal(*size)
            await sees(pilot, "Which letters matter here")
        await type_in(pilot, " sentence")
        assert editor(pilot).has_focus
        assert editor(pilot).text == "half a sentence"
        await sees(pilot, "half a sentence")


async def test_the_rail_says_what_is_left_and_keeps_notes_that_are_never_sent() -> None:
    """From 120 columns on."""
    async with an_app().run_test(size=WIDE) as pilot:
        await in_interview(pilot)
        await sees(pilot, "4 follow-ups left")
        await sees(pilot, "Hint: the point counts for 75%")
        await pilot.press("alt+n")
        await type_in(pilot, "ask about beta")
        await pilot.press("alt+n")
        assert editor(pilot).has_focus
        await answer(pilot, "We trained 7B parameters on 64 H100s for 12 days at 41% MFU.")
        await my_turn(pilot)
        await sees(pilot, "3 follow-ups left")
        await sees(pilot, "MFU         41% MFU")
        await pilot.press("f2")
        await opens(pilot, HomeScreen)
        screen = await resumed(pilot)
        assert screen.query_one("#notes", TextArea).text == "ask about beta"
        turns = engine_of(pilot).store.turns(SESSION)
        assert not [turn for turn in turns if "ask about" in turn.text]
