"""From home to the debrief and back, through the real engine with the offline examiner."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from support.rubrics import a_rubric
from support.stage import FULL, NARROW, NOW, WIDE, answers_on_disk, my_turn, shown, until
from textual import events
from textual.pilot import Pilot

from interviewer.settings import load_settings
from tui.app import InterviewerApp
from tui.debrief.screen import DebriefScreen
from tui.home.screen import HomeScreen
from tui.interview.editor import AnswerEditor
from tui.interview.screen import InterviewScreen
from tui.interview.telling import Floor
from tui.sessions.screen import SessionsScreen
from tui.setup.screen import SetupScreen
from tui.transcript.screen import TranscriptScreen

PLAN = {
    "id": "a-letters-sprint",
    "version": 1,
    "title": "A letters sprint",
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
    (settings.config_folder / "plans" / "sprint.yaml").write_text(yaml.safe_dump(PLAN))
    for name in ("one", "two", "three"):
        rubric = a_rubric(id=f"letters-{name}", title=f"Letters, part {name}", escalations=())
        path = settings.config_folder / "rubrics" / f"{name}.yaml"
        path.write_text(yaml.safe_dump(rubric.model_dump(mode="json")))
    return InterviewerApp(settings, now=lambda: NOW)


async def begin(pilot: Pilot[None], *, at: int) -> None:
    await pilot.press("n")
    await until(pilot, lambda: isinstance(pilot.app.screen, SetupScreen))
    await until(pilot, lambda: "A letters sprint" in shown(pilot))
    plans = pilot.app.screen.query_one("#plans")
    plans.highlighted = plans.get_option_index("a-letters-sprint")  # type: ignore[attr-defined]
    await pilot.press("ctrl+s")
    await my_turn(pilot)


async def go_through(pilot: Pilot[None], text: str) -> None:
    """Give the same answer to everything until the debrief comes."""
    while isinstance(screen := pilot.app.screen, InterviewScreen):
        if screen.floor is Floor.CANDIDATE:
            pilot.app.post_message(events.Paste(text))
            await until(pilot, lambda: pilot.app.screen.query(AnswerEditor).only_one().text)
            await pilot.press("ctrl+s")
        await pilot.pause(0.05)
    await until(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen))
