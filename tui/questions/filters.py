"""The line of filters, a key each."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from tui.widgets.plain_text import one_line, plain

if TYPE_CHECKING:
    from interviewer.practice.browsing import State

STATES: tuple[State, ...] = ("mine", "weak", "never asked", "due", "marked")


class Chip(Static):
    """One filter: its key and name; a tick and reverse video say that it is on."""

    @dataclass
    class Pressed(Message):
        state: State

    def __init__(self, state: State, key: str) -> None:
        super().__init__()
        self.state = state
        self._key = key
        self.show(False)

    def show(self, on: bool) -> None:
        head = plain(
            f"✓{self._key} " if on else f" {self._key} ", "bold" if on else "$text-primary"
        )
        shown = head + one_line(f"{self.state.capitalize()} ", "bold" if on else "")
        self.update(shown.stylize("reverse") if on else shown)

    def on_click(self) -> None:
        self.post_message(self.Pressed(self.state))


class FilterBar(Horizontal):
    def __init__(self, keys: Sequence[str]) -> None:
        chips = (Chip(state, key) for state, key in zip(STATES, keys, strict=True))
        super().__init__(*chips, id="filters")

    def show(self, filters: Set[State]) -> None:
        for chip in self.query(Chip):
            chip.show(chip.state in filters)
