"""The debrief: the person, what to do, then verdicts with sign, word and quote; a key for all."""

from __future__ import annotations

import pytest
from support.stage import (
    FULL,
    NARROW,
    NOW,
    SESSION,
    WIDE,
    an_app,
    engine_of,
    lines_with,
    shown,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Collapsible
from textual.widgets._collapsible import CollapsibleTitle

from interviewer.examiner.llm import prompts
from interviewer.grading.agreement import ExamResult
from interviewer.interview import commands
from interviewer.report.words import band_words
from tui import messages
from tui.screens.debrief import (
    CriterionRow,
    DebriefScreen,
    EntryRow,
    Points,
    QuestionCard,
    Reference,
    SectionCard,
)
from tui.screens.sessions import TranscriptScreen

MIXED = "Well, first of all alpha decides this whole thing here."


async def at_debrief(pilot: Pilot[None], *replies: commands.Command) -> None:
    await engine_of(pilot).hold(*replies)
    pilot.app.post_message(messages.ReadDebrief(SESSION))
    await until(pilot, lambda: pilot.app.screen.query(QuestionCard) and pilot.app.focused)
    await pilot.pause()


async def at_question(pilot: Pilot[None], *replies: commands.Command) -> None:
    """At the debrief, with the first question under the cursor."""
    await at_debrief(pilot, *replies)
    while not isinstance(pilot.app.focused and pilot.app.focused.parent, QuestionCard):
        await pilot.press("j")


def place_of(pilot: Pilot[None], words: str) -> int:
    """The line of the screen on which these words stand."""
    return next(n for n, line in enumerate(shown(pilot).splitlines()) if words in line)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_person_leads_and_the_mean_comes_after(size: tuple[int, int]) -> None:
    async with an_app().run_test(size=size) as pilot:
        await at_debrief(pilot, commands.Answer(FULL), commands.Skip(), commands.Skip())
        top = shown(pilot).splitlines()[0]
        assert top.startswith(" Debrief · Test plan")
        assert top.endswith("not enough to say")
        told = [
            "Solid knowledge: try harder questions next.",
            "Do next",
            "Answer this one, which you skipped.",
            "“More letters”",
            "Recommendation: not enough to say.",
            "Band 2.0 of 4 over 2 questions.",
            "In the talk · ",
            "Doubts · ",
            f"Round 1  A round · {band_words(4.0)}",
            f"1 · {band_words(0)}, skipped · More letters",
        ]
        places = [place_of(pilot, words) for words in told]
        assert places == sorted(places)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_key_shows_the_profile_and_the_reasons_and_hides_them_again(
    size: tuple[int, int],
) -> None:
    async with an_app().run_test(size=size) as pilot:
        await at_debrief(pilot, commands.Answer(FULL), commands.Skip(), commands.Skip())
        assert "██████" not in shown(pilot)
        await pilot.press("d")
        await until(pilot, lambda: "Why · " in shown(pilot))
        assert lines_with(pilot, "transformer, round 1  ██████████     6 of 6  band 4")
        assert lines_with(pilot, "transformer, round 2  ░░░░░░░░░░  no answer  band 0")
        await pilot.press("d")
        await until(pilot, lambda: "Why · " not in shown(pilot))


async def test_hiding_what_is_under_the_cursor_moves_it_to_its_question() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await at_question(pilot, commands.Answer(MIXED), commands.EndInterview())
        await pilot.press("d", "enter")
        await until(pilot, lambda: pilot.app.screen.query(CriterionRow))
        await pilot.press("j")
        assert isinstance(pilot.app.focused, CriterionRow)
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.focused, CollapsibleTitle))


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_moments_and_study_open_below_the_questions(size: tuple[int, int]) -> None:
    async with an_app().run_test(size=size) as pilot:
        await at_debrief(
            pilot, commands.Answer(MIXED), commands.DontKnow(), commands.EndInterview()
        )
        await pilot.press("G", "enter")
        await until(pilot, lambda: pilot.app.screen.query(EntryRow))
        await pilot.press("j")
        await until(pilot, lambda: "The beta effect decides the outcome" in shown(pilot))
        assert lines_with(pilot, "What to study, costliest first")
        await pilot.press("d")
        for card in pilot.app.screen.query(SectionCard):
            card.collapsed = False
        await until(pilot, lambda: len(pilot.app.screen.query(EntryRow)) > 4)
        told = "\n".join(str(row.render()) for row in pilot.app.screen.query(EntryRow))
        assert "Did not know on “Greek letters”" in told
        assert f"“{MIXED.rstrip('.')}” (turn 2)" in told


async def test_a_moment_leads_to_its_place_in_the_transcript() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await at_debrief(
            pilot, commands.Answer(MIXED), commands.DontKnow(), commands.EndInterview()
        )
        await pilot.press("d")
        stalls = next(c for c in pilot.app.screen.query(SectionCard) if "stalled" in c.title)
        stalls.collapsed = False
        await until(pilot, lambda: stalls.query(EntryRow))
        stalls.query(EntryRow).first().focus()
        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, TranscriptScreen))
        await until(pilot, lambda: pilot.app.screen.query(".-found"))
        assert pilot.app.screen.query(".-found").only_one().line.turn == 3  # type: ignore[attr-defined]


async def test_what_the_candidate_typed_is_no_markup_in_a_moment() -> None:
    said = "[bold]Well[/bold], alpha decides [link=x]this whole thing[/link] here"
    async with an_app().run_test(size=WIDE) as pilot:
        await at_debrief(pilot, commands.Answer(said), commands.EndInterview())
        await pilot.press("d", "a")
        await until(pilot, lambda: lines_with(pilot, f"“{said}” (turn 2)"))


async def test_a_grade_of_an_examiner_that_failed_its_exam_is_marked() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        failed = ExamResult(
            *("scripted", prompts.load("judge").version, NOW, 126, 0.31, 0.5, 0.1, 0.2),
            failed_on=("kappa 0.31 is below 0.5",),
        )
        engine_of(pilot).store.exams.save(failed, "ab" * 32, {})
        await at_question(pilot, commands.Answer(MIXED), commands.EndInterview())
        assert lines_with(pilot, "1 · band 2 of 4, doubtful · Greek letters")
        await pilot.press("enter")
        await until(pilot, lambda: lines_with(pilot, "which failed its own exam"))


async def test_a_question_opens_in_brief() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await at_question(
            pilot, commands.Answer(MIXED), commands.Answer(FULL), commands.EndInterview()
        )
        await pilot.press("enter")
        await until(pilot, lambda: "● met: The alpha effect" in shown(pilot))
        assert "“Well, first of all alpha decides this whole thing here” (turn 2)" in shown(pilot)
        assert "Closed because you ended the interview." in shown(pilot)
        assert "unassisted" not in shown(pilot)
        assert "A strong answer" not in shown(pilot)


async def test_a_question_opens_to_its_criteria_and_reference() -> None:
    async with an_app().run_test(size=(120, 50)) as pilot:
        await at_question(
            pilot,
            commands.Answer(MIXED),
            commands.AskHint(),
            commands.Answer(FULL),
            commands.EndInterview(),
        )
        assert not pilot.app.screen.query(CriterionRow)
        await pilot.press("d", "enter")
        await until(pilot, lambda: "● met  The alpha effect" in shown(pilot))
        assert "“Well, first of all alpha decides this whole" in shown(pilot)
        assert "● met, after a hint" in shown(pilot)
        assert "alpha is first, beta is second, gamma is third." in shown(pilot)
        assert "unassisted" in shown(pilot)
        assert "Closed because you ended the interview." in shown(pilot)


async def test_not_met_and_missing_are_words_too() -> None:
    async with an_app().run_test(size=(120, 50)) as pilot:
        await at_debrief(pilot, commands.Answer(MIXED), commands.EndInterview())
        await pilot.press("d", "a")
        await until(pilot, lambda: "○ not met  The beta effect" in shown(pilot))
        assert lines_with(pilot, "Next time: alpha is first, beta is second")


@pytest.mark.parametrize(("size", "beside"), [(NARROW, False), (WIDE, True)])
async def test_the_reference_stands_beside_or_below(size: tuple[int, int], beside: bool) -> None:
    async with an_app().run_test(size=size) as pilot:
        await at_question(pilot, commands.Answer(FULL), commands.EndInterview())
        await pilot.press("d", "enter")
        await until(pilot, lambda: pilot.app.screen.query(Reference))
        await pilot.pause()
        points = pilot.app.screen.query_one(Points).region
        reference = pilot.app.screen.query_one(Reference).region
        assert (reference.x > points.x and reference.y == points.y) is beside
        assert (reference.y >= points.bottom) is not beside


async def test_a_key_leads_to_the_words_in_the_transcript() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await at_question(
            pilot, commands.Answer(MIXED), commands.Answer(FULL), commands.EndInterview()
        )
        await pilot.press("d", "enter")
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
        await at_debrief(pilot, commands.Answer(FULL), commands.Skip(), commands.EndInterview())
        await pilot.press("a")
        await until(pilot, lambda: len(pilot.app.screen.query(Reference)) == 2)
        await pilot.press("a")
        assert all(card.collapsed for card in pilot.app.screen.query(Collapsible))


async def test_keys_move_from_line_to_line() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await at_debrief(pilot, commands.Answer(FULL), commands.Skip(), commands.EndInterview())
        first = pilot.app.focused
        await pilot.press("j")
        assert pilot.app.focused is not first
        await pilot.press("k")
        assert pilot.app.focused is first
        await pilot.press("G")
        last = pilot.app.focused
        assert isinstance(last, CollapsibleTitle)
        await pilot.press("j")
        assert pilot.app.focused is pilot.app.screen.focus_chain[0]


async def test_an_unfinished_exam_has_no_debrief_yet() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(commands.Answer(FULL))
        pilot.app.post_message(messages.ReadDebrief(SESSION))
        await until(pilot, lambda: "Finish the interview first." in shown(pilot))


async def test_a_session_that_is_gone_is_told() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        pilot.app.post_message(messages.ReadDebrief("no-such-session"))
        await until(pilot, lambda: "no-such-session" in shown(pilot))
