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
from interviewer.interview import commands, events
from interviewer.interview.commands import Answer, Command, Pause, RunBench, SubmitRun, marking
from interviewer.interview.examining import overview, unread_answers
from interviewer.interview.interview import Interview
from interviewer.sandbox.challenge import Challenge

if TYPE_CHECKING:
    from interviewer.cli.display import Display

_NEEDS_THE_EXAMINER = (
    *(Answer, RunBench, SubmitRun, commands.DontKnow, commands.AskHint, commands.Rephrase),
    *(commands.SaidThat, commands.MarkFigure, commands.ReadFigures),
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
        try:
            async for event in self._interview:
                self._note(event)
                self._display.show(event)
                self._begun.set()
        except StoreError:
            if self._unsaved:
                self._display.refuse(f"This answer is not saved:\n{self._unsaved}")
            raise

    def _note(self, event: events.Event) -> None:
        if not isinstance(event, events.Retrying | events.Leaving):  # else what went before goes on
            self._thinking = isinstance(event, events.Thinking | events.Checking)
        match event:
            case events.YourTurn():
                self._hint_left = event.hint_price is not None
                self._may_speak.set()
            case events.TurnFailed():
                self._may_speak.set()
            case events.TimeUp():
                self._may_speak.clear()
            case events.AnswerGiven():
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
        if (command := self._command(said)) is None:
            return
        self._refuse_unavailable(command)
        self._may_speak.clear()
        self._unsaved = command.text if isinstance(command, Answer) else ""
        self._interview.send(command)

    def _command(self, said: Said) -> Command | None:
        """The command that was said or is made of it; None for what only had to be shown."""
        match said:
            case Show(what="task"):
                self._display.show_task(self._challenge())
                return None
            case Show():
                self._display.show_numbers(self._numbers())
                return None
            case MarkNumber():
                return marking(self._numbers(), said.number, said.typed)
            case Block() if self._interview.challenge is None:
                return answer(said.typed)
            case Block():
                return bench_command("run", said.source)
            case RunBench() | SubmitRun():
                self._challenge()
                source = said.source or self._interview.drafts()["bench"]
                if not source.strip():
                    raise UnusableError(
                        "Nothing has been typed at the bench; put the lines between two lines of "
                        f"{FENCE}."
                    )
                return replace(said, source=source)
        return said

    def _numbers(self) -> tuple[Quantity, ...]:
        known = overview(self._interview.state, self._interview.rubrics)
        return known.numbers if known else ()

    def _challenge(self) -> Challenge:
        challenge = self._interview.challenge
        if challenge is None:
            raise UnusableError("This question has no task for the bench; answer in words.")
        return challenge

    def _refuse_unavailable(self, command: Command) -> None:
        """Raise UnusableError for a command that does not apply now."""
        state = self._interview.state
        if state.failure and isinstance(command, _NEEDS_THE_EXAMINER):
            raise UnusableError("The last step failed; retry it, go offline, or pause.")
        match command:
            case commands.ReadFigures() if not any(unread_answers(state, self._interview.rubrics)):
                raise UnusableError("The numbers of every answer are read.")
            case commands.Retry() | commands.GoOffline() if not state.failure:
                raise UnusableError("Nothing has failed, so there is nothing to retry or replace.")
            case commands.AskHint() if not self._hint_left:
                raise UnusableError("There are no hints left for this question.")
