"""Whether answers with the same facts are graded alike in two styles, offline.

    python tests/benchmarks/style_pairs.py

Prints each pair whose scores differ by more than 0.05 with the points judged differently, then by
kind of style how many pairs are within 0.05, the mean difference (the second style's score less the
first's) and the mean of its size.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.style_pairs import GradedPair, graded_pairs, load_pairs, score

from interviewer.examiner.offline.examiner import OfflineExaminer


def figures(graded: Sequence[GradedPair]) -> str:
    """One line on these pairs."""
    alike = sum(each.alike for each in graded)
    mean = fmean(each.difference for each in graded)
    size = fmean(abs(each.difference) for each in graded)
    return f"{alike}/{len(graded)} within 0.05, mean {mean:+.3f}, mean size {size:.3f}"


def main() -> None:
    graded = asyncio.run(graded_pairs(OfflineExaminer(), load_pairs()))
    for each in graded:
        if not each.alike:
            print(f"{each.pair.rubric} ({each.pair.kind}): {score(each.one):.2f}", end="")
            print(f", {score(each.other):.2f}")
            for name, (one, other) in each.verdicts.items():
                print(f"    {name}: {one}, {other}")
    print()
    for kind in dict.fromkeys(each.pair.kind for each in graded):
        print(f"{kind:18} {figures([each for each in graded if each.pair.kind == kind])}")
    print(f"{'all':18} {figures(graded)}")


if __name__ == "__main__":
    main()
