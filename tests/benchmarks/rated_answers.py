"""How the bands of both examiners compare with those of two raters.

    python tests/benchmarks/rated_answers.py [--edges A,B,C,D]

240 answers to 40 questions (tests/support/rated.py). Prints how well the raters agree with each
other; then, for the offline examiner and (on 84 of the answers) a strong reader in the model's
place, the weighted kappa of the bands with the raters' mean, on all questions and on each half of
them, the order of the scores, the bias in bands, and the means by kind of answer.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.rated import Rated, band_agreement, order, rated_by_reader, rated_offline, raters

from interviewer.grading.agreement import quadratic_weighted_kappa
from interviewer.grading.score import EDGES, band_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--edges", default=",".join(map(str, EDGES)), help="lower edges of bands")
    edges = [float(edge) for edge in parser.parse_args().edges.split(",")]
    print(f"Raters with each other: weighted kappa {quadratic_weighted_kappa(raters()):.2f}")
    report("Offline", rated_offline(), edges)
    report("A strong reader in the model's place", rated_by_reader(), edges)


def report(name: str, rated: Sequence[Rated], edges: Sequence[float]) -> None:
    """Print how one examiner's bands and order compare with the raters'."""
    questions = sorted({each.rubric for each in rated})
    halves = [[each for each in rated if each.rubric in questions[n::2]] for n in (0, 1)]
    on_halves = " and ".join(f"{band_agreement(half, edges):.2f}" for half in halves)
    off = mean(band_of(each.score, edges) - each.people for each in rated)
    print(f"{name}, {len(rated)} answers:")
    print(f"  weighted kappa {band_agreement(rated, edges):.2f} ({on_halves} on halves)")
    print(f"  order {order(rated):.2f}, bias {off:+.2f} bands")
    kinds = defaultdict(list)
    for each in rated:
        kinds[each.kind].append(each)
    for kind, answers in sorted(kinds.items()):
        theirs = mean(each.people for each in answers)
        mine = mean(band_of(each.score, edges) for each in answers)
        print(f"  {kind:<13} {len(answers):3}  raters {theirs:.1f}  examiner {mine:.1f}")


if __name__ == "__main__":
    main()
