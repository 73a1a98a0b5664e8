"""A line that says what is going on, if need be with a counter of seconds."""

from __future__ import annotations

import math
import time

from textual.timer import Timer
from textual.widgets import Static

from tui.widgets.plain_text import one_line

CANCELS = "(esc to cancel)"


class StateLine(Static):
    """A fixed sentence, or one with seconds counting up or down."""

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

    def count(self, sentence: str, end: str = CANCELS, *, down_from: float = 0.0) -> None:
        """Show the sentence and the seconds since now, or those left, then "now"."""
        self._stop()
        self._end = end
        self._sentence, self._since, self._ends_after = sentence, time.monotonic(), down_from
        self._timer = self.set_interval(1, self._tick)
        self._tick()

    def reword(self, sentence: str) -> None:
        """Change the sentence; the count goes on."""
        self._sentence = sentence
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
