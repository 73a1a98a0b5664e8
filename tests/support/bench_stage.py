"""The app over a bench that judges by words: "wrong" fails, "broken" is an error."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from textual import events
from textual.pilot import Pilot

from interviewer.content.collection import Entry
from interviewer.content.kinds import CHALLENGES
from interviewer.errors import SandboxError
from interviewer.interview.interview import Interview
from interviewer.sandbox.challenge import Catalogue, Challenge
from interviewer.sandbox.result import CheckOutcome, CheckResult, LineResult, LineStatus
from interviewer.settings import load_settings
from support import benches
from support.rubrics import a_rubric
from support.sessions import reopen
from support.stage import NOW, Script, ScriptedEngine, until
from support.tables import table
from tui.app import InterviewerApp
from tui.bench.editor import BenchEditor
from tui.bench.panel import BenchPanel
from tui.bench.screens import BenchScreen, PracticeScreen

MESSAGES = {
    LineStatus.FAILS: "The columns sum to 1, not the rows. [b]Which axis?[/b]",
    LineStatus.ERROR: "The shapes do not fit: [n, d] @ [m, d].",
}


def a_challenge(**changes: Any) -> Challenge:
    return Challenge.model_validate(table("bench_stage", __file__) | changes)


CHALLENGE = a_challenge()
QUESTION = a_rubric(
    id="derive-one-head", title="One head", question="Derive one head.", challenge="one-head"
)


def judged(challenge: Challenge, source: str) -> CheckResult:
    """By the words of the lines."""
    found: list[LineResult] = []
    bad = False
    for number, line in enumerate(source.split("\n"), start=1):
        if not line.strip():
            continue
        status = LineStatus.NOT_JUDGED if bad else _status(line)
        bad = bad or status in MESSAGES
        found.append(LineResult(number, status, MESSAGES.get(status, "")))
    passed = not bad and any(line.status is LineStatus.HOLDS for line in found)
    outcome = (
        CheckOutcome.PASSED if passed else CheckOutcome.FAILED if bad else CheckOutcome.INCOMPLETE
    )
    summary = {
        CheckOutcome.PASSED: "Every line holds numerically.",
        CheckOutcome.FAILED: "A line does not hold.",
        CheckOutcome.INCOMPLETE: "So far so good; out is not there yet.",
    }[outcome]
    return CheckResult(
        challenge.id, "lines", outcome, summary, tuple(found), tier="strict", milliseconds=12.3
    )


def _status(line: str) -> LineStatus:
    if "wrong" in line:
        return LineStatus.FAILS
    if "broken" in line:
        return LineStatus.ERROR
    return LineStatus.HOLDS if line.startswith("out") else LineStatus.DEFINED


@dataclass
class FakeBench(benches.FakeBench):
    """``hold`` keeps checks waiting, ``warming`` the preparation; ``after`` changes results."""

    about: str = "Checks run in a worker that reaches no file and no network."
    warming: asyncio.Event | None = None
    after: Mapping[str, Any] = field(default_factory=dict)

    async def prepare(self, challenge: Challenge) -> None:
        if self.warming:
            await self.warming.wait()

    def found(self, challenge: Challenge, source: str) -> CheckResult:
        return replace(judged(challenge, source), **self.after)


class BenchEngine(ScriptedEngine):
    """Interviews with this bench, and the same bench for oneself."""

    def __init__(self, fake: FakeBench | None, *challenges: Challenge, **rest: Any) -> None:
        super().__init__(**rest)
        self.fake = fake
        self.posed = {challenge.id: challenge for challenge in challenges or (CHALLENGE,)}

    def challenges(self) -> Catalogue:
        entries = {
            id_: Entry(challenge, Path(f"{id_}.yaml"), "shipped", partial(self.posed.get, id_))
            for id_, challenge in self.posed.items()
        }
        return Catalogue(CHALLENGES, entries)

    def bench(self) -> Any:
        if self.fake is None:
            raise SandboxError("There is no interpreter with torch here.")
        self._bench: Any = self.fake
        return self.fake

    def further(self) -> dict[str, Any]:
        return {"bench": self.fake, "challenges": self.posed, "tries": self.bench_tries()}

    def resume(
        self, session_id: str, examiner: str | None = None, *, take_over: bool = False
    ) -> Interview:
        self.resumed_with.append(examiner)
        return self._keep(reopen(self.store, session_id, self.script.examiner, bench=self.fake))


def bench_app(
    fake: FakeBench | None, *challenges: Challenge, script: Script | None = None, **settings: Any
) -> InterviewerApp:
    """An app whose next interview asks one question with a challenge, then one without."""
    chosen = replace(load_settings(), **settings)
    script = script or Script(rubrics=[QUESTION, a_rubric()])
    engine = BenchEngine(fake, *challenges, settings=chosen, script=script)
    return InterviewerApp(chosen, engine=engine, now=lambda: NOW)


def panel(pilot: Pilot[None]) -> BenchPanel:
    return pilot.app.screen.query_one(BenchPanel)


def source(pilot: Pilot[None]) -> BenchEditor:
    return pilot.app.screen.query_one(BenchEditor)


async def paste(pilot: Pilot[None], text: str) -> None:
    """Into whatever has the focus."""
    pilot.app.post_message(events.Paste(text))
    await until(pilot, lambda: text.rstrip("\n") in source(pilot).text)


async def at_the_bench(pilot: Pilot[None], number: int = 0) -> PracticeScreen:
    await pilot.press("b")
    await until(pilot, lambda: isinstance(pilot.app.screen, BenchScreen))
    await until(pilot, lambda: pilot.app.screen.query_one("#entries").option_count)  # type: ignore[attr-defined]
    await pilot.press(*["j"] * number, "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, PracticeScreen))
    await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))
    assert isinstance(pilot.app.screen, PracticeScreen)
    return pilot.app.screen
