"""Every list moves by the same keys."""

from __future__ import annotations

import pytest
from support.scenes import BY_NAME
from support.stage import NARROW, until
from textual.widgets import TabbedContent

from tui.widgets.pages import ViList


@pytest.mark.parametrize("scene", ["browser", "bench"])
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
