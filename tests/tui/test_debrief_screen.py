"""The debrief in tabs: one verdict and what to do, criteria with quotes, study, numbers."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
from support.judged import marks
from support.lived_in import FINISHED
from support.rubrics import FULL
from support.scenes import BY_NAME
from support.sessions import log_a_call
from support.stage import (
    NARROW,
    NOW,
    SESSION,
    WIDE,
    an_app,
    app_of,
    engine_of,
    lines_with,
    my_turn,
    opens,
    sees,
    shown,
    until,
)
from textual.pilot import Pilot
from textual.widgets import TabbedContent

from interviewer import composition
from interviewer.errors import StoreWriteError
from interviewer.examiner.llm.messages import load_prompt
from interviewer.grading.agreement import ExamResult
from interviewer.interview import commands
from interviewer.interview.debrief.assessment import Level
from tui import messages
from tui.screens import debrief as clipboard
from tui.screens.debrief import DebriefScreen
from tui.screens.debrief_panes import StudyRow, link, scale
from tui.screens.sessions import TranscriptScreen
from tui.widgets.points import CriterionRow

MIXED = "Well, first of all alpha decides this whole thing here."
LIVED_IN = BY_NAME["debrief"]


async def at_debrief(pilot: Pilot[None], *replies: commands.Command) -> None:
    await engine_of(pilot).hold(*replies)
    await opened(pilot, SESSION)


async def opened(pilot: Pilot[None], session: str = FINISHED) -> None:
    pilot.app.post_message(messages.ReadDebrief(session))
    await opens(pilot, DebriefScreen)
    await until(pilot, lambda: pilot.app.screen.query(TabbedContent) and pilot.app.focused)


def place_of(pilot: Pilot[None], words: str) -> int:
    """The line of the screen on which these words stand."""
    return next(n for n, line in enumerate(shown(pilot).splitlines()) if words in line)


def on_criterion(pilot: Pilot[None]) -> str:
    row = pilot.app.focused
    return row.about.criterion if isinstance(row, CriterionRow) else ""


async def test_the_verdict_leads_and_a_key_goes_to_what_cost_most() -> None:
    async with LIVED_IN.app().run_test(size=NARROW) as pilot:
        await opened(pilot)
        told = ["LEAN NO", "The core is there", "Do next", "explain it aloud"]
        places = [place_of(pilot, words) for words in told]
        assert places == sorted(places)
        await pilot.press("j", "j", "enter")
        await until(pilot, lambda: on_criterion(pilot) == "traffic")
        await pilot.press("1", "enter")
        await until(pilot, lambda: on_criterion(pilot) == "spike")
        await pilot.press("1", "c")
        await until(pilot, lambda: on_criterion(pilot) == "target")
        await sees(pilot, "○ not met  An adaptive controller")
        await sees(pilot, "Next time: An adaptive controller")


@pytest.mark.parametrize("level", list(Level))
def test_the_verdict_is_told_by_letters_not_by_colour_alone(level: Level) -> None:
    steps = [step.strip() for step in scale(level).plain.split("─")]
    assert [step for step in steps if step.isupper()] == [level.upper()]


async def test_the_list_chooses_the_question_and_the_keys_walk_its_criteria() -> None:
    async with LIVED_IN.app().run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("2")
        await sees(pilot, "● met  The KL term keeps")
        await sees(pilot, "band 3 of 4, 2 points lost")
        await pilot.press("j")
        await sees(pilot, "What does ZeRO-3 shard")
        await sees(pilot, "“It shards parameters, gradients and optimiser states")
        await pilot.press("enter")
        await until(pilot, lambda: on_criterion(pilot) == "shards")
        await pilot.press("j")
        assert on_criterion(pilot) == "traffic"
        await pilot.press("k", "k", "k")
        assert pilot.app.focused is not None
        assert pilot.app.focused.id == "asked"


async def test_study_is_ticked_off_and_remembered() -> None:
    app = LIVED_IN.app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.press("3")
        await until(pilot, lambda: isinstance(pilot.app.focused, StudyRow))
        await pilot.press("space")
        await sees(pilot, "[x] An adaptive controller")
        ticked = app.bridge.engine.ticks().read
        await until(pilot, lambda: ticked(FINISHED) == {"kl-penalty/target"})
        await pilot.press("escape")
        await opened(pilot)
        await pilot.press("3")
        await sees(pilot, "[x] An adaptive controller")
        await pilot.press("x")
        await until(pilot, lambda: not ticked(FINISHED))


async def test_damaged_ticks_are_told_and_kept_and_the_debrief_is_shown() -> None:
    app = LIVED_IN.app()
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        ticks = app.bridge.engine.settings.data_folder / "studied" / f"{FINISHED}.json"
        ticks.parent.mkdir(parents=True)
        ticks.write_text('["kl-penalty/tar')
        await opened(pilot)
        await sees(pilot, "damaged")
        app.clear_notifications()
        await until(pilot, lambda: not lines_with(pilot, "damaged"))
        await pilot.press("3")
        await until(pilot, lambda: isinstance(pilot.app.focused, StudyRow))
        await pilot.press("space")
        await sees(pilot, "damaged")
        assert ticks.read_text() == '["kl-penalty/tar'


async def test_a_key_practises_the_question_under_the_cursor() -> None:
    app = LIVED_IN.real_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.press("3", "j", "p")
        await my_turn(pilot)
        row = app.bridge.engine.store.history.latest_unfinished()
        assert row is not None
        assert row.headline == "What ZeRO-3 shards and what it costs"


async def on_the_target(pilot: Pilot[None]) -> None:
    """The debrief, with the cursor on the costliest point."""
    await opened(pilot)
    await pilot.press("c")
    await until(pilot, lambda: on_criterion(pilot) == "target")


async def test_a_key_settles_a_point_beside_the_examiners_verdict() -> None:
    """The key goes round: said, not said, nothing of one's own."""
    app = LIVED_IN.app()
    async with app.run_test(size=NARROW) as pilot:
        await on_the_target(pilot)
        assert "m Your verdict" in shown(pilot).splitlines()[-1]
        kept = app.bridge.engine.store.own_verdicts.of
        await pilot.press("m")
        await sees(pilot, "examiner: band 3 of 4, with your own")
        await sees(pilot, "○ not met · you: ● said  An adaptive controller")
        await sees(pilot, "Score: examiner 0.71 · with your own verdicts 1.00")
        assert marks(kept(FINISHED).verdicts) == {1: {"target": "said"}}
        assert on_criterion(pilot) == "target"
        await pilot.press("1")
        await sees(pilot, "Examiner: band 2.2 of 4; with your own")
        await pilot.press("c", "m")
        await sees(pilot, "○ not met · you: ○ not said  An adaptive")
        await until(pilot, lambda: marks(kept(FINISHED).verdicts) == {1: {"target": "not"}})
        await pilot.press("escape")
        await opened(pilot)
        await pilot.press("c")
        await sees(pilot, "○ not met · you: ○ not said  An adaptive")
        await until(pilot, lambda: on_criterion(pilot) == "target")
        await pilot.press("m")
        await until(pilot, lambda: not kept(FINISHED).verdicts)
        await until(pilot, lambda: not lines_with(pilot, "with your own verdicts"))
        await sees(pilot, "○ not met  An adaptive controller")


async def test_a_verdict_that_cannot_be_kept_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    app = LIVED_IN.app()
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await on_the_target(pilot)
        refused = Mock(side_effect=StoreWriteError("The disk is full."))
        monkeypatch.setattr(app.bridge.engine.store.own_verdicts, "add", refused)
        await pilot.press("m")
        await sees(pilot, "The disk is full.")
        await until(pilot, lambda: not lines_with(pilot, "you: ● said"))


async def test_a_key_opens_the_source_where_it_has_a_link() -> None:
    app = LIVED_IN.app()
    app.open_url = Mock()  # type: ignore[method-assign]
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("3", "o")
        await until(pilot, lambda: app.open_url.called)  # type: ignore[attr-defined]
        app.open_url.assert_called_once_with("https://arxiv.org/abs/1909.08593")  # type: ignore[attr-defined]
        await sees(pilot, "o Source")
        await pilot.press("G", "k", "o")
        await until(pilot, lambda: not lines_with(pilot, "o Source"))
        assert app.open_url.call_count == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("Su et al. (2021), arXiv:2104.09864, section 3", "https://arxiv.org/abs/2104.09864"),
        ("The docs (https://example.org/a_b).", "https://example.org/a_b"),
        ("A book", ""),
    ],
)
def test_links_are_found_in_sources(source: str, address: str) -> None:
    assert link(source) == address


async def test_each_figure_leads_to_where_it_was_said() -> None:
    async with LIVED_IN.app().run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.press("4")
        await sees(pilot, "parameters  “7 billion parameters” (turn 4)")
        await sees(pilot, "Sums still open")
        await pilot.press("t")
        await opens(pilot, TranscriptScreen)
        await until(pilot, lambda: pilot.app.screen.query(".-found"))
        assert pilot.app.screen.query(".-found").only_one().line.turn == 4  # type: ignore[attr-defined]
        await pilot.press("escape")
        await opens(pilot, DebriefScreen)


async def test_without_numbers_the_tab_says_so_and_leads_on() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await at_debrief(pilot, commands.Answer(FULL), commands.EndInterview())
        await pilot.press("4")
        await sees(pilot, "No figure of a run of your own was read")
        await pilot.press("3")
        await sees(pilot, "Nothing to study")
        await pilot.press("c", "j", "1")
        await sees(pilot, "TOO FEW QUESTIONS")


async def test_a_row_or_everything_is_copied_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "_TOOLS", ())
    async with LIVED_IN.app().run_test(size=NARROW, notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("y")
        assert pilot.app.clipboard.startswith("1. A loss spike")
        await sees(pilot, "Copied this row.")
        await pilot.press("2", "y")
        await until(pilot, lambda: pilot.app.clipboard.startswith("Debrief: Frontier loop"))


def exported(folder: Path) -> list[Path]:
    return list((folder / "exports").glob("*.md"))


async def test_the_session_is_exported_as_markdown_and_told_where() -> None:
    app = LIVED_IN.app()
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("e")
        await sees(pilot, "Saved as")
    (path,) = exported(app.settings.data_folder)
    assert "An adaptive controller" in path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o777 == 0o600


async def test_moments_reasons_and_doubts_unfold() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        await at_debrief(
            pilot, commands.Answer(MIXED), commands.DontKnow(), commands.EndInterview()
        )
        assert not lines_with(pilot, "You gave no answer")
        await pilot.press("a")
        await sees(pilot, "You gave no answer")
        assert lines_with(pilot, f"“{MIXED.rstrip('.')}” (turn 2)")
        await pilot.press("a")
        await until(pilot, lambda: not lines_with(pilot, "You gave no answer"))


async def test_a_grade_of_an_examiner_that_failed_its_exam_is_marked() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        failed = ExamResult(
            *("scripted", load_prompt("judge").version, NOW, 126, 0.31, 0.5, 0.1, 0.2),
            failed_on=("kappa 0.31 is below 0.5",),
        )
        engine_of(pilot).store.exams.save(failed, "ab" * 32, {})
        await at_debrief(pilot, commands.Answer(MIXED), commands.EndInterview())
        await pilot.press("2")
        await sees(pilot, "band 2 of 4, doubtful")
        await sees(pilot, "which failed its own exam")


async def test_what_has_no_debrief_is_told() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(commands.Answer(FULL))
        pilot.app.post_message(messages.ReadDebrief(SESSION))
        await sees(pilot, "Finish the interview first.")
        await pilot.press("c", "p", "y", "2")
        assert isinstance(app_of(pilot).screen, DebriefScreen)
        pilot.app.post_message(messages.ReadDebrief("no-such-session"))
        await sees(pilot, "no-such-session")


async def test_what_models_took_for_it_stands_below() -> None:
    async with an_app(model="gpt-5").run_test(size=WIDE) as pilot:
        await engine_of(pilot).hold(commands.Answer("alpha"), commands.EndInterview())
        log_a_call(engine_of(pilot).store, SESSION, "gpt-5")
        pilot.app.post_message(messages.ReadDebrief(SESSION))
        await sees(pilot, "Do next")
        await pilot.press("G")
        await sees(pilot, "Asked of models: 2 calls, 900,000 tokens")


async def test_a_key_has_the_examiner_sit_a_short_exam(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition, "SHORT_EXAM", 2)
    async with an_app().run_test(size=WIDE) as pilot:
        await at_debrief(pilot, commands.Answer(FULL), commands.EndInterview())
        assert engine_of(pilot).store.exams.results() == []
        await pilot.press("E")
        await until(pilot, lambda: engine_of(pilot).store.exams.results())
        (result,) = engine_of(pilot).store.exams.results()
        assert result.examiner == "offline-v3"
        assert result.samples == 2
