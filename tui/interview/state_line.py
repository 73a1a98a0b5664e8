"""The interview's header and its state line: where we are, the clock, whose turn it is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.widgets.plain_text import clock_face, one_line

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


_CANCELS = "(esc cancels)"


class StateLine(Static):
    """A standing sentence, or one with seconds that count up or down."""

    def __init__(self, id: str = "state") -> None:
        super().__init__(id=id)
        self._sentence = ""
        self._end = ""
        self._since = 0.0
        self._ends_after = 0.0
        self._timer: Timer | None = None

    def say(self, sentence: str) -> None:
        self._stop()
        self.update(one_line(sentence), layout=False)

    def count(self, sentence: str, end: str = _CANCELS) -> None:
        """The sentence with the seconds since now, until something else is said."""
        self._run(sentence, 0.0, end)

    def reword(self, sentence: str) -> None:
        """Another sentence for what is being counted."""
        self._sentence = sentence
        self._tick()

    def count_down(self, sentence: str, seconds: float) -> None:
        """The sentence with the seconds that are left, and with "now" when none are."""
        self._run(sentence, seconds, _CANCELS)

    def _run(self, sentence: str, ends_after: float, end: str) -> None:
        self._stop()
        self._end = end
        self._sentence, self._since, self._ends_after = sentence, time.monotonic(), ends_after
        self._timer = self.set_interval(1, self._tick)
        self._tick()

    def _tick(self) -> None:
        gone = time.monotonic() - self._since
        left = math.ceil(self._ends_after - gone)
        due = f"in {left} s" if left > 0 else "now"
        when = due if self._ends_after else f"{int(gone)} s"
        line = one_line(f"{self._sentence} {when} {self._end}")
        self.update(line, layout=False)

    def _stop(self) -> None:
        if self._timer:
            self._timer.stop()
            self._timer = None
