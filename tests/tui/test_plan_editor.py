"""Plans made and changed in the program: saved as files of one's own, and played."""

from __future__ import annotations

import yaml
from support.scenes import BY_NAME
from support.stage import WIDE, an_app, engine_of, my_turn, opens, sees, until
from textual.pilot import Pilot
from textual.widgets import Input

from interviewer.composition import load_plans
from tui.screens.plan_editor import PlanEditor
from tui.screens.setup import SetupScreen


def own_plans(pilot: Pilot[None]) -> list[dict]:
    folder = engine_of(pilot).settings.config_folder / "plans"
    return [yaml.safe_load(path.read_text("utf-8")) for path in folder.glob("*.yaml")]


async def test_marked_questions_become_a_plan_in_a_few_keys() -> None:
    async with BY_NAME["browser"].app().run_test(size=WIDE, notifications=True) as pilot:
        await BY_NAME["browser"].play(pilot)
        await pilot.press("m", "j", "m", "j", "m", "P")
        await opens(pilot, PlanEditor)
        await sees(pilot, "My selection")
        await sees(pilot, "not saved")
        await pilot.press("escape")
        await sees(pilot, "Leave without saving")
        await pilot.press("n")


async def test_a_plan_is_changed_saved_listed_and_played() -> None:
    async with an_app().run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("n")
        await opens(pilot, SetupScreen)
        await sees(pilot, "Three-round mock")
        await pilot.press("e")
        await opens(pilot, PlanEditor)
        await pilot.press("r", "ctrl+u", *"Mine", "enter")
        await sees(pilot, "Plan · Mine")
        await pilot.press("a", "enter")
        await sees(pilot, "of topic")
        pilot.app.screen.query_one("#field-minutes", Input).value = "soon"
        await pilot.press("enter")
        await sees(pilot, "'soon' is no number of minutes")
        pilot.app.screen.query_one("#field-minutes", Input).value = "7"
        await pilot.press("enter")
        await sees(pilot, "7 min")
        await pilot.press("K", "ctrl+s")
        await sees(pilot, "Saved as")
        [plan] = own_plans(pilot)
        assert plan["title"] == "Mine"
        assert [part["title"] for part in plan["rounds"]][2] == "Round 4"
        found = load_plans(engine_of(pilot).settings)
        assert not found.problems
        await pilot.press("d", "ctrl+s")
        await until(pilot, lambda: len(own_plans(pilot)[0]["rounds"]) == 3)
        await pilot.press("p")
        await my_turn(pilot)
