"""Which sessions to list and in which order: a card of choices, each with "any"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Button, Select, Static

from tui.actions import bindings
from tui.widgets.dialogs import Dialogue, card
from tui.widgets.plain_text import one_line

if TYPE_CHECKING:
    from interviewer.store.records import Order, SessionFilter
    from tui.engine import Topics

ANY = ""
BANDS = {
    "below 1": (0.0, 1.0),
    "1 to 2": (1.0, 2.0),
    "2 to 3": (2.0, 3.0),
    "3 to 4": (3.0, 4.1),
}
DAYS = {"this week": 7, "this month": 31, "this year": 366}
STATES = {"finished": True, "unfinished": False}
ORDERS: dict[str, Order] = {
    "latest first": "latest",
    "oldest first": "oldest",
    "weakest first": "weakest",
    "best first": "best",
}


@dataclass(frozen=True)
class Chosen:
    """The choices as they read; "" is any, and for ``order`` the latest first."""

    plan: str = ANY
    topic: str = ANY
    band: str = ANY
    state: str = ANY
    when: str = ANY
    tag: str = ANY
    order: str = ANY

    @property
    def told(self) -> str:
        """The choices in a line, "" for none."""
        return " · ".join(filter(None, (getattr(self, each.name) for each in fields(self))))

    def filter(self, topics: Topics, now: datetime) -> SessionFilter:
        from interviewer.store.records import SessionFilter

        return SessionFilter(
            plan=self.plan,
            rubrics=topics().get(self.topic, ()) if self.topic else (),
            bands=BANDS.get(self.band),
            finished=STATES.get(self.state),
            since=now - timedelta(days=DAYS[self.when]) if self.when else None,
            tag=self.tag,
            order=ORDERS.get(self.order, "latest"),
        )


class FilterCard(Dialogue[Chosen | None]):
    """The result is None for going back."""

    HELP = "Choose which sessions to list. Enter opens a choice; Show lists what fits all of them."
    BINDINGS = bindings("back")

    def __init__(
        self, chosen: Chosen, plans: Iterable[str], topics: Iterable[str], tags: Iterable[str]
    ) -> None:
        super().__init__()
        self._chosen = chosen
        self._choices = {
            "plan": tuple(plans),
            "topic": tuple(topics),
            "band": tuple(BANDS),
            "state": tuple(STATES),
            "when": tuple(DAYS),
            "tag": tuple(tags),
            "order": tuple(ORDERS),
        }

    def compose(self) -> ComposeResult:
        rows = [self._row(name, values) for name, values in self._choices.items() if values]
        show = Button("Show", id="show", variant="primary", compact=True)
        yield card(
            "Which sessions?",
            *rows,
            buttons=(show, Button("Show all", id="all", compact=True)),
        )

    def _row(self, name: str, values: tuple[str, ...]) -> Horizontal:
        options = [(one_line(value).markup, value) for value in values]
        chosen = getattr(self._chosen, name)
        value = chosen if chosen in values else Select.NULL
        prompt = "latest first" if name == "order" else "any"
        choice = Select(options, prompt=prompt, value=value, compact=True, id=f"filter-{name}")
        return Horizontal(Static(Content(name.capitalize()), classes="label"), choice)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "all":
            self.dismiss(Chosen())
            return
        picked = {
            str(select.id).removeprefix("filter-"): ANY if select.is_blank() else str(select.value)
            for select in self.query(Select)
        }
        self.dismiss(replace(self._chosen, **picked))
