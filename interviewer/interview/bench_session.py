"""The derivation bench as an interview uses it: tries that cost nothing, and one handed in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Protocol

from interviewer.errors import InterviewerError
from interviewer.interview import events
from interviewer.interview.commands import Answer, Cancel, Command, HandIn, Pause, RunBench
from interviewer.interview.inbox import Inbox, Interrupted
from interviewer.interview.state import QuestionState, SessionState
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenges.challenge import Challenge
from interviewer.sandbox.result import CheckResult, Outcome, Tier


class Bench(Protocol):
    """Executes sources, confined. Neither call raises for anything that stands in a source."""

    allow_functions: bool
    """The candidate agreed to have functions run where the confinement is reduced."""

    @property
    def tier(self) -> Tier:
        """How well it is confined; "off" before there is a worker, and where there is none."""

    @property
    def about(self) -> str:
        """One sentence: what the tier means here, or why there is no bench."""

    async def prepare(self, challenge: Challenge) -> None:
        """Get ready for this challenge; slow the first time, and never needed."""

    async def check(self, challenge: Challenge, source: str) -> CheckResult:
        """Execute the source and hold it against the challenge; a cancel stops it."""

    async def aclose(self) -> None:
        """Release what it holds."""


class Desk:
    """A bench with the challenges of one interview. Without a bench there are none.

    ``save`` puts a source on disk, so that nothing is lost where a run is left.
    """

    def __init__(
        self,
        bench: Bench | None,
        challenges: Mapping[str, Challenge],
        inbox: Inbox,
        save: Callable[[str], None],
    ) -> None:
        self._inbox = inbox
        self._save = save
        self.bench = bench
        self.challenges = challenges if bench else {}
        self._warming: asyncio.Task[None] | None = None

    def challenge_of(self, rubric: Rubric) -> Challenge | None:
        """What can be worked on at the bench for this question."""
        return self.challenges.get(rubric.challenge) if rubric.challenge else None

    def warm_up(self, challenge: Challenge | None) -> None:
        """Prepare the bench while the candidate reads the question."""
        if challenge and self.bench and (self._warming is None or self._warming.done()):
            self._warming = asyncio.create_task(self.bench.prepare(challenge))
            self._warming.add_done_callback(_let_go)

    async def obey(
        self, command: RunBench | HandIn, challenge: Challenge | None, state: SessionState
    ) -> AsyncIterator[events.Event]:
        """A run, and the answer where it is handed in; without a challenge it is plain words.

        A source is not run again where the latest run was of it. The clock stands meanwhile.
        """
        source, turn = command.source, state.turns + 1
        handed_in = isinstance(command, HandIn)
        run = run_of(state.rounds[-1].questions[-1], source) if handed_in else None
        if challenge is None or run:
            if handed_in:
                yield events.AnswerGiven(turn, source, bench=run)
            return
        yield events.Checking()
        await asyncio.to_thread(self._save, source)
        try:
            result = await self._inbox.unless_interrupted(self._check(challenge, source))
        except Interrupted as signal:
            if left := self._left(signal.command, command, turn):
                yield left
            return
        yield events.BenchRan(turn, source, result)
        if handed_in:
            yield events.AnswerGiven(turn + 1, source, bench=turn)

    def _left(
        self, wish: Command, running: RunBench | HandIn, turn: int
    ) -> events.JournalEvent | None:
        """After a run was stopped. What was handed in counts as said where the question closes."""
        if isinstance(wish, Pause):
            return events.Paused()
        if isinstance(wish, Cancel):
            return None
        self._inbox.wish = wish
        return events.AnswerGiven(turn, running.source) if isinstance(running, HandIn) else None

    async def _check(self, challenge: Challenge, source: str) -> CheckResult:
        """What came of the source; a bench that fails counts for and against nobody."""
        if self.bench is None:
            raise ValueError(f"there is no bench to try {challenge.id} at")
        try:
            return await self.bench.check(challenge, source)
        except InterviewerError as error:
            return CheckResult(challenge.id, "lines", Outcome.UNAVAILABLE, str(error))

    async def aclose(self) -> None:
        """Stop preparing and close the bench."""
        if self._warming:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        if self.bench:
            await self.bench.aclose()


def _let_go(warming: asyncio.Task[None]) -> None:
    """A bench that could not be prepared says so when it is used; here nobody waits for it."""
    if not warming.cancelled():
        warming.exception()


def run_of(question: QuestionState, source: str) -> int | None:
    """The turn of the latest run if it was of this very source, else None."""
    latest = question.runs[-1] if question.runs else None
    return latest.number if latest and latest.text == source else None


def last_words(
    question: QuestionState,
    turn: int,
    sent: Sequence[Answer | HandIn],
    typed: tuple[str, str],
) -> events.AnswerGiven | None:
    """What counts as said when the time is up, None where that is nothing.

    ``sent`` are the answers that came too late to be taken, the latest of which counts; without one
    it is what was ``typed``, in words and at the bench.
    """
    words, source = typed
    if sent:
        latest = sent[-1]
        words, source = ("", latest.source) if isinstance(latest, HandIn) else (latest.text, "")
    run = run_of(question, source) if source.strip() else None
    if run and not words.strip():
        return events.AnswerGiven(turn, source, cut_off=True, bench=run)
    parts = [part for part in (words, "" if run else source) if part.strip()]
    return events.AnswerGiven(turn, "\n\n".join(parts), cut_off=True) if parts else None
