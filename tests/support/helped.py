"""The help over a screen: what it lists, and what it should."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Static

from support.stage import until
from tui.actions import BY_ID, character_of
from tui.screens.help import HelpScreen


async def at_help(pilot: Pilot[None], key: str = "f1") -> None:
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))


def listed(pilot: Pilot[None]) -> list[str]:
    """The sentences of the open help, sorted; "(not now)" left out."""
    found = []
    for static in pilot.app.screen.query(Static):
        if columns := getattr(static.content, "columns", None):
            found += [str(cell).removesuffix(" (not now)") for cell in columns[1].cells]
    return sorted(found)


def expected(pilot: Pilot[None]) -> list[str]:
    screen = pilot.app.screen
    takes = screen.focused.check_consume_key if screen.focused else lambda *_: False
    active = screen.active_bindings.items()
    ids = {each.binding.id for key, each in active if not takes(key, character_of(key))}
    return sorted(BY_ID[each].does for each in ids if each in BY_ID)
