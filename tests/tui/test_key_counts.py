"""How many keys lie between a person and what they came for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.endpoint import StubEndpoint
from support.lived_in import FINISHED
from support.scenes import Scene, home
from support.stage import NARROW, an_app, app_of, lines_with, my_turn, until
from textual.pilot import Pilot
from textual.widgets import Input

from interviewer.settings import load_settings
from tui import messages
from tui.screens.settings import SettingsScreen

LIVED_IN = Scene("lived-in", home)
READY = '{"criteria": [{"id": "ready", "evidence": "", "verdict": "met", "missing": ""}]}'


@pytest.fixture
def server() -> Iterator[StubEndpoint]:
    with StubEndpoint(words=(READY,), judge=lambda _: READY) as stub:
        yield stub


NAMES = {":": "colon", "/": "slash", ".": "full_stop"}
"""How Textual calls the keys of an address that are no letters or digits."""


def headline(pilot: Pilot[None]) -> str:
    """The question that is open in the stored session."""
    row = app_of(pilot).bridge.engine.store.history.latest_unfinished()
    assert row
    return row.headline


async def test_a_newcomer_is_one_key_from_the_first_question() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await home(pilot)
        await pilot.press("enter")
        await my_turn(pilot)


async def test_any_plan_is_two_keys_from_its_first_question() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        await until(pilot, lambda: lines_with(pilot, "New mock"))
        await pilot.press("n")
        await until(pilot, lambda: lines_with(pilot, "The driller"))
        await pilot.press("ctrl+s")
        await my_turn(pilot)


async def test_the_weakest_criterion_is_one_key_from_the_start() -> None:
    async with LIVED_IN.real_app().run_test(size=NARROW) as pilot:
        await home(pilot)
        await until(pilot, lambda: lines_with(pilot, "Weak spots"))
        await pilot.press("w")
        await my_turn(pilot)
        assert headline(pilot) == "A loss spike at step 40,000"


async def test_what_cost_most_is_one_key_from_the_debrief_and_practised_with_another() -> None:
    async with LIVED_IN.real_app().run_test(size=NARROW) as pilot:
        await home(pilot)
        app_of(pilot).post_message(messages.ReadDebrief(FINISHED))
        await until(pilot, lambda: lines_with(pilot, "Do next") and pilot.app.focused)
        await pilot.press("c")
        await until(pilot, lambda: lines_with(pilot, "Next time: An adaptive controller"))
        await pilot.press("p")
        await my_turn(pilot)
        assert headline(pilot) == "What the KL penalty buys in PPO"


async def test_a_local_server_is_set_up_without_an_editor(server: StubEndpoint) -> None:
    """Besides what is typed: settings, to the fields, Enter after each, test."""
    async with an_app().run_test(size=NARROW) as pilot:
        await until(pilot, lambda: lines_with(pilot, "New mock"))
        await pilot.press("f10")
        await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
        await until(pilot, lambda: lines_with(pilot, "Address"))
        moves = 0
        while not isinstance(pilot.app.focused, Input):
            await pilot.press("tab")
            moves += 1
        assert moves <= 1
        assert pilot.app.focused.id == "base_url"
        await pilot.press(*(NAMES.get(char, char) for char in server.base_url), "enter")
        await until(pilot, lambda: load_settings().base_url == server.base_url)
        await pilot.press("tab", *"stub", "enter", "f5")
        await until(pilot, lambda: lines_with(pilot, "✓ model"))
        assert load_settings().model == "stub"
