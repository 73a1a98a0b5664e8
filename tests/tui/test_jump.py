"""Jump mode: letters over what can be reached, on every kind of screen."""

from __future__ import annotations

import pytest
from support.scenes import BY_NAME
from support.stage import NARROW, WIDE, an_app, editor, in_interview, opens, type_in, until
from textual.pilot import Pilot
from textual.widgets import TabbedContent

from tui.screens.jump import LETTERS, JumpScreen, labels


async def jumping(pilot: Pilot[None]) -> dict[str, str]:
    """Open it; the labels by the id of what they lead to."""
    await pilot.press("ctrl+l")
    await opens(pilot, JumpScreen)
    screen = pilot.app.screen
    assert isinstance(screen, JumpScreen)
    return {str(part.id): label for label, (part, _) in screen._targets.items()}


@pytest.mark.parametrize("count", [1, 26, 27, 200])
def test_no_label_begins_another(count: int) -> None:
    found = labels(count)
    assert len(set(found)) == count
    assert not any(a != b and b.startswith(a) for a in found for b in found)
    assert set("".join(found)) <= set(LETTERS)


async def test_setup_is_reached_part_by_part() -> None:
    async with BY_NAME["setup"].app().run_test(size=NARROW) as pilot:
        await BY_NAME["setup"].play(pilot)
        for part in ("mode", "length", "project", "plans"):
            letters = await jumping(pilot)
            await pilot.press(letters[part])
            await until(pilot, lambda part=part: pilot.app.focused and pilot.app.focused.id == part)


async def test_tabs_and_rows_of_the_debrief() -> None:
    async with BY_NAME["debrief"].app().run_test(size=NARROW) as pilot:
        await BY_NAME["debrief"].play(pilot)
        letters = await jumping(pilot)
        await pilot.press(next(label for id_, label in letters.items() if id_.endswith("study")))
        tabs = pilot.app.screen.query_one(TabbedContent)
        await until(pilot, lambda: tabs.active == "study")


async def test_the_answer_is_left_and_found_again_with_its_text() -> None:
    async with an_app().run_test(size=WIDE) as pilot:
        screen = await in_interview(pilot)
        await type_in(pilot, "half a")
        letters = await jumping(pilot)
        await pilot.press(letters["notes"])
        await until(pilot, lambda: pilot.app.focused and pilot.app.focused.id == "notes")
        letters = await jumping(pilot)
        await pilot.press(letters["answer"])
        await until(pilot, lambda: editor(pilot).has_focus)
        await type_in(pilot, " word")
        await until(pilot, lambda: editor(pilot).text == "half a word")
        assert pilot.app.screen is screen


async def test_any_other_key_stays() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        focused = pilot.app.focused
        for key in ("escape", "ctrl+l", "1"):
            await jumping(pilot)
            await pilot.press(key)
            await until(pilot, lambda: not isinstance(pilot.app.screen, JumpScreen))
            assert pilot.app.focused is focused
