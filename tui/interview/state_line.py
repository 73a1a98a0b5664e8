"""One line that says who has the floor, and never anything else than what is so."""

from __future__ import annotations

import time

from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.widgets.plain_text import one_line


class StateLine(Static):
    """A standing sentence, or one with seconds that count up."""

    def __init__(self) -> None:
        super().__init__(id="state")
        self._sentence = ""
        self._since = 0.0
        self._timer: Timer | None = None

    def say(self, sentence: str) -> None:
        self._stop()
        self.update(one_line(sentence), layout=False)

    def count(self, sentence: str) -> None:
        """The sentence with the seconds since now, until something else is said."""
        self._stop()
        self._sentence, self._since = sentence, time.monotonic()
        self._timer = self.set_interval(1, self._tick)
        self._tick()

    def _tick(self) -> None:
        seconds = int(time.monotonic() - self._since)
        self.update(Content(f"{self._sentence} {seconds} s (esc cancels)"), layout=False)

    def _stop(self) -> None:
        if self._timer:
            self._timer.stop()
            self._timer = None
