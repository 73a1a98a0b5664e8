"""The bench: takes a challenge and a source, returns a result. No source can make it raise."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from interviewer.errors import ChallengeError, SandboxError
from interviewer.sandbox import comparison, jobs
from interviewer.sandbox.challenge import Challenge, is_shipped
from interviewer.sandbox.checker import check_function, check_lines, with_problem
from interviewer.sandbox.children import Ended
from interviewer.sandbox.client import Worker, WorkerReply
from interviewer.sandbox.comparison import Expected
from interviewer.sandbox.language import Derivation, read
from interviewer.sandbox.result import (
    CheckOutcome,
    CheckResult,
    LineResult,
    LineStatus,
    Mode,
    Tier,
)
from interviewer.sandbox.tiers import (
    TierReport,
    find_tier,
    may_call_functions,
    may_run_foreign_code,
)

SECONDS_FOR_LINES = 5.0
SECONDS_FOR_A_FUNCTION = 10.0
SECONDS_FOR_A_REFERENCE = 30.0
_SALT_BITS = 40
NO_TORCH = (
    "No derivation can be run here because torch is not installed; 'interviewer sandbox install' "
    "installs it, or with '--python PATH' uses an interpreter that has it."
)
NOT_STARTED = "The bench starts with the first task you work on."


class Bench:
    """Checks derivations and functions in one worker, started by the first challenge.

    Without ``python``, an interpreter with torch, every check says so. Every run has draws of its
    own, unless a ``salt`` fixes them. ``allow_functions`` is the consent to run functions where the
    tier requires it. A bench belongs to the event loop it is first used in.
    """

    def __init__(self, python: Path | None, *, salt: int | None = None) -> None:
        self._python = python
        self._salt = salt
        self._opening = asyncio.Lock()
        self._report: TierReport | None = None
        self._worker: Worker | None = None
        self.allow_functions = False

    @property
    def tier(self) -> Tier:
        """The confinement that holds; "off" before the worker starts and where there is none."""
        return self._report.tier if self._report else "off"

    @property
    def about(self) -> str:
        """One sentence: what the tier means here, or why there is no bench."""
        if self._report:
            return self._report.about
        return NOT_STARTED if self._python else NO_TORCH

    async def prepare(self, challenge: Challenge) -> None:
        """Start the worker before it is needed. Errors show in the first check, in words."""
        with contextlib.suppress(SandboxError):
            await self._open()

    async def check(
        self,
        challenge: Challenge,
        source: str,
        *,
        free: bool = False,
        known: Expected | None = None,
    ) -> CheckResult:
        """Run the source and compare it with the challenge. No source makes it raise.

        ``free`` lets it use what the challenge forbids. Every run has draws of its own, unless
        ``known`` says on which it is to be repeated.
        """
        began = perf_counter()
        mode: Mode = "function" if jobs.is_function(source) else "lines"
        run = self._check_function if mode == "function" else self._check_lines
        try:
            result = await run(challenge, source, known, free=free)
        except SandboxError as error:
            result = CheckResult(challenge.id, mode, CheckOutcome.UNAVAILABLE, str(error))
        return replace(
            result,
            estimation=challenge.kind == "estimation",
            tier=self.tier,
            milliseconds=round((perf_counter() - began) * 1000, 2),
        )

    async def aclose(self) -> None:
        """End the worker."""
        if self._worker is not None:
            await self._worker.aclose()

    async def run(self, body: bytes, seconds: float, *, referee: bytes = b"") -> WorkerReply:
        """Run a job, and a second beside it if given. Raises SandboxError without a worker."""
        worker = await self._open()
        return await worker.run(body, seconds=seconds, referee=referee)

    async def _open(self) -> Worker:
        async with self._opening:
            if self._python is not None and self._report is None:
                self._report, self._worker = await find_tier(self._python)
        if self._worker is None:
            raise SandboxError(self.about)
        return self._worker

    # -- the challenge's own numbers

    async def expected(self, challenge: Challenge) -> Expected:
        """The challenge's own numbers on fresh draws. Raises SandboxError."""
        await self._open()
        if not may_run_foreign_code(self.tier) and not await asyncio.to_thread(
            is_shipped, challenge
        ):
            raise SandboxError(
                f"{challenge.id} is not one of the shipped challenges, and its code is not run "
                "unconfined; `interviewer doctor` shows what is missing here."
            )
        salt = secrets.randbits(_SALT_BITS) if self._salt is None else self._salt
        try:
            return await self._reference(challenge, await self._draws(challenge, salt))
        except (jobs.SourceError, ValueError) as error:
            raise ChallengeError(f"The challenge {challenge.id} cannot be read: {error}") from error

    async def _draws(self, challenge: Challenge, salt: int) -> tuple[jobs.Draw, ...]:
        """The usual draws, and as many extra ones as it takes to visit every condition."""
        usual = jobs.draws_of(challenge, salt)
        if not challenge.visits:
            return usual
        offered = (*usual, *jobs.extra_draws(challenge, salt))
        reply = await self.run(jobs.visits_job(challenge, offered), SECONDS_FOR_A_REFERENCE)
        seen = Expected(challenge, offered, jobs.read_records(reply.records))
        visited: set[int] = set()
        chosen = []
        for number, draw in enumerate(offered):
            found = seen.visited(number)
            if number < len(usual) or found - visited:
                chosen.append(draw)
                visited |= found
        return tuple(chosen)

    async def _reference(self, challenge: Challenge, draws: tuple[jobs.Draw, ...]) -> Expected:
        body = jobs.reference_job(challenge, draws)
        reply = await self.run(body, SECONDS_FOR_A_REFERENCE)
        readings = await asyncio.to_thread(jobs.read_records, reply.records)
        known = Expected(challenge, draws, readings)
        if reply.ended is not Ended.DONE or not readings.complete:
            raise ChallengeError(f"The reference of {challenge.id} did not finish: {reply.message}")
        if fault := known.fault():
            text = comparison.stripped(fault.text)
            raise ChallengeError(f"The reference of {challenge.id} fails: {text}.")
        return known

    async def called(
        self, known: Expected, function: jobs.FunctionSource, *, free: bool = False
    ) -> WorkerReply:
        """Call a function on the draws, while its properties are tested in another process."""
        body = jobs.function_job(known.challenge, known.draws, function, free=free)
        referee = b""
        if known.challenge.properties:
            referee = jobs.properties_job(known.challenge, known.draws)
        return await self.run(body, SECONDS_FOR_A_FUNCTION, referee=referee)

    # -- lines and functions

    async def _check_lines(
        self, challenge: Challenge, source: str, known: Expected | None, *, free: bool
    ) -> CheckResult:
        estimation, banned = challenge.kind == "estimation", () if free else challenge.banned
        derivation = await asyncio.to_thread(
            read, source, given=challenge.given, banned=banned, scalars=estimation
        )
        if not derivation.readable:
            said = "There is nothing to check yet."
            nothing = CheckResult(challenge.id, "lines", CheckOutcome.INCOMPLETE, said)
            return with_problem(nothing, derivation)
        known = known or await self.expected(challenge)
        body = jobs.lines_job(challenge, known.draws, derivation.readable)
        reply = await self.run(body, SECONDS_FOR_LINES)
        return await asyncio.to_thread(_of_lines, known, derivation, reply)

    async def _check_function(
        self, challenge: Challenge, source: str, known: Expected | None, *, free: bool
    ) -> CheckResult:
        try:
            function = jobs.function_in(source)
        except jobs.SourceError as error:
            line = LineResult(error.line, LineStatus.ERROR, str(error))
            summary = "The source is not a function that can be run."
            return CheckResult(challenge.id, "function", CheckOutcome.FAILED, summary, (line,))
        await self._open()
        if not may_call_functions(self.tier, consented=self.allow_functions):
            raise SandboxError(self.about)
        known = known or await self.expected(challenge)
        if not challenge.records_functions:
            known = known.without_gradients()
        reply = await self.called(known, function, free=free)
        finding = await asyncio.to_thread(_of_function, known, function.line, reply)
        return replace(finding, output=comparison.output(reply.output))


def _of_lines(known: Expected, derivation: Derivation, reply: WorkerReply) -> CheckResult:
    got = jobs.read_records(reply.records)
    statements = derivation.readable
    if reply.ended is not Ended.DONE or not got.complete:
        last = max((item for draw, item, _ in got.values if draw == 0), default=-1)
        line = statements[min(last + 1, len(statements) - 1)].line
        return _stopped(known, "lines", reply, line)
    return check_lines(known, derivation, got)


def _of_function(known: Expected, line: int, reply: WorkerReply) -> CheckResult:
    got = jobs.read_records(reply.records)
    if reply.ended is not Ended.DONE or not got.complete:
        return _stopped(known, "function", reply, line)
    return check_function(known, line, got, jobs.read_records(reply.referee))


def _stopped(known: Expected, mode: Mode, reply: WorkerReply, line: int) -> CheckResult:
    sentence = reply.message or "It exited before it returned its numbers."
    lines = (LineResult(line, LineStatus.ERROR, sentence),)
    return CheckResult(known.challenge.id, mode, CheckOutcome.STOPPED, sentence, lines)
