"""From home to the debrief and back, through the real engine with the offline examiner."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
import yaml
from support.rubrics import FULL, a_rubric
from support.stage import NARROW, NOW, editor, my_turn, opens, sees, shown, turn_owner, until
from textual.pilot import Pilot

from interviewer.settings import load_settings
from tui.app import InterviewerApp
from tui.interview.presenter import TurnOwner
from tui.screens.debrief import DebriefScreen
from tui.screens.home import HomeScreen
from tui.screens.sessions import SessionsScreen, TranscriptScreen
from tui.screens.setup import SetupScreen
from tui.widgets.pages import ViList

PLAN = {
    "id": "letters-in-rounds",
    "version": 1,
    "title": "Letters in rounds",
    "description": "Three short rounds.",
    "rounds": [
        {
            "id": name,
            "title": f"Round of {name}",
            "persona": {"name": "Ada", "manner": "Patient."},
            "minutes": 5,
            "follow_ups": 2,
            "count": 1,
            "ask": [f"letters-{name}"],
        }
        for name in ("one", "two", "three")
    ],
}


@pytest.fixture
def app(tmp_path: Path) -> InterviewerApp:
    settings = load_settings()
    for folder in ("plans", "rubrics"):
        (settings.config_folder / folder).mkdir(parents=True)
    (settings.config_folder / "plans" / "rounds.yaml").write_text(yaml.safe_dump(PLAN))
    for name in ("one", "two", "three"):
        rubric = a_rubric(id=f"letters-{name}", title=f"Letters, part {name}", escalations=())
        path = settings.config_folder / "rubrics" / f"{name}.yaml"
        path.write_text(yaml.safe_dump(rubric.model_dump(mode="json")))
    return InterviewerApp(settings, now=lambda: NOW)


async def begin(pilot: Pilot[None]) -> None:
    await pilot.press("n")
    await opens(pilot, SetupScreen)
    await sees(pilot, "Letters in rounds")
    plans = pilot.app.screen.query_one("#plans", ViList)
    plans.highlighted = plans.get_option_index("letters-in-rounds")
    await pilot.press("ctrl+s")
    await my_turn(pilot)


async def go_through(pilot: Pilot[None], text: str) -> None:
    """Give the same answer to everything, worded anew, until the debrief comes."""
    for number in count(1):
        await until(pilot, lambda: turn_owner(pilot) is TurnOwner.CANDIDATE or at_debrief(pilot))
        if at_debrief(pilot):
            return
        editor(pilot).fill(f"{text} That is answer {number}, and {number * 7} words would do too.")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: at_debrief(pilot) or not editor(pilot).text)


def at_debrief(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, DebriefScreen)


async def home_again(pilot: Pilot[None]) -> None:
    await pilot.press("escape")
    await opens(pilot, HomeScreen)


async def test_two_mocks_and_their_transcripts(app: InterviewerApp) -> None:
    async with app.run_test(size=NARROW) as pilot:
        await begin(pilot)
        await sees(pilot, "Round 1: Round of one")
        assert "hears textbook words" in " ".join(shown(pilot).split())
        await go_through(pilot, FULL)
        await sees(pilot, "Band 4.0 of 4")
        await pilot.press("2", "G")
        await sees(pilot, "3. Round of three")
        await home_again(pilot)

        await begin(pilot)
        await go_through(pilot, "Something about alpha, though nothing about the others at all.")
        await sees(pilot, "NOT ENOUGH TO SAY")
        await home_again(pilot)
        await sees(pilot, "Sessions      2")

        await pilot.press("s")
        await opens(pilot, SessionsScreen)
        await until(pilot, lambda: shown(pilot).count("3 of 3") == 2)
        for move, words in (("g", "Something about alpha"), ("G", "First alpha decides")):
            await pilot.press(move, "t")
            await opens(pilot, TranscriptScreen)
            await sees(pilot, words)
            await sees(pilot, "● heard")
            await pilot.press("escape")
            await opens(pilot, SessionsScreen)
