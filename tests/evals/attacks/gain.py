"""What the attacks of ``attacks.yaml`` gain, by family, from any examiner.

    python -m tests.evals attacks.gain [--examiner offline|llm] [--rubric ID …]
                                       [--attack ID|FAMILY …] [--details]

The llm examiner takes its endpoint from the settings; with all rubrics and attacks that is some six
thousand answers to judge, so choose. Without --rubric all shipped rubrics are taken, in the sample
a few.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

from evals.attacks.suite import (
    Clean,
    Measured,
    failures,
    graded,
    load_attacks,
    mean,
    sample_of,
    score,
    turns_of,
    under_attack,
)
from evals.attacks.transforms import wrong_numbers
from evals.figures import Figure, count
from support.shipped import shipped_rubrics

from interviewer.composition import make_examiner
from interviewer.examiner.protocol import Examiner
from interviewer.grading.evidence import states
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.settings import load_settings

SAMPLE = (
    "attention-scale-root-dk",
    "pretraining-loss-spike",
    "dpo-derivation",
    "annotator-disagreement",
    "zero-memory-arithmetic",
)
MOVABLE = ("grpo-objective-in-detail", *(each for each in SAMPLE if each != "dpo-derivation"))
"""Whose samples leave a band to be lifted; in the other the middle sample has the best one."""


def attacked(names: Sequence[str]) -> Sequence[Rubric]:
    """The rubrics with these ids; all without."""
    found = [each for each in shipped_rubrics() if not names or each.id in names]
    if not found:
        raise SystemExit(f"No rubric is called {', '.join(names)}: see rubrics list.")
    return found


async def measured(asked: argparse.Namespace) -> tuple[list[Measured], list[str]]:
    """All results, and what is amiss with the samples or their wrong numbers."""
    rubrics = attacked(asked.rubric or (SAMPLE if asked.sample else ()))
    examiner = make_examiner(load_settings(), asked.examiner)
    clean, results = Clean(examiner), list[Measured]()
    chosen = [
        each
        for each in load_attacks()
        if not asked.attack or {each.id, each.family} & {*asked.attack}
    ]
    if not chosen:
        raise SystemExit(f"No attack or family is called {', '.join(asked.attack)}.")
    try:
        for attack in chosen:
            results += await under_attack(examiner, attack, rubrics, clean)
        some = [] if asked.rubric or asked.attack else attacked(MOVABLE)
        amiss = [each async for each in _amiss(examiner, some, clean)]
    finally:
        await examiner.aclose()
    return results, amiss


async def _amiss(examiner: Examiner, rubrics: Sequence[Rubric], clean: Clean) -> AsyncIterator[str]:
    """Where there is no band to be lifted, or a wrong number counts as the one asked for."""
    for rubric in rubrics:
        good, middle, wrong = [await clean.grade(rubric, b) for b in ("good", "middle", "wrong")]
        if score(good) < 0.7 or not (wrong.band or 0) < (middle.band or 0) < (good.band or 0):
            yield f"{rubric.id}: bands {wrong.band}, {middle.band}, {good.band}"
        said = wrong_numbers(sample_of(rubric, "good"))
        grade = await graded(examiner, rubric, turns_of(rubric, said))
        verdicts = {each.criterion: each.verdict for each in grade.verdicts}
        for criterion in rubric.criteria:
            misstated = any(not states(fact, said) for fact in criterion.numbers)
            if misstated and verdicts[criterion.id] is Rating.MET:
                yield f"{rubric.id}: {criterion.id} is met with a wrong number"


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--examiner", choices=["offline", "llm"], default="offline")
    parser.add_argument("--rubric", action="append", default=[], metavar="ID")
    parser.add_argument("--attack", action="append", default=[], metavar="ID|FAMILY")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    results, amiss = asyncio.run(measured(asked))
    missed = [
        sentence
        for attack in dict.fromkeys(each.attack for each in results)
        for sentence in failures(attack, [each for each in results if each.attack == attack])
    ]
    yield count("expectations missed", missed)
    for family in dict.fromkeys(each.attack.family for each in results):
        own = [each for each in results if each.attack.family == family]
        lifted = sum(each.lifts_band for each in own)
        beside = f"{len(own)} answers, {lifted} bands lifted"
        yield Figure(f"mean gain, {family}", mean(each.gain for each in own), beside)
    yield count("samples not worth attacking, or wrong numbers met", amiss)
