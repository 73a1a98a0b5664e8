"""What reaches a running interview from outside: commands and the clock."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from interviewer.interview.commands import (
    Answer,
    Cancel,
    Command,
    EndInterview,
    EndRound,
    Pause,
    RunBench,
    Skip,
    SubmitRun,
)

T = TypeVar("T")

_URGENT = (Pause, Cancel, Skip, EndRound, EndInterview)


class Interrupted(Exception):
    """A command of the candidate's came first; the work under way was dropped."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.command = command


class Inbox:
    """A queue of commands. Those that do not interrupt the examiner wait until asked for."""

    def __init__(self, on_wait: Callable[[], None]) -> None:
        self.stalled = False
        """The work has failed and waits before it tries again."""
        self.pending_exit: Command | None = None
        """A command to leave the question that waits for a judgement or a run."""
        self._on_wait = on_wait
        self._queue: asyncio.Queue[Command] = asyncio.Queue()
        self._waiting: deque[Command] = deque()

    def put(self, command: Command) -> None:
        """Add a command; never blocks."""
        self._queue.put_nowait(command)

    def stall(self) -> None:
        """The work under way waits before it tries again; a pending exit waits no longer."""
        self.stalled = True
        if leaving := self.take_pending_exit():
            self.put(leaving)

    def take_pending_exit(self) -> Command | None:
        leaving, self.pending_exit = self.pending_exit, None
        return leaving

    def take_answers(self) -> list[Answer | SubmitRun]:
        """Remove and return all waiting answers, oldest first; waiting runs are dropped too."""
        while not self._queue.empty():
            self._waiting.append(self._queue.get_nowait())
        answers = [command for command in self._waiting if isinstance(command, Answer | SubmitRun)]
        of_the_question = Answer | SubmitRun | RunBench
        self._waiting = deque(c for c in self._waiting if not isinstance(c, of_the_question))
        return answers

    async def next(self, timeout: float | None = None) -> Command | None:  # noqa: ASYNC109
        """The oldest command; None if none comes within ``timeout`` seconds."""
        if self._waiting:
            return self._waiting.popleft()
        try:
            return await asyncio.wait_for(self._queue.get(), timeout)
        except TimeoutError:
            return None

    async def unless_interrupted(self, work: Awaitable[T], *, finish: bool = False) -> T:
        """The result of the work; raises Interrupted if an urgent command comes first.

        With ``finish``, a command to leave becomes the pending exit and the work goes on: a given
        answer is judged before its question closes. Pause and cancel always interrupt, and so does
        any once the work is stalled, and the second one: a server may say nothing for minutes.
        """
        self.stalled = False
        task = asyncio.ensure_future(work)
        try:
            while (command := await self._urgent(task)) is not None:
                is_second = self.take_pending_exit() is not None
                may_wait = finish and not (is_second or self.stalled)
                if isinstance(command, Pause | Cancel) or not may_wait:
                    raise Interrupted(command)
                self.pending_exit = command
                self._on_wait()
            self.stalled = False  # the work is done
            return await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _urgent(self, task: asyncio.Future[T]) -> Command | None:
        """The next command that cannot wait, or None if the task is done first."""
        while not task.done():
            arrival = asyncio.ensure_future(self._queue.get())
            try:
                await asyncio.wait((task, arrival), return_when=asyncio.FIRST_COMPLETED)
            finally:
                arrived = arrival.done() and not arrival.cancelled()
                arrival.cancel()
            if not arrived:
                continue
            if isinstance(command := arrival.result(), _URGENT) and not task.done():
                return command
            self._waiting.append(command)
        return None


WARN_AT_MINUTES = (5, 1)


class RoundClock:
    """A stopwatch; ``now`` is a monotonic clock in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._counted = 0.0
        self._since: float | None = None

    def set(self, elapsed: float) -> None:
        """Stop at this many seconds (a new or resumed round)."""
        self._counted = elapsed
        self._since = None

    def start(self) -> None:
        """Start counting; no effect while running."""
        if self._since is None:
            self._since = self._now()

    def stop(self) -> None:
        self._counted = self.elapsed
        self._since = None

    @property
    def elapsed(self) -> float:
        running = 0.0 if self._since is None else self._now() - self._since
        return self._counted + running


def due_warning(elapsed: float, seconds: int, given: frozenset[int]) -> int | None:
    """The minutes left of the most urgent warning due now; none as long as the round itself."""
    left = seconds - elapsed
    due = [m for m in WARN_AT_MINUTES if left <= m * 60 < seconds]
    most_urgent = min(due, default=None)
    return most_urgent if most_urgent is not None and most_urgent not in given else None


def seconds_to_next_mark(elapsed: float, seconds: int) -> float:
    """Seconds until the next warning or the end; 0 when the time is up."""
    left = seconds - elapsed
    marks = [m * 60 for m in WARN_AT_MINUTES if m * 60 < left and m * 60 < seconds]
    return max(0.0, left - max(marks, default=0))
