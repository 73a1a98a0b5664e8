"""Every list and every text moves by the same keys."""

from __future__ import annotations

import pytest
from support.scenes import BY_NAME
from support.stage import NARROW, until
from textual.widgets import RadioSet, TabbedContent

from tui.screens.sessions import SessionsTable
from tui.widgets.pages import ViList, ViScroll


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


async def test_the_table_of_sessions_moves_alike() -> None:
    async with BY_NAME["sessions"].app().run_test(size=NARROW) as pilot:
        await BY_NAME["sessions"].play(pilot)
        table = pilot.app.focused
        assert isinstance(table, SessionsTable)
        await pilot.press("G")
        assert table.cursor_row == table.row_count - 1 > 3
        await pilot.press("g", "ctrl+d")
        assert 1 < table.cursor_row <= table.row_count - 1
        await pilot.press("ctrl+u")
        assert table.cursor_row == 0


async def test_texts_move_by_half_pages() -> None:
    async with BY_NAME["transcript"].app().run_test(size=(80, 14)) as pilot:
        await BY_NAME["transcript"].play(pilot)
        text = pilot.app.focused
        assert isinstance(text, ViScroll)
        await pilot.press("G")
        await until(pilot, lambda: text.scroll_offset.y == text.max_scroll_y > 4)
        await pilot.press("ctrl+u")
        await until(pilot, lambda: 0 < text.scroll_offset.y < text.max_scroll_y)
        await pilot.press("g")
        await until(pilot, lambda: text.scroll_offset.y == 0)
        await pilot.press("ctrl+d", "j", "k")
        await until(pilot, lambda: text.scroll_offset.y > 1)


async def test_what_a_plan_holds_is_scrolled_without_a_mouse() -> None:
    async with BY_NAME["setup"].app().run_test(size=NARROW) as pilot:
        await BY_NAME["setup"].play(pilot)
        await pilot.press("j", "j", "j", "tab")
        right = pilot.app.focused
        assert isinstance(right, ViScroll)
        assert right.max_scroll_y > 0
        await pilot.press("G")
        await until(pilot, lambda: right.scroll_offset.y == right.max_scroll_y)
        await pilot.press("tab", "j", "j", "enter")
        length = pilot.app.screen.query_one("#length", RadioSet)
        await until(
            pilot, lambda: length.pressed_button and length.pressed_button.name != "standard"
        )


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
