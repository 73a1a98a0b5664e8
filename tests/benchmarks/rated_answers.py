"""How the bands of both examiners compare with those of two raters.

    python tests/benchmarks/rated_answers.py [--edges A,B,C,D] [--fit] [--without-patterns]

240 answers to 40 questions (tests/support/rated.py). Prints how well the raters agree with each
other; then, for the offline examiner and (on 84 of the answers) a strong reader in the model's
place, the weighted kappa of the bands with the raters' mean, on all questions and on each half of
them, the order of the scores, the bias in bands, correlation and means of the scores, how excellent
answers score beside good ones, how many pass that the raters took for fragments, and the means by
kind of answer.

``--without-patterns`` adds the offline examiner on the same rubrics with their patterns taken away,
and on what an import makes of question and reference alone.

``--fit`` looks for the edges, in steps of 0.05, that agree best on one half of the questions, and
says how they and those in use do on the other half.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.rated import (
    EXCELLENT,
    GOOD,
    Rated,
    as_imported,
    band_agreement,
    fooled,
    halves,
    mean_score,
    order,
    rated_by_reader,
    rated_offline,
    raters,
    without_patterns,
)

from interviewer.grading.agreement import pearson, quadratic_weighted_kappa
from interviewer.grading.bands import EDGES, band_of

STEP = 0.05


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--edges", default=",".join(map(str, EDGES)), help="lower edges of bands")
    parser.add_argument("--fit", action="store_true", help="fit them on one half of the questions")
    parser.add_argument("--without-patterns", action="store_true", help="and without patterns")
    arguments = parser.parse_args()
    edges = [float(edge) for edge in arguments.edges.split(",")]
    print(f"Raters with each other: weighted kappa {quadratic_weighted_kappa(raters()):.2f}")
    examiners = {
        "Offline": rated_offline(),
        "A strong reader in the model's place": rated_by_reader(),
    }
    if arguments.without_patterns:
        examiners["Offline, patterns taken away"] = rated_offline(without_patterns)
        examiners["Offline, imported from question and reference"] = rated_offline(as_imported)
    for name, rated in examiners.items():
        report(name, rated, edges)
        if arguments.fit:
            report_fit(rated, edges)


def report(name: str, rated: Sequence[Rated], edges: Sequence[float]) -> None:
    """Print how one examiner's bands and order compare with the raters'."""
    on_halves = " and ".join(f"{band_agreement(half, edges):.2f}" for half in halves(rated))
    off = mean(band_of(each.score, edges) - each.people for each in rated)
    print(f"{name}, {len(rated)} answers:")
    print(f"  weighted kappa {band_agreement(rated, edges):.2f} ({on_halves} on halves)")
    print(f"  order {order(rated):.2f}, bias {off:+.2f} bands")
    correlation = pearson([(each.people, each.score) for each in rated]) or 0.0
    given, scored = mean(each.people for each in rated) / 4, mean(each.score for each in rated)
    print(
        f"  correlation {correlation:.2f}, mean score {scored:.2f} beside the raters' {given:.2f}"
    )
    excellent, good = mean_score(rated, EXCELLENT), mean_score(rated, GOOD)
    print(f"  mean score of excellent answers {excellent:.2f}, of good ones {good:.2f}")
    print(f"  fragments at most for the raters, and a pass here: {len(fooled(rated, edges))}")
    kinds = defaultdict(list)
    for each in rated:
        kinds[each.kind].append(each)
    for kind, answers in sorted(kinds.items()):
        theirs = mean(each.people for each in answers)
        mine = mean(band_of(each.score, edges) for each in answers)
        print(f"  {kind:<13} {len(answers):3}  raters {theirs:.1f}  examiner {mine:.1f}")


def report_fit(rated: Sequence[Rated], edges: Sequence[float]) -> None:
    """Print the edges fitted on each half, and how they and these do on the other one."""
    grid = [round(STEP * n, 2) for n in range(1, round(1 / STEP))]
    first, second = halves(rated)
    for fitted_on, other in ((first, second), (second, first)):
        best = max(combinations(grid, 4), key=lambda each: band_agreement(fitted_on, each))
        print(
            f"  fitted on one half {best}: {band_agreement(fitted_on, best):.2f} there, "
            f"{band_agreement(other, best):.2f} on the other; in use {tuple(edges)}: "
            f"{band_agreement(other, edges):.2f} there"
        )


if __name__ == "__main__":
    main()
