"""An interview over streams: words and commands in, events out, while the clock runs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from interviewer.cli.input import (
    FENCE,
    Block,
    Candidate,
    MarkNumber,
    Said,
    Show,
    UnusableError,
    answer,
    bench_command,
)
from interviewer.errors import InterviewerError, StoreError
from interviewer.grading.claims.quantity import Quantity
from interviewer.interview import commands
from interviewer.interview.commands import Answer, Command, Pause, RunBench, SubmitRun, marking
from interviewer.interview.events import (
    AnswerGiven,
    Checking,
    Event,
    Leaving,
    Retrying,
    Thinking,
    TimeUp,
    TurnFailed,
    YourTurn,
)
from interviewer.interview.examining import overview
from interviewer.interview.interview import Interview
from interviewer.sandbox.challenge import Challenge

if TYPE_CHECKING:
    from interviewer.cli.display import Display

_NEEDS_THE_EXAMINER = (
    *(Answer, RunBench, SubmitRun, commands.DontKnow, commands.AskHint, commands.Rephrase),
    *(commands.SaidThat, commands.MarkFigure),
)
"""These do nothing until the failed step is dealt with."""
_CANNOT_WAIT = (commands.Cancel, commands.Skip, commands.EndRound, commands.EndInterview, Pause)


class TextConversation:
    """Runs one interview to its end or to a pause.

    Input is read all the time, so that it never holds up the clock. Lines sent ahead wait for the
    candidate's turn; what is said while the examiner thinks, to cancel, pause or leave, does not.
    """

    def __init__(self, interview: Interview, candidate: Candidate, display: Display) -> None:
        self._interview = interview
        self._candidate = candidate
        self._display = display
        self._unsaved = ""
        """The answer that was sent and is not on disk yet."""
        self._begun = asyncio.Event()
        self._may_speak = asyncio.Event()
        self._thinking = False
        self._hint_left = False
        self._said: asyncio.Queue[Said | Exception] = asyncio.Queue()
        self.gave_up = False
        """A step failed and the candidate, a script, had no remedy."""

    async def hold(self) -> None:
        """Hold the interview; raises StoreError if a write fails."""
        showing = asyncio.create_task(self._show_events())
        listening = asyncio.create_task(self._listen())
        try:
            await asyncio.wait({showing, listening}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                listening.result()
            await showing
        finally:
            for task in (showing, listening):
                task.cancel()
            await asyncio.gather(showing, listening, return_exceptions=True)
            await self._interview.aclose()

    def interrupt(self) -> None:
        """Pause as soon as possible, whatever is going on."""
        self._interview.send(Pause())

    async def _show_events(self) -> None:
        self._interview.on_notice = self._show_event
        try:
            async for event in self._interview:
                self._show_event(event)
                self._begun.set()
        except StoreError:
            if self._unsaved:
                self._display.refuse(f"This answer is not saved:\n{self._unsaved}")
            raise

    def _show_event(self, event: Event) -> None:
        self._note(event)
        self._display.show(event)

    def _note(self, event: Event) -> None:
        if not isinstance(event, Retrying | Leaving):  # else what went before goes on
            self._thinking = isinstance(event, Thinking | Checking)
        match event:
            case YourTurn():
                self._hint_left = event.hint_price is not None
                self._may_speak.set()
            case TurnFailed():
                self._may_speak.set()
            case TimeUp():
                self._may_speak.clear()
            case AnswerGiven():
                self._unsaved = ""
                if event.cut_off:
                    self._candidate.clock_took(event.text)

    async def _listen(self) -> None:
        await self._begun.wait()
        reading = asyncio.create_task(self._read())
        try:
            await self._obey()
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _read(self) -> None:
        """Queue what is said; what cannot wait while the examiner thinks is passed on at once."""
        live = self._candidate.sees_events  # else all of it was said before anything was asked
        while True:
            said: Said | Exception | None
            try:
                said = await self._candidate.next_command()
            except Exception as error:  # noqa: BLE001, told or raised where it is taken out
                said = error
            if live and self._thinking and isinstance(said, _CANNOT_WAIT):
                self._interview.send(said)
            else:
                self._said.put_nowait(said or Pause())
            if not said or (isinstance(said, Exception) and not isinstance(said, InterviewerError)):
                return

    async def _obey(self) -> None:
        command: Said | Exception | None = None
        while not isinstance(command, Pause):
            try:
                command = await self._said.get()
                if isinstance(command, Exception):
                    raise command
                await self._pass_on(command)
            except InterviewerError as unusable:
                self._display.refuse(str(unusable))
                if self._interview.state.failure and not self._candidate.sees_events:
                    self.gave_up = True
                    command = Pause()
                    self._interview.send(command)

    async def _pass_on(self, said: Said) -> None:
        if isinstance(said, commands.Cancel):
            raise UnusableError(
                "The examiner is not thinking right now, so there is nothing to cancel."
            )
        await self._may_speak.wait()
        if isinstance(said, Show):
            self._show(said)
            return
        command = self._command(said)
        self._refuse_unavailable(command)
        if isinstance(command, RunBench | SubmitRun):
            command = self._with_source(command)
        self._may_speak.clear()
        self._unsaved = command.text if isinstance(command, Answer) else ""
        self._interview.send(command)

    def _command(self, said: Command | MarkNumber | Block) -> Command:
        """The command that was said or is made of it."""
        if isinstance(said, MarkNumber):
            return marking(self._numbers(), said.number, said.typed)
        if isinstance(said, Block):
            at_bench = self._interview.challenge is not None
            return bench_command("run", said.source) if at_bench else answer(said.typed)
        return said

    def _show(self, wanted: Show) -> None:
        if wanted.what == "task":
            self._display.show_task(self._challenge())
        else:
            self._display.show_numbers(self._numbers())

    def _numbers(self) -> tuple[Quantity, ...]:
        known = overview(self._interview.state, self._interview.rubrics)
        return known.numbers if known else ()

    def _challenge(self) -> Challenge:
        challenge = self._interview.challenge
        if challenge is None:
            raise UnusableError("This question has no task for the bench; answer in words.")
        return challenge

    def _with_source(self, command: RunBench | SubmitRun) -> Command:
        """The command with a source: by default the lines last typed at the bench."""
        self._challenge()
        source = command.source or self._interview.drafts()["bench"]
        if not source.strip():
            raise UnusableError(
                f"Nothing has been typed at the bench; put the lines between two lines of {FENCE}."
            )
        return replace(command, source=source)

    def _refuse_unavailable(self, command: Command) -> None:
        """Raise UnusableError for a command that does not apply now."""
        match command:
            case _ if self._interview.state.failure and isinstance(command, _NEEDS_THE_EXAMINER):
                raise UnusableError("The last step failed; retry it, go offline, or pause.")
            case commands.Retry() | commands.GoOffline() if not self._interview.state.failure:
                raise UnusableError("Nothing has failed, so there is nothing to retry or replace.")
            case commands.AskHint() if not self._hint_left:
                raise UnusableError("There are no hints left for this question.")
