"""How the bands of the offline examiner compare with those of two raters.

    python tests/benchmarks/rated_answers.py [--edges A,B,C,D]

240 answers to 40 questions (tests/support/rated.py). Prints how well the raters agree with each
other, then for the examiner the weighted kappa of its bands with their mean, on all questions and
on each half of them, the order of its scores, its bias in bands, and the means by kind of answer.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.rated import band_agreement, order, rated_offline, raters

from interviewer.grading.agreement import quadratic_weighted_kappa
from interviewer.grading.score import EDGES, band_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--edges", default=",".join(map(str, EDGES)), help="lower edges of bands")
    edges = [float(edge) for edge in parser.parse_args().edges.split(",")]
    print(f"Raters with each other: weighted kappa {quadratic_weighted_kappa(raters()):.2f}")
    rated = rated_offline()
    questions = sorted({each.rubric for each in rated})
    halves = [[each for each in rated if each.rubric in questions[n::2]] for n in (0, 1)]
    on_halves = " and ".join(f"{band_agreement(half, edges):.2f}" for half in halves)
    off = mean(band_of(each.score, edges) - each.people for each in rated)
    print(f"Offline: weighted kappa {band_agreement(rated, edges):.2f} ({on_halves} on halves)")
    print(f"Order {order(rated):.2f}, bias {off:+.2f} bands")
    kinds = defaultdict(list)
    for each in rated:
        kinds[each.kind].append(each)
    for kind, answers in sorted(kinds.items()):
        theirs, mine = (
            mean(a.people for a in answers),
            mean(band_of(a.score, edges) for a in answers),
        )
        print(f"  {kind:<13} {len(answers):3}  raters {theirs:.1f}  examiner {mine:.1f}")


if __name__ == "__main__":
    main()
