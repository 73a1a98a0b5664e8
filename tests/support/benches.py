"""A challenge, a question that belongs to it, and a bench that finds what the test says."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from interviewer.errors import InterviewerError
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.result import CheckOutcome, CheckResult, LineResult, LineStatus, Tier
from support.rubrics import a_criterion, a_rubric
from support.tables import table

CHALLENGE = Challenge.model_validate(table("benches", __file__))
CHALLENGES = {CHALLENGE.id: CHALLENGE}
RUBRIC = a_rubric(
    a_criterion("alpha", weight=3, must_have=True, bench="p"),
    a_criterion("beta", weight=2, bench="w"),
    a_criterion("gamma", weight=1),
    kind="derivation",
    challenge=CHALLENGE.id,
)
GOOD = "# of the exponentials\nw = exp(z)\np = w / sum(w)"
BAD = "w = exp(z)\np = w / max(w)"
POINT = "Why is the maximum subtracted in practice?"


def found(outcome: CheckOutcome, summary: str, **changes: Any) -> CheckResult:
    values: dict[str, Any] = {"tier": "strict", "milliseconds": 12.0, "mode": "lines"}
    return CheckResult(CHALLENGE.id, outcome=outcome, summary=summary, **(values | changes))


PASSED = found(
    CheckOutcome.PASSED,
    "Every line holds numerically.",
    lines=(LineResult(2, LineStatus.HOLDS), LineResult(3, LineStatus.HOLDS)),
    derived=("w", "p"),
    open_points=(POINT,),
)
FAILED = found(
    CheckOutcome.FAILED,
    "Line 2 does not hold.",
    lines=(
        LineResult(1, LineStatus.HOLDS),
        LineResult(2, LineStatus.FAILS, "The entries do not sum to 1. What should they sum to?"),
    ),
    derived=("w",),
    matched="over-the-maximum",
)
INCOMPLETE = found(
    CheckOutcome.INCOMPLETE,
    "Nothing fails, but p is not there yet.",
    lines=(LineResult(1, LineStatus.HOLDS),),
    derived=("w",),
)
UNAVAILABLE = found(CheckOutcome.UNAVAILABLE, "No torch was found.", tier="off")
STOPPED = found(CheckOutcome.STOPPED, "It ran for longer than 5 seconds.")


@dataclass
class FakeBench:
    """Results by source; any other source passes. ``hold`` makes every check wait."""

    results: dict[str, CheckResult] = field(default_factory=lambda: {BAD: FAILED})
    hold: asyncio.Event | None = None
    fail: InterviewerError | None = None
    tier: Tier = "strict"
    about: str = "Confined by the test."
    allow_functions: bool = False
    checked: list[str] = field(default_factory=list)
    prepared: list[str] = field(default_factory=list)
    cancelled: int = 0
    closed: int = 0

    async def prepare(self, challenge: Challenge) -> None:
        self.prepared.append(challenge.id)
        if self.fail:
            raise self.fail

    async def check(self, challenge: Challenge, source: str) -> CheckResult:
        self.checked.append(source)
        if self.fail:
            raise self.fail
        if self.hold:
            try:
                await self.hold.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        return self.found(challenge, source)

    def found(self, challenge: Challenge, source: str) -> CheckResult:
        return self.results.get(source, PASSED)

    async def aclose(self) -> None:
        self.closed += 1
