"""The candidate's commands on their way in: some wait their turn, some interrupt."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable
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
