"""The keys at the bottom: what is possible now, by keyboard and mouse."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest
from support.stage import shown
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tui.widgets.footer import KeyFooter


class Doors(App[None]):
    """One key is always possible, the other where the door is open or, dimmed, stuck."""

    BINDINGS: ClassVar = [("k", "knock", "Knock"), ("e", "enter", "Enter")]
    is_open: bool | None = False
    knocks = 0

    def __init__(self, *, palette: bool = False) -> None:
        super().__init__()
        self._palette = palette

    def compose(self) -> ComposeResult:
        yield KeyFooter(show_command_palette=self._palette)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.is_open if action == "enter" else True

    def action_knock(self) -> None:
        self.knocks += 1


def last_line(pilot: Pilot[None]) -> str:
    return shown(pilot).splitlines()[-1]


async def looked_at_again(pilot: Pilot[None]) -> None:
    done = asyncio.Event()
    pilot.app.refresh_bindings()
    await pilot.pause()
    pilot.app.query_one(KeyFooter).call_after_refresh(done.set)
    await done.wait()
    await pilot.pause()


async def test_what_becomes_possible_is_shown_and_goes_again() -> None:
    app = Doors()
    async with app.run_test() as pilot:
        await looked_at_again(pilot)
        assert last_line(pilot) == " k Knock"
        app.is_open = True
        await looked_at_again(pilot)
        assert last_line(pilot) == " k Knock  e Enter"
        app.is_open = False
        await looked_at_again(pilot)
        assert last_line(pilot) == " k Knock"


async def test_nothing_is_drawn_again_for_the_same_keys() -> None:
    async with Doors().run_test() as pilot:
        await looked_at_again(pilot)
        footer = pilot.app.query_one(KeyFooter)
        drawn: list[object] = []
        footer.render = lambda: drawn.append(1) or ""  # type: ignore[method-assign,func-returns-value]
        await looked_at_again(pilot)
        assert not drawn


@pytest.mark.parametrize(("columns", "shows_it"), [(40, False), (80, True)])
async def test_the_palette_covers_no_key_where_there_is_little_room(
    columns: int, shows_it: bool
) -> None:
    async with Doors(palette=True).run_test(size=(columns, 24)) as pilot:
        await looked_at_again(pilot)
        assert last_line(pilot).startswith(" k Knock")
        assert last_line(pilot).endswith("▏^p palette") is shows_it


async def test_a_click_presses_the_key_and_only_where_it_is_possible() -> None:
    app = Doors()
    app.is_open = None
    async with app.run_test() as pilot:
        await looked_at_again(pilot)
        rung: list[int] = []
        app.bell = lambda: rung.append(1)  # type: ignore[method-assign]
        for at in (3, 12, 40):
            await pilot.click(KeyFooter, offset=(at, 0))
        assert (app.knocks, len(rung)) == (1, 1)


async def test_the_key_under_the_mouse_says_what_it_does() -> None:
    async with Doors(palette=True).run_test() as pilot:
        await looked_at_again(pilot)
        footer = pilot.app.query_one(KeyFooter)
        await pilot.hover(KeyFooter, offset=(75, 0))
        assert footer.tooltip == "Open the command palette"
        await pilot.hover(KeyFooter, offset=(40, 0))
        assert footer.tooltip is None
