"""What reaches a running interview from outside: commands, the clock, notices of retries."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from interviewer.interview.commands import (
    Answer,
    Cancel,
    Command,
    EndInterview,
    EndRound,
    HandIn,
    Pause,
    RunBench,
    Skip,
)

T = TypeVar("T")

_URGENT = (Pause, Cancel, Skip, EndRound, EndInterview)


class Interrupted(Exception):
    """The candidate's command came first; the examiner's work was dropped."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.command = command


class Inbox:
    """A queue of commands. What does not interrupt the examiner waits until it is asked for.

    ``wish`` is a command to leave the question that came while an answer was being judged or a run
    was on: it is carried out once the judgement is there, or the run is stopped.
    """

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Command] = asyncio.Queue()
        self._waiting: deque[Command] = deque()
        self.wish: Command | None = None

    def put(self, command: Command) -> None:
        """Take a command in; never blocks."""
        self._queue.put_nowait(command)

    def take_wish(self) -> Command | None:
        """The wish, which is then forgotten."""
        wish, self.wish = self.wish, None
        return wish

    def take_answers(self) -> list[Answer | HandIn]:
        """All answers that wait, oldest first; they no longer wait, nor do runs of the bench."""
        while not self._queue.empty():
            self._waiting.append(self._queue.get_nowait())
        answers = [command for command in self._waiting if isinstance(command, Answer | HandIn)]
        of_the_question = Answer | HandIn | RunBench
        self._waiting = deque(c for c in self._waiting if not isinstance(c, of_the_question))
        return answers

    async def next(self, timeout: float | None = None) -> Command | None:  # noqa: ASYNC109
        """The oldest command; None when none came within ``timeout`` seconds."""
        if self._waiting:
            return self._waiting.popleft()
        try:
            return await asyncio.wait_for(self._queue.get(), timeout)
        except TimeoutError:
            return None

    async def unless_interrupted(self, work: Awaitable[T], *, finish: bool = False) -> T:
        """The result of the work; raises Interrupted when an urgent command comes first.

        With ``finish``, a command to leave becomes the wish and the work goes on: an answer that
        was given is judged before its question closes. Pause and cancel interrupt always.
        """
        task = asyncio.ensure_future(work)
        try:
            while (command := await self._urgent(task)) is not None:
                if isinstance(command, Pause | Cancel) or not finish:
                    raise Interrupted(command)
                self.wish = command
            return await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _urgent(self, task: asyncio.Future[T]) -> Command | None:
        """The next command that cannot wait, or None when the task is done first."""
        while not task.done():
            listening = asyncio.ensure_future(self._queue.get())
            both: set[asyncio.Future[Any]] = {task, listening}
            try:
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not listening.done():
                    listening.cancel()
            if not listening.done() or listening.cancelled():
                return None
            command = listening.result()
            if isinstance(command, _URGENT) and not task.done():
                return command
            self._waiting.append(command)
        return None


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


N = TypeVar("N")


async def with_notices(events: AsyncIterator[T], notices: asyncio.Queue[N]) -> AsyncIterator[T | N]:
    """The events in order, and each notice as soon as it comes; ends with the events.

    The next event is asked for only when the one before was taken, as without notices.
    """
    while True:
        step = asyncio.ensure_future(anext(events, None))
        try:
            async for notice in _until(step, notices):
                yield notice
            event = await step
        finally:
            step.cancel()
            await asyncio.gather(step, return_exceptions=True)
        if event is None:
            return
        yield event


async def _until(step: asyncio.Future[Any], notices: asyncio.Queue[N]) -> AsyncIterator[N]:
    """The notices that come before the step is done."""
    while not step.done():
        listening = asyncio.ensure_future(notices.get())
        both: set[asyncio.Future[Any]] = {step, listening}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            heard = listening.done() and not listening.cancelled()
            listening.cancel()
        if heard:
            yield listening.result()
