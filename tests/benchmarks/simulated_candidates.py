"""Whole offline interviews with candidates that know exactly part of a rubric.

    python tests/benchmarks/simulated_candidates.py [--count 100] [--seed 7]

Prints how much of what they knew was brought out, what they were wrongly credited with, the rank
correlation of score and knowledge (counted in points known, and in the score that these deserve),
and every breach of the checklist for follow-ups.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.candidates import Outcome, candidates, interviewed
from support.shipped import shipped_rubrics

from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.store.store import Store


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    found = asyncio.run(outcomes(options.count, options.seed))

    held_back = sum(len(each.known - each.volunteered) for each in found)
    brought_out = sum(len(each.brought_out) for each in found)
    follow_ups = sum(each.follow_ups for each in found)
    known = sum(len(each.known) for each in found)
    credited = sum(len(each.credited & each.known) for each in found)
    scores = [each.grade.final or 0.0 for each in found]
    shares = [float(len(each.known)) for each in found]
    print(f"interviews                 {len(found)}, follow-ups {follow_ups / len(found):.1f} each")
    print(f"known points credited      {credited} of {known}")
    print(f"held back and brought out  {brought_out} of {held_back}")
    print(f"brought out per follow-up  {brought_out / follow_ups:.2f}")
    print(f"unknown points credited    {sum(len(each.unknown_credited) for each in found)}")
    print(f"rank correlation with |K|  {rank_correlation(scores, shares):.3f}")
    deserved = [each.deserved for each in found]
    print(f"  with what they deserve   {rank_correlation(scores, deserved):.3f}")
    print(f"  ceiling with |K|         {rank_correlation(deserved, shares):.3f}")
    print(f"leaks                      {sum(len(each.leaks) for each in found)}")
    print(f"breaches of the checklist  {sum(len(each.faults) for each in found)}")
    print(f"breaches of the audit      {sum(len(each.breaches) for each in found)}")
    for each in found:
        for fault in (*each.faults, *(f"leak {leak}" for leak in each.leaks), *each.breaches):
            print(f"  {each.rubric.id}: {fault}")
        for verdict in each.grade.verdicts:
            if verdict.criterion in each.unknown_credited:
                print(f"  {each.rubric.id}: {verdict.criterion} credited for {verdict.evidence!r}")


if __name__ == "__main__":
    main()
