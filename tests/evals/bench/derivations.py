"""How well the derivation bench tells right derivations from wrong ones.

    python -m tests.evals bench.derivations [--challenge ID …]

The corpus was written from the tasks alone, by somebody who had seen neither the references nor the
checker. Right derivations that are accepted, wrong ones that are caught at the line where an
examiner would put the finger, and those that get the message of a known mistake.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml
from evals.figures import Figure, share
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from interviewer.sandbox.bench import Bench
from interviewer.sandbox.challenge import load_catalogue
from interviewer.sandbox.result import CheckOutcome, CheckResult, LineResult, LineStatus

_BAD = (LineStatus.FAILS, LineStatus.ERROR)


class Derivation(BaseModel):
    """One entry; without ``line`` it is right, with it the mistake stands there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    challenge: str
    origin: Literal["research", "new"] = Field(alias="from")
    source: str
    line: int | None = None
    mistake: str = ""

    @property
    def is_function(self) -> bool:
        """Whether it is Python, not lines."""
        return "def " in self.source


def right() -> tuple[Derivation, ...]:
    return _load("right.yaml")


def _load(name: str) -> tuple[Derivation, ...]:
    entries = yaml.safe_load(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Derivation, ...]).validate_python(entries)


def first_bad(result: CheckResult) -> LineResult | None:
    """The first line that was not accepted."""
    return next((line for line in result.lines if line.status in _BAD), None)


@dataclass(frozen=True)
class Finding:
    """What the bench made of one derivation."""

    derivation: Derivation
    result: CheckResult

    @property
    def accepted(self) -> bool:
        return self.result.outcome is CheckOutcome.PASSED

    @property
    def at_its_line(self) -> bool:
        """Whether the first line that was faulted is the one with the mistake."""
        bad = first_bad(self.result)
        failed = (
            self.result.outcome is CheckOutcome.FAILED and bad is not None and bad.message != ""
        )
        return failed and bad.line == self.derivation.line

    @property
    def missed(self) -> bool:
        """Whether it went otherwise than its author expects."""
        return not (self.accepted if self.derivation.line is None else self.at_its_line)

    def told(self) -> str:
        bad = first_bad(self.result)
        said = f"line {bad.line}, {bad.message}" if bad else self.result.summary
        wanted = self.derivation.line
        expected = "" if wanted is None else f", expected at line {wanted}"
        entry = f"{self.derivation.challenge} {self.derivation.id}"
        return f"{entry}: {self.result.outcome.value}{expected}: {said}"


async def checked(challenges: Collection[str]) -> list[Finding]:
    """Examine the corpus, or the part of it that belongs to some challenges."""
    bench = Bench(Path(sys.executable), salt=0)
    catalogue = load_catalogue()
    try:
        return [
            Finding(each, await bench.check(catalogue.get(each.challenge).model, each.source))
            for each in (*right(), *_load("wrong.yaml"))
            if not challenges or each.challenge in challenges
        ]
    finally:
        await bench.aclose()


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--challenge", action="append", default=[], metavar="ID")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    findings = asyncio.run(checked(asked.challenge))
    good = [f for f in findings if f.derivation.line is None]
    bad = [f for f in findings if f.derivation.line is not None]
    refused = [f.told() for f in good if f.missed]
    yield share("right derivations accepted", sum(f.accepted for f in good), len(good), refused)
    missed = [f.told() for f in bad if f.missed]
    yield share(
        "wrong ones caught at their line", sum(f.at_its_line for f in bad), len(bad), missed
    )
    named = sum(f.result.matched is not None for f in bad)
    yield share("wrong ones told as a known mistake", named, len(bad))
