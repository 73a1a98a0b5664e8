"""The interview's first line: where we are, and the round's clock."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from tui.widgets.plain_text import one_line
from tui.widgets.times import clock_face

SOON, LAST = 5 * 60, 60
"""Seconds left from which on the clock looks different, by sign as well as by colour."""


class Clock(Static):
    """Time left in the round, asked for every second; empty while there is no round."""

    def __init__(self, seconds_left: Callable[[], float | None]) -> None:
        super().__init__(id="clock")
        self._seconds_left = seconds_left

    def on_mount(self) -> None:
        self.set_interval(1, self.tick)

    def tick(self) -> None:
        left = self._seconds_left()
        self.set_class(left is not None and left <= SOON, "-soon")
        self.set_class(left is not None and left <= LAST, "-last")
        self.update(Content("" if left is None else _face(left)), layout=False)


class Heading(Horizontal):
    """Plan and round, cut where there is no room; then the question and the clock, never cut."""

    def __init__(self, seconds_left: Callable[[], float | None]) -> None:
        super().__init__()
        self._place = Static(id="place")
        self._question = Static(id="question")
        self._clock = Clock(seconds_left)
        self._plan = self._round = ""

    def compose(self) -> ComposeResult:
        yield self._place
        yield self._question
        yield self._clock

    def show(
        self, *, plan: str | None = None, round: str | None = None, question: str | None = None
    ) -> None:
        """Change the named parts and let the others stand."""
        self._plan = self._plan if plan is None else plan
        self._round = self._round if round is None else round
        self._place.update(one_line(" · ".join(filter(None, (self._plan, self._round)))))
        if question is not None:
            self._question.update(one_line(question))
        self._clock.tick()


def _face(left: float) -> str:
    sign = "!! " if left <= LAST else "! " if left <= SOON else ""
    return f"{sign}{clock_face(left)} left"
