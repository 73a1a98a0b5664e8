"""How many harmless follow-ups are vetoed, and how many leaks get through, in both tiers.

    python -m tests.evals conduct.follow_ups HARMLESS.jsonl LEAKS.jsonl [--examiner llm]

Each line holds ``rubric``, ``criterion`` (or ``target``), ``kind``, ``answer`` and ``text``: the
candidate's one answer to the rubric's question, and what the examiner says next. Code vetoes it,
clears it or finds it suspicious. Measured are the shares, and what one check takes; with --details
also the shares by kind, and each miss with the reason. With --examiner llm the endpoint of the
settings is asked about what is suspicious, each case in a call of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any, Literal

from evals.figures import Figure, count, share
from support.shipped import shipped_library

from interviewer.errors import ExaminerError
from interviewer.examiner.checks import objections, possible_leaks
from interviewer.examiner.offline.judge import judge
from interviewer.examiner.protocol import NEUTRAL, Examiner, Move, MoveKind, QuestionContext
from interviewer.grading.evidence import check
from interviewer.grading.transcript import exchange

_AIMED = ("drill", "pin_down", "challenge")
"""Every other kind is a probe, but for "harder"."""


@dataclass(frozen=True)
class Case:
    """An utterance in its context."""

    rubric: str
    target: str
    kind: str
    answer: str
    text: str

    @property
    def move(self) -> Move:
        """The move that the utterance words."""
        if self.kind == "harder":
            return Move(MoveKind.ESCALATE)
        kind = MoveKind(self.kind) if self.kind in _AIMED else MoveKind.PROBE
        return Move(kind, self.target)

    def context(self) -> QuestionContext:
        """The question and the answer, judged by the offline judge."""
        rubric = shipped_library().get(self.rubric).model
        turns = exchange(rubric.question, self.answer)
        verdicts = check(rubric, turns, judge(rubric, turns).findings)
        return QuestionContext(rubric, turns, verdicts, NEUTRAL, exam=True)


Tier = Literal["vetoed", "suspicious", "clear"]
TIERS: tuple[Tier, ...] = ("vetoed", "suspicious", "clear")


@dataclass(frozen=True)
class Checked:
    """A case, what code makes of it, and what the endpoint makes of what is suspicious."""

    case: Case
    tier: Tier
    why: str
    seconds: float
    refused: bool | None = None
    """None where nobody was asked."""
    failed: bool = False
    """The call failed, which refuses the words."""

    @property
    def is_said(self) -> bool:
        """It may be asked; what is suspicious only where the endpoint has cleared it."""
        return self.tier == "clear" or self.refused is False


def cases(file: Path) -> Iterator[Case]:
    """The cases of a file, one a line."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip():
            data: dict[str, Any] = json.loads(line)
            target = data.get("criterion") or data.get("target") or ""
            yield Case(data["rubric"], target, data["kind"], data["answer"], data["text"])


def checked(case: Case) -> Checked:
    """The case put to the checks."""
    context = case.context()
    began = perf_counter()
    faults = objections(case.text, context, case.move)
    doubts = () if faults else possible_leaks(case.text, context, case.move)
    tier: Tier = "vetoed" if faults else "suspicious" if doubts else "clear"
    why = "; ".join(faults or doubts) or "no objection"
    return Checked(case, tier, why, perf_counter() - began)


async def asked(examiner: Examiner, found: Sequence[Checked], parallel: int) -> list[Checked]:
    """The cases, with the endpoint's word on those that are suspicious."""
    limit = asyncio.Semaphore(parallel)

    async def one(each: Checked) -> Checked:
        if each.tier != "suspicious":
            return each
        async with limit:
            try:
                (words,) = await examiner.giveaways(each.case.context(), [each.case.text])
            except ExaminerError as error:
                return replace(each, refused=True, failed=True, why=str(error))
        if words:
            return replace(each, refused=True, why=f"the endpoint: “{words}”")
        return replace(each, refused=False, why=f"{each.why}; the endpoint: cleared")

    return await asyncio.gather(*map(one, found))


def by_tier(title: str, found: Sequence[Checked], *, leaks: bool) -> Iterator[Figure]:
    """What code makes of the cases, by kind, and each that it gets wrong."""
    by_kind: defaultdict[str, Counter[Tier]] = defaultdict(Counter)
    for each in found:
        by_kind[each.case.kind][each.tier] += 1
    kinds = [
        f"{kind:<20} of {tiers.total():3}: {dict(tiers)}" for kind, tiers in sorted(by_kind.items())
    ]
    for tier in TIERS:
        own = [each for each in found if each.tier == tier]
        wrong = tier == ("clear" if leaks else "vetoed")
        notes = [*kinds, *map(_line, own)] if wrong else ()
        yield share(f"{title}: {tier}", len(own), len(found), notes)


def final(found: Sequence[Checked], *, leaks: bool) -> Iterator[Figure]:
    """The rate after both tiers, the misses of the endpoint and its failures."""
    missed = [each for each in found if each.is_said == leaks]
    name = "leaks let through in the end" if leaks else "harmless refused in the end"
    yield share(name, len(missed), len(found), map(_line, missed))
    yield count(f"{name}: calls failed", (each.case.text for each in found if each.failed))


def _line(each: Checked) -> str:
    case = each.case
    return f"{case.rubric} {case.target} [{case.kind}] {case.text}: {each.why}"


async def asked_at_endpoint(
    sets: Sequence[Sequence[Checked]], parallel: int
) -> list[list[Checked]]:
    """The sets after the second tier."""
    from interviewer.examiner.llm.endpoint import endpoint_of
    from interviewer.examiner.llm.examiner import LlmExaminer
    from interviewer.settings import load_settings

    examiner = LlmExaminer(endpoint_of(load_settings()))
    try:
        return [await asked(examiner, each, parallel) for each in sets]
    finally:
        await examiner.aclose()


def options(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("harmless", type=Path, metavar="HARMLESS.jsonl")
    parser.add_argument("leaks", type=Path, metavar="LEAKS.jsonl")
    parser.add_argument("--examiner", choices=("offline", "llm"), default="offline")
    parser.add_argument("--parallel", type=int, default=4)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """What becomes of harmless follow-ups, and of leaks."""
    harmless = [checked(case) for case in cases(asked.harmless)]
    leaks = [checked(case) for case in cases(asked.leaks)]
    yield from by_tier("harmless", harmless, leaks=False)
    yield from by_tier("leaks", leaks, leaks=True)
    took = [1000 * each.seconds for each in (*harmless, *leaks)]
    yield Figure("a check", mean(took), f"ms, at most {max(took):.1f}")
    if asked.examiner == "llm":
        harmless, leaks = asyncio.run(asked_at_endpoint((harmless, leaks), asked.parallel))
        yield from final(harmless, leaks=False)
        yield from final(leaks, leaks=True)
