"""The list of rubrics, one's own among them, and files that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from support.rubrics import a_rubric
from support.stage import NARROW, WIDE, an_app, shown, until
from textual.pilot import Pilot

from tui.app import InterviewerApp
from tui.widgets.pages import ViList


def own_rubric(app: InterviewerApp, name: str = "mine", **changes: object) -> Path:
    folder = app.settings.config_folder / "rubrics"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    values = a_rubric(**changes).model_dump(mode="json")
    path.write_text(yaml.safe_dump(values))
    return path


async def at_rubrics(pilot: Pilot[None]) -> ViList:
    await pilot.press("u")
    await until(pilot, lambda: pilot.app.screen.query("#entries"))
    rubrics = pilot.app.screen.query_one("#entries", ViList)
    await until(pilot, lambda: rubrics.option_count)
    return rubrics


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_own_rubrics_are_listed_and_shown(size: tuple[int, int]) -> None:
    app = an_app()
    own_rubric(app, id="my-letters", title="[i]My letters[/i]")
    async with app.run_test(size=size) as pilot:
        rubrics = await at_rubrics(pilot)
        rubrics.highlighted = rubrics.get_option_index("my-letters")
        await until(pilot, lambda: "my-letters, version 1, yours" in shown(pilot))
        assert "transformer · easy · concept · yours" in shown(pilot)
        assert "[i]My letters[/i]" in shown(pilot)
        assert "Which letters matter here, and why?" in shown(pilot)
        assert "Your own rubrics go in" in shown(pilot)


async def test_a_replacement_is_visible_as_one() -> None:
    app = an_app()
    # The round and the title put it first in the list.
    own_rubric(app, id="zero3-versus-fsdp", round="aaa", title="Mine is better")
    async with app.run_test(size=WIDE) as pilot:
        await at_rubrics(pilot)
        await until(pilot, lambda: "yours, replaces a shipped one" in shown(pilot))


async def test_a_broken_file_is_told_with_line_and_field_until_it_is_mended() -> None:
    app = an_app()
    path = own_rubric(app, id="my-letters")
    whole = path.read_text()
    path.write_text(whole.replace("difficulty: easy", "difficulty: brutal"))
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if "brutal" in text)
    async with app.run_test(size=WIDE) as pilot:
        await at_rubrics(pilot)
        await until(pilot, lambda: f"mine.yaml:{line}: difficulty" in shown(pilot))
        path.write_text(whole)
        await pilot.press("f5")
        await until(pilot, lambda: f"mine.yaml:{line}" not in shown(pilot))
        assert pilot.app.screen.query_one(ViList).get_option("my-letters")
