"""Every list moves by the same keys, and jump mode puts letters over what can be reached."""

from __future__ import annotations

import pytest
from support.scenes import BY_NAME
from support.stage import NARROW, WIDE, an_app, editor, in_interview, opens, type_in, until
from textual.pilot import Pilot
from textual.widgets import TabbedContent

from tui.screens.jump import LETTERS, JumpScreen, labels
from tui.widgets.pages import ViList


@pytest.mark.parametrize("scene", ["setup", "browser", "bench"])
async def test_lists_move_by_lines_half_pages_and_to_their_ends(scene: str) -> None:
    async with BY_NAME[scene].app().run_test(size=NARROW) as pilot:
        await BY_NAME[scene].play(pilot)
        focused = pilot.app.focused
        assert isinstance(focused, ViList)
        first, second, *_, last = [n for n, o in enumerate(focused.options) if not o.disabled]
        await pilot.press("g", "j", "j", "k")
        await until(pilot, lambda: focused.highlighted == second)
        await pilot.press("G")
        await until(pilot, lambda: focused.highlighted == last)
        await pilot.press("ctrl+u")
        await until(pilot, lambda: focused.highlighted in range(last))
        await pilot.press("g", "ctrl+d")
        await until(pilot, lambda: focused.highlighted in range(second, last + 1))
        await pilot.press("ctrl+u")
        await until(pilot, lambda: focused.highlighted == first)


async def test_the_tabs_of_the_debrief_are_stepped_through() -> None:
    async with BY_NAME["debrief"].app().run_test(size=NARROW) as pilot:
        await BY_NAME["debrief"].play(pilot)
        tabs = pilot.app.screen.query_one(TabbedContent)
        for key, name in (("l", "questions"), ("]", "study"), ("h", "questions"), ("[", "summary")):
            await pilot.press(
                {"]": "right_square_bracket", "[": "left_square_bracket"}.get(key, key)
            )
            await until(pilot, lambda name=name: tabs.active == name)
        await pilot.press("h")
        await until(pilot, lambda: tabs.active == "numbers")


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
