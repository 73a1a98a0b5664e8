"""How fast many calls at once may go: one pace for all of them, learned from what is refused.

An endpoint that limits requests answers some with HTTP 429. If each call waited on its own, the
others would go on to be refused, and many servers count those as well. Here a refusal holds all
calls back, and afterwards they start at a steady rate a little below the one that was refused,
which then grows again: slowly near that rate, ever faster beyond it (the curve of CUBIC, RFC 9438).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import inf
from time import monotonic

from interviewer.errors import ExaminerError

KEPT, CUT, SOON = 0.95, 0.8, 2.0
"""The share of the refused rate that calls go on with; what is left of it after a refusal so many
seconds after a pause, since it was far too high."""
RECOVERY, HASTE = 20.0, 2.0
"""Seconds until the refused rate is reached again; how many times faster it climbs beyond that."""
SLOWEST, SHORTEST_SPAN = 0.05, 0.5
"""Starts a second, below which an endpoint is out of order rather than busy; seconds over which the
first rate is measured at least."""
PATIENCE, LONGEST_SLEEP = 600.0, 1.0
"""Seconds of nothing but refusals after which a call gives up; of sleep in one go: a pace may be
closed meanwhile."""


class Rate:
    """The rate at which calls may start; times are seconds of any clock that only goes forward."""

    def __init__(self) -> None:
        self._started = 0
        self._first_start = self._last_start = -inf
        self._top = inf
        """Starts a second: the rate that was refused last."""
        self._paused_at = -inf
        self._open_from = -inf

    def at(self, now: float) -> float:
        """Starts a second; infinite until something is refused."""
        if self._top == inf:
            return inf
        missing = 1 - max(0.0, now - self._open_from) / RECOVERY
        if missing < 0:
            missing *= HASTE
        return self._top * (1 - (1 - KEPT) * missing**3)

    def next_start(self) -> float:
        """When the next call may start."""
        gap = 1 / self.at(max(self._last_start, self._open_from))
        return max(self._open_from, self._last_start + gap)

    def start(self, now: float) -> None:
        """A call starts."""
        self._first_start = now if self._first_start == -inf else self._first_start
        self._last_start = now
        self._started += 1

    def refused(self, started: float, now: float, wait: float) -> None:
        """A call that began at ``started`` was refused, and all have to wait so many seconds.

        Of several that were under way together only the first one lowers the rate.
        """
        if started > self._paused_at:
            rate = self.at(now)
            if rate == inf:
                rate = self._started / max(now - self._first_start, SHORTEST_SPAN)
            soon = now - self._open_from < SOON
            self._top = max(SLOWEST, rate * (CUT if soon else 1.0))
            self._paused_at = now
        self._open_from = max(self._open_from, now + wait)


class Pace:
    """Lets so many calls be under way ``at_once``, and all of them start at the same rate.

    ``on_pause`` is called with the seconds that all calls wait.
    """

    def __init__(
        self,
        at_once: int,
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.on_pause: Callable[[float], None] | None = None
        self._clock = clock
        self._sleep = sleep
        self._places = asyncio.Semaphore(at_once)
        self._gate = asyncio.Lock()
        self._rate = Rate()
        self._answered = clock()
        self._closed = False

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place among the calls under way."""
        async with self._places:
            yield

    def close(self) -> None:
        """Let no further call start; those under way come to their end."""
        self._closed = True

    async def start(self) -> float:
        """Wait for the turn of this call and return when it began. Raises ExaminerError."""
        async with self._gate:
            while (wait := self._rate.next_start() - self._clock()) > 0 and not self._closed:
                await self._sleep(min(wait, LONGEST_SLEEP))
            if self._closed:
                raise ExaminerError("Stopped before the call was made.", retryable=True)
            now = self._clock()
            self._rate.start(now)
            return now

    def answered(self) -> None:
        """A call was not refused."""
        self._answered = self._clock()

    def refused(self, started: float, wait: float) -> bool:
        """Hold all calls back; False if they have been refused for so long that it is in vain."""
        now = self._clock()
        self._rate.refused(started, now, wait)
        if self.on_pause:
            self.on_pause(wait)
        return now - self._answered < PATIENCE
