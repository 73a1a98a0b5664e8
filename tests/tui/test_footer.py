"""The keys at the bottom: what is possible now, and nothing mounted anew for the same keys."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

from tui.widgets.footer import KeyFooter


class Doors(App[None]):
    """One key is always possible, the other where the door is open."""

    BINDINGS: ClassVar = [("k", "knock", "Knock"), ("e", "enter", "Enter")]
    is_open = False

    def __init__(self, *, palette: bool = False) -> None:
        super().__init__()
        self._palette = palette

    def compose(self) -> ComposeResult:
        yield KeyFooter(show_command_palette=self._palette)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "enter" or self.is_open


def keys(pilot: Pilot[None]) -> list[FooterKey]:
    return list(pilot.app.query_one(KeyFooter).query(FooterKey))


def names(pilot: Pilot[None]) -> list[str]:
    return [f"{key.key_display} {key.description}" for key in keys(pilot)]


async def looked_at_again(pilot: Pilot[None]) -> None:
    done = asyncio.Event()
    pilot.app.refresh_bindings()
    await pilot.pause()
    pilot.app.query_one(KeyFooter).call_after_refresh(done.set)
    await done.wait()


async def test_the_same_keys_stay_where_they_are() -> None:
    async with Doors().run_test() as pilot:
        await looked_at_again(pilot)
        before = keys(pilot)
        await looked_at_again(pilot)
        assert names(pilot) == ["k Knock"]
        assert keys(pilot) == before


async def test_what_becomes_possible_is_shown_and_goes_again() -> None:
    app = Doors()
    async with app.run_test() as pilot:
        app.is_open = True
        await looked_at_again(pilot)
        assert names(pilot) == ["k Knock", "e Enter"]
        app.is_open = False
        await looked_at_again(pilot)
        assert names(pilot) == ["k Knock"]


async def test_a_key_that_was_changed_is_shown_by_its_new_name() -> None:
    async with Doors().run_test() as pilot:
        await looked_at_again(pilot)
        pilot.app.get_key_display = lambda binding: binding.key.upper()  # type: ignore[method-assign]
        await looked_at_again(pilot)
        assert names(pilot) == ["K Knock"]


@pytest.mark.parametrize(("columns", "shown"), [(40, False), (80, True)])
async def test_the_palette_covers_no_key_where_there_is_little_room(
    columns: int, shown: bool
) -> None:
    async with Doors(palette=True).run_test(size=(columns, 24)) as pilot:
        await looked_at_again(pilot)
        visible = [key.description for key in keys(pilot) if key.display]
        assert visible == ["Knock", *["palette"] * shown]
