"""The keys of the screen below, as they are configured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.actions import ACTIONS, BY_ID, HEADINGS, Action, bindings, character_of
from tui.widgets.pages import BREAKPOINTS, ViScroll

if TYPE_CHECKING:
    from textual.screen import Screen

KEYS_WIDTH = 15


class Shown(NamedTuple):
    """An action, its keys as they are printed, and whether it can be done now."""

    action: Action
    keys: tuple[str, ...]
    enabled: bool


def keys_of(screen: Screen[Any]) -> list[Shown]:
    """What keys do on this screen where the focus is now, in the order of the table."""
    found: dict[str, Shown] = {}
    focused = screen.focused
    for key, active in screen.active_bindings.items():
        action = BY_ID.get(active.binding.id or "")
        is_typed = focused is not None and focused.check_consume_key(key, character_of(key))
        if action is None or is_typed:
            continue
        before = found[action.id].keys if action.id in found else ()
        printed = screen.app.get_key_display(active.binding)
        found[action.id] = Shown(action, (*before, printed), active.enabled)
    return sorted(found.values(), key=lambda shown: ACTIONS.index(shown.action))


class HelpScreen(ModalScreen[None]):
    """Beside the screen where there is room, else over it; the same key closes it."""

    CSS_PATH = "help.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS = bindings("help", "app.toggle_help")

    def __init__(self, below: Screen[Any]) -> None:
        super().__init__()
        self._purpose = below.HELP or ""
        self._shown = keys_of(below)

    def compose(self) -> ComposeResult:
        with ViScroll():
            yield Static(Content("Keys · esc closes, j and k scroll"), classes="title")
            if self._purpose:
                yield Static(Content(self._purpose), classes="purpose")
            for heading, rows in self._groups():
                yield Static(Content(heading), classes="heading")
                yield Static(_table(rows))

    def action_close(self) -> None:
        self.dismiss()

    action_toggle_help = action_close

    def _groups(self) -> Iterator[tuple[str, list[Shown]]]:
        for heading in HEADINGS:
            if rows := [each for each in self._shown if each.action.heading == heading]:
                yield heading, rows


def _table(rows: list[Shown]) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(width=KEYS_WIDTH, no_wrap=False)
    table.add_column()
    for shown in rows:
        does = shown.action.does if shown.enabled else f"{shown.action.does} (not now)"
        table.add_row(Text(" ".join(shown.keys), style="bold"), Text(does))
    return table
