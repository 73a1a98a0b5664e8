"""Setting up a mock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.endpoint import StubEndpoint
from support.rubric_writing import rubric_values, write_yaml
from support.rubrics import ONE
from support.stage import (
    NARROW,
    ScriptedEngine,
    an_app,
    engine_of,
    lines_with,
    my_turn,
    opens,
    sees,
    shown,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, RadioButton

from interviewer.interview import commands
from interviewer.interview.interview import Interview
from interviewer.settings import load_settings
from tui.messages import Choice
from tui.screens.setup import SetupScreen
from tui.widgets.dialogs import Confirm

SMALL = (40, 20)
PLAN = """
id: a-plan-of-mine
version: 1
title: A plan [b]of mine[/b]
description: Only what I fear.
rounds:
  - id: only
    title: Only
    persona: {name: Ada, manner: Patient.}
    minutes: 12.5
    count: 3
    pick: {rounds: [transformer]}
"""


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> list[Choice]:
    """The choices with which interviews begin."""
    chosen: list[Choice] = []
    begin = ScriptedEngine.begin

    def noted(engine: ScriptedEngine, choice: Choice) -> Interview:
        chosen.append(choice)
        return begin(engine)

    monkeypatch.setattr(ScriptedEngine, "begin", noted)
    return chosen


async def at_setup(pilot: Pilot[None]) -> None:
    await pilot.press("n")
    await opens(pilot, SetupScreen)
    await sees(pilot, "The driller")
    await sees(pilot, "questions ·")  # what the chosen plan holds


def take(pilot: Pilot[None], choice: str) -> None:
    next(b for b in pilot.app.screen.query(RadioButton) if b.name == choice).value = True


def own_plan(settings_folder: Path, text: str = PLAN) -> None:
    folder = settings_folder / "plans"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(text)


async def test_plans_are_listed_with_what_they_take() -> None:
    app = an_app()
    own_plan(app.settings.config_folder)
    broken = app.settings.config_folder / "plans" / "broken.yaml"
    broken.write_text(PLAN.replace("minutes: 12.5", "minutes: none"))
    async with app.run_test(size=(120, 40)) as pilot:
        await at_setup(pilot)
        await sees(pilot, "broken.yaml:10")
        await sees(pilot, "3 rounds  30 min  Three-round mock")
        await sees(pilot, "1 round  12 min  A plan [b]of")
        await go_to(pilot, "A plan")
        await sees(pilot, "1 round · 3 questions · 12.5 min")
        await sees(pilot, "Ada · 3 questions, 12.5 min")
        await sees(pilot, "Only what I fear.")
        await sees(pilot, "Start")


async def test_a_plan_of_ones_own_is_deleted_and_no_other() -> None:
    app = an_app()
    own_plan(app.settings.config_folder)
    file = app.settings.config_folder / "plans" / "mine.yaml"
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await at_setup(pilot)
        await pilot.press("delete")
        await sees(pilot, "Only plans of your own can be deleted.")
        await go_to(pilot, "A plan")
        await pilot.press("delete")
        await opens(pilot, Confirm)
        await sees(pilot, "Delete “A plan [b]of mine[/b]”")
        assert file.exists()
        await pilot.press("y")
        await until(pilot, lambda: not file.exists())


async def listed(pilot: Pilot[None], label: str) -> OptionList:
    """The plans, once this offer is among them: on a small screen not all are in view."""
    plans = pilot.app.screen.query_one("#plans", OptionList)
    await until(pilot, lambda: any(label in str(each.prompt) for each in plans.options))
    return plans


async def go_to(pilot: Pilot[None], label: str) -> None:
    """Move the cursor of the plans to this offer."""
    plans = await listed(pilot, label)
    while label not in str(plans.highlighted_option and plans.highlighted_option.prompt):
        await pilot.press("j")


async def go_by_tab(pilot: Pilot[None], part: str) -> None:
    while getattr(pilot.app.focused, "id", None) != part:
        await pilot.press("tab")


async def test_on_a_small_screen_every_part_comes_into_view(chosen: list[Choice]) -> None:
    async with an_app().run_test(size=SMALL) as pilot:
        await at_setup(pilot)
        await listed(pilot, "Topic: ")
        parts = {
            "length": ["( )  Quick ", "(●)  Standard ", "( )  Extended "],
            "examiner": ["(●)  Offline ", "( )  LLM "],
            "mode": ["(●)  Exam ", "( )  Practice "],
            "project": ["Your project", "a file, or a few lines with numbers"],
        }
        for part, words in parts.items():
            await go_by_tab(pilot, part)
            for each in (*words, "Start"):
                await sees(pilot, each)
        llm = next(b for b in pilot.app.screen.query(RadioButton) if b.name == "llm")
        assert llm.disabled
        await go_by_tab(pilot, "plans")
        await go_to(pilot, "Topic: alignment")
        await sees(pilot, "Topic: alignment")
        await pilot.press("ctrl+s")
        await my_turn(pilot)
    assert [part.pick and part.pick.topics for part in chosen[0].plan.rounds] == [("alignment",)]


async def test_weak_spots_and_ones_own_questions_are_offered_once_there_are_any() -> None:
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        await at_setup(pilot)
        await listed(pilot, "Topic: ")
        assert not lines_with(pilot, "Weak spots")
        assert not lines_with(pilot, "My own list")
        await pilot.press("escape")
        await engine_of(pilot).hold(commands.Answer("alpha"), commands.EndInterview())
        values = rubric_values(ONE.id), rubric_values("imported-one", topic="a-heading-of-the-list")
        for each in values:
            path = app.settings.config_folder / "rubrics" / f"{each['id']}.yaml"
            write_yaml(path, each)
        await at_setup(pilot)
        await go_to(pilot, "My own list")
        await sees(pilot, "1 round · 2 questions · 10 min")
        await sees(pilot, "Weak spots")
        await listed(pilot, "Topic: a-heading-of-the-list")


async def test_what_is_chosen_is_what_begins(chosen: list[Choice]) -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await at_setup(pilot)
        await pilot.press("j", "tab", "tab", "enter", "tab", "tab", "j", "enter")
        second = pilot.app.screen.query_one("#plans", OptionList).options[1].id
        await pilot.press("ctrl+s")
        await my_turn(pilot)
    assert [(c.plan.id, c.length, c.examiner, c.mode) for c in chosen] == [
        (second, "quick", "offline", "practice")
    ]


@pytest.fixture
def server() -> Iterator[StubEndpoint]:
    with StubEndpoint() as stub:
        yield stub


async def start_with_the_model(pilot: Pilot[None]) -> None:
    take(pilot, "llm")
    await pilot.pause()
    await pilot.press("ctrl+s")


async def test_a_server_without_a_model_is_asked_which_it_has(
    chosen: list[Choice], server: StubEndpoint
) -> None:
    async with an_app(base_url=server.base_url).run_test(size=NARROW) as pilot:
        await at_setup(pilot)
        await start_with_the_model(pilot)
        await sees(pilot, "offers these:")
        assert chosen == []
        await pilot.press("enter")
        await my_turn(pilot)
    assert [choice.examiner for choice in chosen] == ["llm"]
    assert load_settings().model == "stub"


async def test_a_server_that_is_not_there_leaves_the_offline_examiner(
    chosen: list[Choice],
) -> None:
    async with an_app(base_url="http://127.0.0.1:9/v1").run_test(size=NARROW) as pilot:
        await at_setup(pilot)
        await start_with_the_model(pilot)
        await sees(pilot, "Nothing accepts connections at")
        await pilot.press("escape")
        await opens(pilot, SetupScreen)
        await pilot.press("ctrl+s")
        await sees(pilot, "Nothing accepts connections at")
        await pilot.press("enter")
        await my_turn(pilot)
    assert [choice.examiner for choice in chosen] == ["offline"]
    assert load_settings().model is None


async def test_before_answers_leave_this_machine_it_says_where_they_go(
    chosen: list[Choice], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", "http://me:secret@gate:3128")
    async with an_app(api_key="sk-test").run_test(size=NARROW) as pilot:
        await at_setup(pilot)
        await sees(pilot, "(●)  Offline")
        await start_with_the_model(pilot)
        await sees(pilot, "Your answers leave this machine")
        await sees(pilot, "https://api.openai.com/v1 through the proxy")
        await sees(pilot, "gate:3128")
        assert "me:secret" not in shown(pilot)
        await sees(pilot, "gpt-5-mini")
        assert "sk-test" not in shown(pilot)
        await pilot.press("tab", "enter")
        await my_turn(pilot)
    assert [choice.examiner for choice in chosen] == ["llm"]
    kept = load_settings(api_key="sk-test")
    assert (kept.chosen_examiner, kept.asks_before_sending) == ("llm", False)
    assert "sk-test" not in (kept.config_folder / "config.toml").read_text()


async def type_notes(pilot: Pilot[None], text: str) -> None:
    pilot.app.screen.query_one("#project", Input).focus()
    await pilot.press(*text)


async def test_project_notes_go_along_unless_they_cannot_be_read(
    chosen: list[Choice],
) -> None:
    notes = "I tuned a 7B model on two GPUs for a week"
    app = an_app(project="some notes of mine")
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await at_setup(pilot)
        field = pilot.app.screen.query_one("#project", Input)
        assert field.value == "some notes of mine"
        field.value = "nowhere.md"
        await pilot.press("ctrl+s")
        await sees(pilot, "nowhere.md cannot")
        assert isinstance(pilot.app.screen, SetupScreen)
        assert chosen == []
        field.clear()
        await type_notes(pilot, notes)
        await pilot.press("ctrl+s")
        await my_turn(pilot)
    assert [choice.project for choice in chosen] == [notes]
