"""The debrief: bands, criteria with sign and word, the candidate's words and their place."""

from __future__ import annotations

import pytest
from support.stage import (
    FULL,
    NARROW,
    SESSION,
    WIDE,
    an_app,
    engine_of,
    shown,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Collapsible
from textual.widgets._collapsible import CollapsibleTitle

from interviewer.interview import commands as do
from interviewer.report.words import band_words
from tui import navigation
from tui.debrief.question import CriterionRow, Points, Reference
from tui.debrief.screen import DebriefScreen
from tui.transcript.screen import TranscriptScreen

MIXED = "Well, first of all alpha decides this whole thing here."


async def at_debrief(pilot: Pilot[None], *replies: do.Command) -> None:
    await engine_of(pilot).hold(*replies)
    pilot.app.post_message(navigation.ReadDebrief(SESSION))
    await until(pilot, lambda: isinstance(pilot.app.focused, CollapsibleTitle))
    await until(pilot, lambda: "A round · band" in shown(pilot))


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_whole_and_each_round_have_their_bands(size: tuple[int, int]) -> None:
    async with an_app().run_test(size=size) as pilot:
        await at_debrief(pilot, do.Answer(FULL), do.Skip(), do.EndInterview())
        top = shown(pilot).splitlines()[0]
        assert top.startswith(" Debrief · Test plan")
        assert top.endswith(band_words(2.0))
        screen = shown(pilot)
        assert "Band 2.0 of 4 over 2 questions." in screen
        assert "The overall band rests on 2 graded question(s) only." in screen
        assert f"Round 1  A round · {band_words(4.0)}" in screen
        assert f"1 · {band_words(0)} · More letters" in screen


async def test_a_question_opens_to_its_criteria_and_reference() -> None:
    async with an_app().run_test(size=(120, 50)) as pilot:
        await at_debrief(pilot, do.Answer(MIXED), do.AskHint(), do.Answer(FULL), do.EndInterview())
        assert not pilot.app.screen.query(CriterionRow)
        await pilot.press("enter")
        await until(pilot, lambda: "● met  The alpha effect" in shown(pilot))
        assert "“Well, first of all alpha decides this whole" in shown(pilot)
        assert "● met, after a hint" in shown(pilot)
        assert "alpha is first, beta is second, gamma is third." in shown(pilot)
        assert "unassisted" in shown(pilot)
        assert "Closed because you ended the interview." in shown(pilot)


async def test_not_met_and_missing_are_words_too() -> None:
    async with an_app().run_test(size=(120, 50)) as pilot:
        await at_debrief(pilot, do.Answer(MIXED), do.EndInterview())
        await pilot.press("a")
        await until(pilot, lambda: "○ not met  The beta effect" in shown(pilot))


@pytest.mark.parametrize(("size", "beside"), [(NARROW, False), (WIDE, True)])
async def test_the_reference_stands_beside_or_below(size: tuple[int, int], beside: bool) -> None:
    async with an_app().run_test(size=size) as pilot:
        await at_debrief(pilot, do.Answer(FULL), do.EndInterview())
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.query(Reference))
        await pilot.pause()
        points = pilot.app.screen.query_one(Points).region
        reference = pilot.app.screen.query_one(Reference).region
        assert (reference.x > points.x and reference.y == points.y) is beside
        assert (reference.y >= points.bottom) is not beside


async def test_a_key_leads_to_the_words_in_the_transcript() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await at_debrief(pilot, do.Answer(MIXED), do.Answer(FULL), do.EndInterview())
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.query(CriterionRow))
        await pilot.press("j", "j")
        row = pilot.app.focused
        assert isinstance(row, CriterionRow)
        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, TranscriptScreen))
        await until(pilot, lambda: pilot.app.screen.query(".-found"))
        found = pilot.app.screen.query(".-found").only_one()
        assert found.line.turn == row.turn  # type: ignore[attr-defined]
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen))


async def test_all_questions_open_and_close_at_once() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await at_debrief(pilot, do.Answer(FULL), do.Skip(), do.EndInterview())
        await pilot.press("a")
        await until(pilot, lambda: len(pilot.app.screen.query(Reference)) == 2)
        await pilot.press("a")
        assert all(card.collapsed for card in pilot.app.screen.query(Collapsible))


async def test_keys_move_from_line_to_line() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await at_debrief(pilot, do.Answer(FULL), do.Skip(), do.EndInterview())
        first = pilot.app.focused
        await pilot.press("j")
        assert pilot.app.focused is not first
        await pilot.press("k")
        assert pilot.app.focused is first
        await pilot.press("G")
        assert pilot.app.focused is pilot.app.screen.query(CollapsibleTitle).last()


async def test_an_unfinished_exam_has_no_debrief_yet() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(do.Answer(FULL))
        pilot.app.post_message(navigation.ReadDebrief(SESSION))
        await until(pilot, lambda: "Finish the interview first." in shown(pilot))


async def test_a_session_that_is_gone_is_told() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        pilot.app.post_message(navigation.ReadDebrief("no-such-session"))
        await until(pilot, lambda: "no-such-session" in shown(pilot))
