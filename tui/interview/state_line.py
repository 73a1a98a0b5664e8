"""One line that says who has the floor, and never anything else than what is so."""

from __future__ import annotations

import math
import time

from textual.timer import Timer
from textual.widgets import Static

from tui.widgets.plain_text import one_line

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
