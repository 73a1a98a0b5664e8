"""The line of filters, and the list from which the finer ones are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.actions import bindings
from tui.widgets.dialogs import Dialogue, card
from tui.widgets.pages import ViList
from tui.widgets.plain_text import one_line, plain

if TYPE_CHECKING:
    from interviewer.practice.browsing import Filters, State, Trait

STATES: tuple[State, ...] = ("mine", "weak", "never asked", "due", "marked")
MORE = "more"


class Chip(Static):
    """One filter: its key and name; a tick and reverse video say that it is on."""

    @dataclass
    class Pressed(Message):
        """It was clicked."""

        chip: str

    def __init__(self, name: str, key: str, label: str) -> None:
        super().__init__()
        self.chip = name
        self._key = key
        self.show(label, False)

    def show(self, label: str, on: bool) -> None:
        head = plain(
            f"✓{self._key} " if on else f" {self._key} ", "bold" if on else "$text-primary"
        )
        shown = head + one_line(f"{label} ", "bold" if on else "")
        self.update(shown.stylize("reverse") if on else shown)

    def on_click(self) -> None:
        self.post_message(self.Pressed(self.chip))


class FilterBar(Horizontal):
    """What is on, a key each."""

    def __init__(self, keys: Sequence[str], more: str) -> None:
        chips = (
            Chip(state, key, state.capitalize()) for state, key in zip(STATES, keys, strict=True)
        )
        super().__init__(*chips, Chip(MORE, more, "Filter…"), id="filters")

    def show(self, filters: Filters) -> None:
        for chip in self.query(Chip):
            if chip.chip == MORE:
                values = [value for each in filters.traits.values() for value in sorted(each)]
                chip.show(", ".join(values) or "Filter…", bool(values))
            else:
                chip.show(chip.chip.capitalize(), chip.chip in filters.states)


class FilterPicker(Dialogue[None]):
    """Round, topic, difficulty and kind to tick; the list behind follows at once."""

    HELP = "Tick what the list should show; it follows at once. Nothing ticked shows everything."
    BINDINGS = bindings("filter", "back")

    def __init__(
        self,
        values: Callable[[Trait], Sequence[tuple[str, int]]],
        filters: Filters,
        changed: Callable[[Filters], None],
    ) -> None:
        super().__init__()
        self._values = values
        self._filters = filters
        self._changed = changed

    def compose(self) -> ComposeResult:
        how = Static(Content("Space or Enter ticks, Esc closes."), classes="card-note")
        yield card("Show only", ViList(*self._options(), id="values"), how)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        trait, _, value = str(event.option.id).partition(":")
        self._filters = self._filters.turned(trait, value)  # type: ignore[arg-type]
        self.query_one(ViList).show(self._options())
        self._changed(self._filters)

    def action_tick(self) -> None:
        self.query_one(ViList).action_select()

    def _options(self) -> Iterator[Option]:
        from interviewer.practice.browsing import TRAITS

        for trait in TRAITS:
            yield Option(Content.styled(trait.capitalize(), "bold $text-primary"), disabled=True)
            on = self._filters.traits.get(trait, frozenset())
            for value, count in self._values(trait):
                box = "[x]" if value in on else "[ ]"
                label = plain(f"{box} ", "bold") + plain(f"{value:<19}{count:>4}")
                yield Option(label, id=f"{trait}:{value}")
