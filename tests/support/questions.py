"""The question browser as a test reaches it, and questions of one's own."""

from __future__ import annotations

from pathlib import Path

import yaml
from textual.pilot import Pilot

from support.rubrics import a_rubric
from support.stage import shown, until
from tui.app import InterviewerApp
from tui.widgets.pages import ViList


def own_rubric(app: InterviewerApp, name: str = "mine", **changes: object) -> Path:
    folder = app.settings.config_folder / "rubrics"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    values = a_rubric(**changes).model_dump(mode="json")
    path.write_text(yaml.safe_dump(values))
    return path


async def at_questions(pilot: Pilot[None]) -> ViList:
    await pilot.press("u")
    await until(pilot, lambda: pilot.app.screen.query(ViList))
    listed = pilot.app.screen.query_one(ViList)
    await until(pilot, lambda: listed.option_count and "…" not in first_row(pilot))
    return listed


def first_row(pilot: Pilot[None]) -> str:
    """The facts of the first question, two lines below the empty one under the filters."""
    lines = shown(pilot).split("\n")
    filters = next((at for at, line in enumerate(lines) if "Never asked" in line), 0)
    return lines[filters + 3]
