"""Which sessions to list and in which order: a card of choices, each with "any"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from tui.widgets.form import Field, FormCard

if TYPE_CHECKING:
    from interviewer.store.records import Order, SessionFilter

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
class FilterChoices:
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

    def filter(self, now: datetime) -> SessionFilter:
        """All but the topic, whose questions the files tell."""
        from interviewer.store.records import SessionFilter

        return SessionFilter(
            plan=self.plan,
            bands=BANDS.get(self.band),
            finished=STATES.get(self.state),
            since=now - timedelta(days=DAYS[self.when]) if self.when else None,
            tag=self.tag,
            order=ORDERS.get(self.order, "latest"),
        )


def filter_card(
    chosen: FilterChoices, plans: Sequence[str], topics: Sequence[str], tags: Sequence[str]
) -> FormCard:
    """A form of the choices."""
    known: dict[str, Sequence[str]] = {
        "plan": plans,
        "topic": topics,
        "band": tuple(BANDS),
        "state": tuple(STATES),
        "when": tuple(DAYS),
        "tag": tags,
    }
    rows = [
        Field(name, name.capitalize(), getattr(chosen, name), _choices("any", values))
        for name, values in known.items()
        if values
    ]
    first, *others = ORDERS
    order = Field("order", "Order", chosen.order, _choices(first, others))
    return FormCard("Which sessions?", [*rows, order], keep="Show", empty="Show all")


def _choices(otherwise: str, values: Iterable[str]) -> list[tuple[str, str]]:
    return [(otherwise, ANY), *((value, value) for value in values)]
