"""Whole offline interviews with candidates that know exactly part of a rubric.

    python -m tests.evals conduct.simulated [--count 100] [--seed 7]

How much of what they knew was brought out, what they were wrongly credited with, and every breach
of the checklist for follow-ups and of the audit. Also whether the candidates tell what they are
asked for and nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from evals.conduct.candidates import Outcome, SimulatedCandidate, candidates, interviewed
from evals.figures import Figure, count, share
from support.shipped import sample, shipped_rubrics

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Move, MoveKind
from interviewer.interview import commands
from interviewer.rubric.rubric import Rubric
from interviewer.store.store import Store

SAMPLE, SEED = 36, 3
REPEATED_WORDING = (17, 18)
"""Items of the audit that evasions in the same few words bring about; they do not count."""


async def outcomes(count: int, seed: int) -> list[Outcome]:
    rubrics = shipped_rubrics()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "simulated.db")
        try:
            return [
                await interviewed(store, OfflineExaminer(), candidate, f"{number:010x}")
                for number, candidate in enumerate(candidates(rubrics, count, seed))
            ]
        finally:
            store.close()


def says(rubric: Rubric, known: str, question: str) -> bool:
    """Whether a candidate who knows this point says it when asked this."""
    candidate = SimulatedCandidate(rubric, frozenset({known}), frozenset(), random.Random(1))
    reply = candidate.reply(question, Move(MoveKind.PROBE, known))
    return isinstance(reply, commands.Answer) and reply.text in rubric.criterion(known).accept


def candour() -> Iterator[Figure]:
    """How often candidates say the point that they are asked for, and one that they are not."""
    rubrics = sample(shipped_rubrics(), 24)
    to_the_point, beside_it = list[bool](), list[bool]()
    for rubric, other in zip(rubrics, [*rubrics[1:], rubrics[0]], strict=True):
        for criterion in rubric.criteria:
            to_the_point.append(says(rubric, criterion.id, criterion.probe))
            beside_it += [says(rubric, criterion.id, c.probe) for c in other.criteria]
            generic = ("Go on, what else?", "Can you tell me a bit more about that?")
            beside_it += [says(rubric, criterion.id, each) for each in generic]
    yield share("candidates: asked for a point, they say it", sum(to_the_point), len(to_the_point))
    yield share("candidates: asked for another, they say it", sum(beside_it), len(beside_it))


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    many, seed = (SAMPLE, SEED) if asked.sample else (asked.count, asked.seed)
    found = asyncio.run(outcomes(many, seed))
    yield from _credit(found)
    yield from _bands(found)
    yield from _talk(found)
    yield from candour()


def _credit(found: Sequence[Outcome]) -> Iterator[Figure]:
    wrongly = [
        f"{each.rubric.id}: {verdict.criterion} credited for {verdict.evidence!r}"
        for each in found
        for verdict in each.grade.verdicts
        if verdict.criterion in each.credited - each.known
    ]
    yield count("unknown points credited", wrongly)
    held_back = sum(len(each.known - each.volunteered) for each in found)
    brought_out = sum(len((e.credited & e.known) - e.volunteered) for e in found)
    yield share("held back and brought out", brought_out, held_back)


def _bands(found: Sequence[Outcome]) -> Iterator[Figure]:
    everything = [e.grade.band or 0 for e in found if len(e.known) == len(e.rubric.criteria)]
    nothing = [e.grade.band or 0 for e in found if not e.known]
    yield Figure("least band of who knows all", min(everything), f"{len(everything)} candidates")
    yield Figure("best band of who knows nothing", max(nothing), f"{len(nothing)} candidates")


def _talk(found: Sequence[Outcome]) -> Iterator[Figure]:
    yield count("leaks", (f"{e.rubric.id}: {leak}" for e in found for leak in e.leaks))
    yield count(
        "breaches of the checklist",
        (f"{e.rubric.id}: {fault}" for e in found for fault in e.faults),
    )
    breaches = (each for outcome in found for each in outcome.breaches)
    yield count("breaches of the audit", (b for b in breaches if b.item not in REPEATED_WORDING))
