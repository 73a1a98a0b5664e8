"""An interview with somebody at a stream: events go out, commands come in, the clock runs on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Protocol

from interviewer.cli.candidate import FENCE, Candidate
from interviewer.cli.commands import Block, Said, ShowTask, UnusableError, answer, bench_command
from interviewer.interview.commands import (
    Answer,
    AskHint,
    Cancel,
    Command,
    DontKnow,
    GoOffline,
    HandIn,
    Pause,
    Retry,
    RunBench,
)
from interviewer.interview.events import (
    AnswerGiven,
    Checking,
    Delta,
    Event,
    Thinking,
    TimeUp,
    TurnFailed,
    YourTurn,
)
from interviewer.interview.interview import Interview
from interviewer.sandbox.challenges.challenge import Challenge


class Display(Protocol):
    """What the candidate reads."""

    def show(self, event: Event) -> None:
        """Tell of an event."""

    def show_task(self, challenge: Challenge) -> None:
        """Tell the task of a challenge."""

    def refuse(self, why: str) -> None:
        """Say in one sentence why something put in has no effect."""


class Conversation:
    """Runs one interview to its end or to a pause.

    Input is read all the time, so that the clock and "cancel" are never held up by it, but a
    command takes effect only when it is the candidate's turn: lines sent ahead wait for theirs.
    """

    def __init__(self, interview: Interview, candidate: Candidate, display: Display) -> None:
        self._interview = interview
        self._candidate = candidate
        self._display = display
        self._begun = asyncio.Event()
        self._may_speak = asyncio.Event()
        self._thinking = False
        self._hint_left = False
        self.gave_up = False
        """A step failed and the candidate, a script, had no remedy for it."""

    async def hold(self) -> None:
        """Iterate over the interview; raises StoreError where a write failed."""
        telling = asyncio.create_task(self._tell())
        listening = asyncio.create_task(self._listen())
        try:
            await asyncio.wait({telling, listening}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                listening.result()
            await telling
        finally:
            for task in (telling, listening):
                task.cancel()
            await asyncio.gather(telling, listening, return_exceptions=True)
            await self._interview.aclose()

    def interrupt(self) -> None:
        """Pause as soon as may be, whatever is going on."""
        self._interview.send(Pause())

    async def _tell(self) -> None:
        async for event in self._interview:
            self._note(event)
            self._display.show(event)
            self._begun.set()

    def _note(self, event: Event) -> None:
        self._thinking = isinstance(event, Thinking | Delta | Checking)
        match event:
            case YourTurn():
                self._hint_left = event.hint_price is not None
                self._may_speak.set()
            case TurnFailed():
                self._may_speak.set()
            case TimeUp():
                self._may_speak.clear()
            case AnswerGiven(cut_off=True):
                self._candidate.clock_took(event.text)

    async def _listen(self) -> None:
        await self._begun.wait()
        command: Said | None = None
        while not isinstance(command, Pause):
            try:
                command = await self._candidate.next_command() or Pause()
                await self._pass_on(command)
            except UnusableError as unusable:
                self._display.refuse(str(unusable))
                if self._interview.state.failure and not self._candidate.sees_events:
                    self.gave_up = True
                    command = Pause()
                    self._interview.send(command)

    async def _pass_on(self, said: Said) -> None:
        if isinstance(said, Cancel):
            if not self._thinking:
                raise UnusableError("The examiner is not at work; there is nothing to cancel.")
            self._interview.send(said)
            return
        await self._may_speak.wait()
        if isinstance(said, ShowTask):
            self._display.show_task(self._challenge())
            return
        command = self._of_block(said) if isinstance(said, Block) else said
        self._refuse_unavailable(command)
        if isinstance(command, RunBench | HandIn):
            command = self._with_source(command)
        self._may_speak.clear()
        self._interview.send(command)

    def _challenge(self) -> Challenge:
        challenge = self._interview.challenge
        if challenge is None:
            raise UnusableError("This question has no task for the bench; answer in words.")
        return challenge

    def _of_block(self, block: Block) -> Command:
        if self._interview.challenge is None:
            return answer(block.typed)
        return bench_command("run", block.source)

    def _with_source(self, command: RunBench | HandIn) -> Command:
        """The command with a source: the lines last typed at the bench where it brings none."""
        self._challenge()
        source = command.source or self._interview.bench_draft()
        if not source.strip():
            raise UnusableError(
                f"Nothing has been typed at the bench; put the lines between two lines of {FENCE}."
            )
        return replace(command, source=source)

    def _refuse_unavailable(self, command: Command) -> None:
        """Raise UnusableError for what cannot be carried out at this point."""
        match command:
            case Answer() | DontKnow() | AskHint() | RunBench() | HandIn() if (
                self._interview.state.failure
            ):
                raise UnusableError("The examiner's step failed; say retry, offline or pause.")
            case Retry() | GoOffline() if not self._interview.state.failure:
                raise UnusableError("Nothing has failed, so there is nothing to retry or replace.")
            case AskHint() if not self._hint_left:
                raise UnusableError("No hint is left for this question.")
