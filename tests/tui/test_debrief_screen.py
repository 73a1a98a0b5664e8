"""The debrief in tabs, and one's own verdict beside the examiner's: there, and at a break."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from support.judged import marks
from support.lived_in import FINISHED
from support.rubrics import FULL
from support.scenes import BY_NAME
from support.stage import (
    NARROW,
    SESSION,
    WIDE,
    Script,
    an_app,
    answer,
    app_of,
    engine_of,
    in_interview,
    lines_with,
    my_turn,
    opens,
    sees,
    shown,
    until,
)
from textual.pilot import Pilot
from textual.widgets import TabbedContent

from interviewer.errors import StoreWriteError
from interviewer.interview import commands
from interviewer.interview.debrief.assessment import Level
from tui import messages
from tui.screens import debrief as clipboard
from tui.screens.debrief import DebriefScreen
from tui.screens.debrief_panes import link, scale
from tui.screens.transcript import TranscriptScreen
from tui.widgets.points import CriterionRow, VerdictCard

LIVED_IN = BY_NAME["debrief"]


async def opened(pilot: Pilot[None], session: str = FINISHED) -> None:
    pilot.app.post_message(messages.Go("debrief", (session,)))
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
        await until(pilot, lambda: on_criterion(pilot) == "traffic")
        await pilot.press("k", "k", "k")
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == "asked")


async def test_a_key_opens_the_source_of_what_to_study() -> None:
    app = LIVED_IN.app()
    app.open_url = Mock()  # type: ignore[method-assign]
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.press("3")
        await sees(pilot, "An adaptive controller")
        await pilot.press("o")
        await until(pilot, lambda: app.open_url.called)  # type: ignore[attr-defined]
        app.open_url.assert_called_once_with("https://arxiv.org/abs/1909.08593")  # type: ignore[attr-defined]
        await pilot.press("G", "k", "o")
        await until(pilot, lambda: not lines_with(pilot, "o Source"))
        assert app.open_url.call_count == 1  # type: ignore[attr-defined]


async def test_a_key_practises_the_question_under_the_cursor() -> None:
    app = LIVED_IN.real_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.press("3", "j", "p")
        await my_turn(pilot)
        [row] = app.bridge.engine.store.history.sessions(1)
        assert row.headline == "What ZeRO-3 shards and what it costs"


async def on_the_target(pilot: Pilot[None]) -> None:
    """The debrief, with the cursor on the costliest point."""
    await opened(pilot)
    await pilot.press("c")
    await until(pilot, lambda: on_criterion(pilot) == "target")


async def test_a_key_settles_a_point_beside_the_examiners_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The key goes round: said, not said, nothing; what cannot be kept is not shown."""
    app = LIVED_IN.app()
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await on_the_target(pilot)
        await until(pilot, lambda: "m Your verdict" in shown(pilot).splitlines()[-1])
        kept = app.bridge.engine.store.own_verdicts
        await pilot.press("m")
        await sees(pilot, "examiner: band 3 of 4, with your own")
        await sees(pilot, "○ not met · you: ● said  An adaptive controller")
        await sees(pilot, "Score: examiner 0.71 · with your own verdicts 1.00")
        assert marks(kept(FINISHED)) == {1: {"target": "said"}}
        assert on_criterion(pilot) == "target"
        await pilot.press("1")
        await sees(pilot, "Examiner: band 2.2 of 4; with your own")
        await pilot.press("c", "m")
        await sees(pilot, "○ not met · you: ○ not said  An adaptive")
        await until(pilot, lambda: marks(kept(FINISHED)) == {1: {"target": "not"}})
        await pilot.press("escape", "escape")
        await opened(pilot)
        await pilot.press("c")
        await sees(pilot, "○ not met · you: ○ not said  An adaptive")
        await until(pilot, lambda: on_criterion(pilot) == "target")
        await pilot.press("m")
        await until(pilot, lambda: not kept(FINISHED))
        await until(pilot, lambda: not lines_with(pilot, "with your own verdicts"))
        await sees(pilot, "○ not met  An adaptive controller")
        refused = Mock(side_effect=StoreWriteError("The disk is full."))
        monkeypatch.setattr(app.bridge.engine.store, "add_own_verdict", refused)
        await pilot.press("m")
        await sees(pilot, "The disk is full.")
        await until(pilot, lambda: not lines_with(pilot, "you: ● said"))


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


async def test_a_row_or_everything_is_copied_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the session is exported."""
    monkeypatch.setattr(clipboard, "_TOOLS", ())
    app = LIVED_IN.app()
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("y")
        assert pilot.app.clipboard.startswith("1. An adaptive controller")
        await sees(pilot, "Copied this row.")
        await pilot.press("2", "y")
        await until(pilot, lambda: pilot.app.clipboard.startswith("Debrief: Frontier loop"))
        await pilot.press("e")
        await sees(pilot, "Saved as")
    (path,) = (app.settings.data_folder / "exports").glob("*.md")
    assert "An adaptive controller" in path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o777 == 0o600


MIXED = "Well, first of all alpha decides this whole thing here."


@pytest.mark.parametrize(("size", "open_"), [((120, 60), False), (WIDE, True)])
async def test_moments_reasons_and_doubts_unfold(size: tuple[int, int], open_: bool) -> None:
    """Where there is room beside the verdict they are open from the beginning."""
    async with an_app().run_test(size=size) as pilot:
        replies = (commands.Answer(MIXED), commands.DontKnow(), commands.EndInterview())
        await engine_of(pilot).hold(*replies)
        await opened(pilot, SESSION)
        said = f"“{MIXED.rstrip('.')}” (turn 2)"
        if not open_:
            assert not lines_with(pilot, said)
            await pilot.press("a")
        await sees(pilot, said)
        await pilot.press("a")
        await until(pilot, lambda: not lines_with(pilot, said))


async def test_what_has_no_debrief_is_told() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await engine_of(pilot).hold(commands.Answer(FULL))
        pilot.app.post_message(messages.Go("debrief", (SESSION,)))
        await sees(pilot, "Finish the interview first.")
        await pilot.press("c", "p", "y", "2")
        assert isinstance(app_of(pilot).screen, DebriefScreen)
        pilot.app.post_message(messages.Go("debrief", ("no-such-session",)))
        await sees(pilot, "no-such-session")


PARTLY = "First alpha decides, and gamma closes the row."
"""An answer that leaves one point of the scripted question out, beta."""


def own(pilot: Pilot[None], session: str = SESSION) -> object:
    return marks(app_of(pilot).bridge.engine.store.own_verdicts(session))


async def to_the_verdict(pilot: Pilot[None], said: str = PARTLY) -> None:
    await in_interview(pilot)
    await answer(pilot, said)
    await my_turn(pilot)
    await pilot.press("f4", "y")
    await at_the_verdict(pilot)


async def at_the_verdict(pilot: Pilot[None]) -> None:
    await opens(pilot, VerdictCard)
    await until(pilot, lambda: isinstance(pilot.app.focused, CriterionRow))


class TestAtABreak:
    """The card after a question of a practice."""

    async def test_a_key_settles_a_point_right_there(self) -> None:
        async with an_app(Script(mode="practice")).run_test(size=NARROW) as pilot:
            await to_the_verdict(pilot)
            await until(pilot, lambda: "m Your verdict" in shown(pilot).splitlines()[-1])
            await until(pilot, lambda: "enter Continue" in shown(pilot).splitlines()[-1])
            await pilot.press("j", "m")
            await sees(pilot, "○ not met · you: ● said")
            await until(pilot, lambda: own(pilot) == {1: {"beta": "said"}})
            await sees(pilot, "· with your own verdicts 1.00")
            assert engine_of(pilot).interviews[0].state.rounds[0].questions[0].grade
            await pilot.press("k", "m", "m", "enter")
            await my_turn(pilot)
            assert own(pilot) == {1: {"alpha": "not", "beta": "said"}}
