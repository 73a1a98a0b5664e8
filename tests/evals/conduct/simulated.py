"""Whole offline interviews with candidates that know exactly part of a rubric.

    python -m tests.evals conduct.simulated [--count 100] [--seed 7]

How much of what they knew was brought out, what they were wrongly credited with, the rank
correlation of score and knowledge (counted in points known, and in the score that these deserve),
and every breach of the checklist for follow-ups and of the audit. Also whether the candidates tell
what they are asked for and nothing else.
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
"""Items of the audit that evasions in the same few words, again and again, bring about."""


async def outcomes(count: int, seed: int) -> list[Outcome]:
    """The outcomes of so many interviews over the shipped rubrics."""
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


def rank_correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Spearman's rho, ties sharing their mean rank."""
    ranked = [_ranks(xs), _ranks(ys)]
    mean = (len(xs) + 1) / 2
    (a, b) = ([rank - mean for rank in ranks] for ranks in ranked)
    spread = (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5
    return sum(x * y for x, y in zip(a, b, strict=True)) / spread


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    first = {value: ordered.index(value) for value in set(values)}
    return [first[value] + (ordered.count(value) + 1) / 2 for value in values]


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
    """What can be asked."""
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """What was credited, brought out and said."""
    many, seed = (SAMPLE, SEED) if asked.sample else (asked.count, asked.seed)
    found = asyncio.run(outcomes(many, seed))
    yield from _credit(found)
    yield from _knowledge(found)
    yield from _talk(found)
    yield from candour()


def _credit(found: Sequence[Outcome]) -> Iterator[Figure]:
    wrongly = [
        f"{each.rubric.id}: {verdict.criterion} credited for {verdict.evidence!r}"
        for each in found
        for verdict in each.grade.verdicts
        if verdict.criterion in each.unknown_credited
    ]
    yield count("unknown points credited", wrongly)
    known = sum(len(each.known) for each in found)
    credited = sum(len(each.credited & each.known) for each in found)
    yield share("known points credited", credited, known)
    held_back = sum(len(each.known - each.volunteered) for each in found)
    brought_out = sum(len(each.brought_out) for each in found)
    yield share("held back and brought out", brought_out, held_back)
    yield Figure("brought out per follow-up", brought_out / sum(e.follow_ups for e in found))


def _knowledge(found: Sequence[Outcome]) -> Iterator[Figure]:
    everything = [e.grade.band or 0 for e in found if len(e.known) == len(e.rubric.criteria)]
    nothing = [e.grade.band or 0 for e in found if not e.known]
    yield Figure("least band of who knows all", min(everything), f"{len(everything)} candidates")
    yield Figure("best band of who knows nothing", max(nothing), f"{len(nothing)} candidates")
    scores = [each.grade.final or 0.0 for each in found]
    shares = [float(len(each.known)) for each in found]
    deserved = [each.deserved for each in found]
    ceiling = f"at most {rank_correlation(deserved, shares):.3f}"
    yield Figure("rank correlation with points known", rank_correlation(scores, shares), ceiling)
    yield Figure("rank correlation with what they deserve", rank_correlation(scores, deserved))


def _talk(found: Sequence[Outcome]) -> Iterator[Figure]:
    yield count("leaks", (f"{e.rubric.id}: {leak}" for e in found for leak in e.leaks))
    yield count(
        "breaches of the checklist",
        (f"{e.rubric.id}: {fault}" for e in found for fault in e.faults),
    )
    breaches = [each for outcome in found for each in outcome.breaches]
    grave = [each for each in breaches if each.item not in REPEATED_WORDING]
    yield count("breaches of the audit", grave)
    yield count("breaches of the audit, repeated wording", (b for b in breaches if b not in grave))
