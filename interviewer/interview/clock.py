"""The round's clock. It runs only while the candidate may speak: a slow examiner costs nothing."""

from __future__ import annotations

import time
from collections.abc import Callable

WARN_AT_MINUTES = (5, 1)


class RoundClock:
    """Counts seconds between ``start`` and ``stop``; ``now`` is a monotonic clock in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._counted = 0.0
        self._since: float | None = None

    def set(self, elapsed: float) -> None:
        """Stand still at this many seconds (a new or resumed round)."""
        self._counted = elapsed
        self._since = None

    def start(self) -> None:
        """Run on; no effect while running."""
        if self._since is None:
            self._since = self._now()

    def stop(self) -> None:
        """Stand still; no effect while standing."""
        self._counted = self.elapsed
        self._since = None

    @property
    def elapsed(self) -> float:
        """Seconds used of the round."""
        running = 0.0 if self._since is None else self._now() - self._since
        return self._counted + running


def due_warning(elapsed: float, seconds: int, given: frozenset[int]) -> int | None:
    """The warning (minutes left) to give now, None if none is due.

    Of several that are due only the most urgent is given; a round that is no longer than a
    warning's minutes does not get that warning.
    """
    left = seconds - elapsed
    due = [m for m in WARN_AT_MINUTES if left <= m * 60 < seconds]
    most_urgent = min(due, default=None)
    return most_urgent if most_urgent is not None and most_urgent not in given else None


def seconds_to_next_mark(elapsed: float, seconds: int) -> float:
    """Seconds until the clock next has something to say; 0 when the time is up."""
    left = seconds - elapsed
    marks = [m * 60 for m in WARN_AT_MINUTES if m * 60 < left and m * 60 < seconds]
    return max(0.0, left - max(marks, default=0))
