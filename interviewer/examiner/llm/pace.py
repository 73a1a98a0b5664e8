"""How fast many calls at once may go: one pace for all of them, learned from what is refused.

An endpoint that limits requests answers some with HTTP 429. If each call waited on its own, the
others would go on to be refused, and many servers count those as well. Here a refusal holds all
calls back, and afterwards they start with a gap that each answer makes a little smaller.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from math import inf
from time import monotonic

from interviewer.errors import ExaminerError

WIDER, NARROWER = 1.05, 0.9993
"""What becomes of the gap between two starts at a refusal, and at an answer."""
LONGEST_GAP = 20.0
"""Seconds: beyond this an endpoint is out of order rather than busy."""
PATIENCE, LONGEST_SLEEP = 600.0, 1.0
"""Seconds of nothing but refusals after which a call gives up; of sleep in one go: a pace may be
closed meanwhile."""


class Pace:
    """Lets so many calls be under way ``at_once``, and all of them start with the same gap.

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
        self._clock, self._sleep = clock, sleep
        self._places, self._gate = asyncio.Semaphore(at_once), asyncio.Lock()
        self._began = self._answered = clock()
        self._started, self._gap, self._last = 0, 0.0, -inf
        self._open_from = self._paused_at = -inf
        self._closed = False

    def place(self) -> asyncio.Semaphore:
        """A place among the calls under way, to be held with ``async with``."""
        return self._places

    def close(self) -> None:
        """Let no further call start; those under way come to their end."""
        self._closed = True

    async def start(self) -> float:
        """Wait for the turn of this call and return when it began. Raises ExaminerError."""
        async with self._gate:
            while (wait := self._next_start() - self._clock()) > 0 and not self._closed:
                await self._sleep(min(wait, LONGEST_SLEEP))
            if self._closed:
                raise ExaminerError("Stopped before the call was made.", retryable=True)
            self._last = self._clock()
            self._started += 1
            return self._last

    def _next_start(self) -> float:
        return max(self._open_from, self._last + self._gap)

    def answered(self) -> None:
        """A call was not refused."""
        self._answered = self._clock()
        self._gap *= NARROWER

    def refused(self, started: float, wait: float) -> bool:
        """Hold all calls back; False if they have been refused for so long that it is in vain.

        Of several that were under way together only the first one widens the gap.
        """
        now = self._clock()
        if started > self._paused_at:
            so_far = max(self._gap, (now - self._began) / self._started)
            self._gap = min(LONGEST_GAP, WIDER * so_far)
            self._paused_at = now
        self._open_from = max(self._open_from, now + wait)
        if self.on_pause:
            self.on_pause(wait)
        return now - self._answered < PATIENCE
