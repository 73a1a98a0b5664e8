"""The derivation bench in an interview: free runs, and one submitted as the answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Protocol

from interviewer.errors import InterviewerError, StoreError
from interviewer.interview import events
from interviewer.interview.commands import Answer, Cancel, Command, Pause, RunBench, SubmitRun
from interviewer.interview.inbox import Inbox, Interrupted
from interviewer.interview.state import QuestionState, SessionState
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.result import CheckOutcome, CheckResult, Tier, Tries


class Bench(Protocol):
    """Runs candidates' sources, confined. No content of a source makes a call raise."""

    allow_functions: bool
    """The candidate agreed to run Python functions under reduced confinement."""

    @property
    def tier(self) -> Tier:
        """How well it is confined; "off" without a worker."""

    @property
    def about(self) -> str:
        """One sentence: what the tier means here, or why there is no bench."""

    async def prepare(self, challenge: Challenge) -> None:
        """Get ready for this challenge: optional, and slow the first time."""

    async def check(self, challenge: Challenge, source: str) -> CheckResult:
        """Run the source and compare it with the challenge; cancelling stops the run."""

    async def aclose(self) -> None:
        """Stop the worker."""


class BenchSession:
    """A bench, if there is one; ``save`` puts a source on disk, so that a run loses nothing."""

    def __init__(
        self,
        bench: Bench | None,
        inbox: Inbox,
        save: Callable[[str], None],
        tries: Tries | None = None,
    ) -> None:
        self._inbox = inbox
        self._save = save
        self._tries = tries
        self.bench = bench
        self._warming: asyncio.Task[None] | None = None

    def warm_up(self, challenge: Challenge | None) -> None:
        """Prepare the bench while the candidate reads the question."""
        if challenge and self.bench and (self._warming is None or self._warming.done()):
            self._warming = asyncio.create_task(self.bench.prepare(challenge))
            self._warming.add_done_callback(_let_go)

    async def obey(
        self, command: RunBench | SubmitRun, challenge: Challenge | None, state: SessionState
    ) -> AsyncIterator[events.Event]:
        """A run, unless it was the last, then the answer if it is submitted.

        Without a challenge the source is plain words.
        """
        source, turn = command.source, state.turns + 1
        submitted = isinstance(command, SubmitRun)
        run = run_of(state.rounds[-1].questions[-1], source) if submitted else None
        if challenge is None or run:
            if submitted:
                yield events.AnswerGiven(turn, source, bench=run)
            return
        yield events.Checking()
        await asyncio.to_thread(self._save, source)
        try:
            result = await self._inbox.unless_interrupted(self._check(challenge, source))
        except Interrupted as signal:
            if event := self._stopped(signal.command, command, turn):
                yield event
            return
        if self._tries:
            with suppress(StoreError):  # the list of challenges lacks this run; the journal has it
                await asyncio.to_thread(self._tries.note, result, datetime.now(UTC))
        yield events.BenchRan(turn, source, result)
        if submitted:
            yield events.AnswerGiven(turn + 1, source, bench=turn)

    def _stopped(
        self, by: Command, running: RunBench | SubmitRun, turn: int
    ) -> events.JournalEvent | None:
        """After a run was stopped. A submission counts as the answer if the question closes."""
        if isinstance(by, Pause):
            return events.Paused()
        if isinstance(by, Cancel):
            return None
        self._inbox.pending_exit = by
        return events.AnswerGiven(turn, running.source) if isinstance(running, SubmitRun) else None

    async def _check(self, challenge: Challenge, source: str) -> CheckResult:
        """The result; a bench that fails counts neither for nor against the candidate."""
        if self.bench is None:
            raise ValueError(f"there is no bench to run {challenge.id} on")
        try:
            return await self.bench.check(challenge, source)
        except InterviewerError as error:
            return CheckResult(challenge.id, "lines", CheckOutcome.UNAVAILABLE, str(error))

    async def aclose(self) -> None:
        if self._warming:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        if self.bench:
            await self.bench.aclose()


def _let_go(warming: asyncio.Task[None]) -> None:
    """Drop the error of a failed preparation: the bench reports it when it is used."""
    if not warming.cancelled():
        warming.exception()


def run_of(question: QuestionState, source: str) -> int | None:
    """The turn of the latest run if it ran exactly this source, else None."""
    latest = question.runs[-1] if question.runs else None
    return latest.number if latest and latest.text == source else None


def last_words(
    question: QuestionState,
    turn: int,
    sent: Sequence[Answer | SubmitRun],
    typed: tuple[str, str],
) -> events.AnswerGiven | None:
    """What counts as the answer when the time is up: the last sent, else what was typed."""
    words, source = typed
    if sent:
        latest = sent[-1]
        words, source = ("", latest.source) if isinstance(latest, SubmitRun) else (latest.text, "")
    run = run_of(question, source) if source.strip() else None
    if run and not words.strip():
        return events.AnswerGiven(turn, source, cut_off=True, bench=run)
    parts = [part for part in (words, "" if run else source) if part.strip()]
    return events.AnswerGiven(turn, "\n\n".join(parts), cut_off=True) if parts else None
