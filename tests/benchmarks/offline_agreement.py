"""How often the offline examiner agrees with the authors of the samples.

    python tests/benchmarks/offline_agreement.py [--rubric ID …] [--quiet]

Prints every disagreement, then macro F1 over the four verdicts, Cohen's kappa, and the bias (mean
signed difference of the score). Without --rubric all shipped rubrics are taken.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from interviewer.examiner.offline.judge import judge
from interviewer.grading.evidence import check
from interviewer.grading.score import weighted_score
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.rubric.library import load_library
from interviewer.rubric.rubric import Rubric, Verdict


@dataclass(frozen=True)
class Pair:
    """One criterion of one sample: what the author and what the examiner said."""

    rubric: str
    sample: str
    criterion: str
    author: Verdict
    examiner: CriterionVerdict


def pairs_of(rubric: Rubric) -> Iterator[Pair]:
    """All samples of a rubric, judged."""
    for number, sample in enumerate(rubric.samples, start=1):
        verdicts = judged(rubric, sample.answer)
        for criterion in rubric.criteria:
            yield Pair(
                rubric.id,
                f"{number}:{sample.kind}",
                criterion.id,
                sample.verdicts[criterion.id],
                verdicts[criterion.id],
            )


def judged(rubric: Rubric, answer: str) -> dict[str, CriterionVerdict]:
    """The checked verdicts on a single answer, by criterion."""
    turns = (
        Turn(1, "examiner", TurnKind.QUESTION, rubric.question),
        Turn(2, "candidate", TurnKind.ANSWER, answer),
    )
    return {v.criterion: v for v in check(rubric, turns, judge(rubric, turns).findings)}


def macro_f1(pairs: Iterable[Pair]) -> float:
    """Mean F1 over the verdicts that occur on either side, 0..1."""
    counts = Counter((p.author, p.examiner.verdict) for p in pairs)
    scores = []
    for verdict in Verdict:
        author = sum(n for (a, _), n in counts.items() if a is verdict)
        examiner = sum(n for (_, e), n in counts.items() if e is verdict)
        if author + examiner:
            scores.append(2 * counts[verdict, verdict] / (author + examiner))
    return sum(scores) / len(scores)


def kappa(pairs: Iterable[Pair]) -> float:
    """Cohen's kappa (1960) of the two verdicts, -1..1."""
    counts = Counter((p.author, p.examiner.verdict) for p in pairs)
    total = counts.total()
    observed = sum(counts[v, v] for v in Verdict) / total
    chance = sum(
        sum(n for (a, _), n in counts.items() if a is v)
        * sum(n for (_, e), n in counts.items() if e is v)
        for v in Verdict
    ) / (total * total)
    return 1.0 if chance == 1 else (observed - chance) / (1 - chance)


def bias(rubric: Rubric) -> float:
    """Mean over the samples of the examiner's score minus the author's, -1..1."""
    gaps = []
    for sample in rubric.samples:
        author = [CriterionVerdict(c, v) for c, v in sample.verdicts.items()]
        mine = weighted_score(rubric, judged(rubric, sample.answer).values())
        theirs = weighted_score(rubric, author)
        gaps.append((mine or 0.0) - (theirs or 0.0))
    return sum(gaps) / len(gaps)


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rubric", action="append", default=[])
    parser.add_argument("--quiet", action="store_true", help="figures only")
    arguments = parser.parse_args()
    library = load_library(())
    every: list[Pair] = []
    for rubric in (entry.rubric for entry in library.entries.values()):
        if not rubric.samples or (arguments.rubric and rubric.id not in arguments.rubric):
            continue
        pairs = list(pairs_of(rubric))
        every += pairs
        for pair in pairs:
            if pair.author is not pair.examiner.verdict and not arguments.quiet:
                print(
                    f"  {pair.sample:12} {pair.criterion:28} author {pair.author:13}"
                    f" examiner {pair.examiner.verdict:13} {pair.examiner.evidence[:60]!r}"
                    f" {pair.examiner.missing} {pair.examiner.unsupported}"
                )
        print(
            f"{rubric.id:36} F1 {macro_f1(pairs):.2f}  kappa {kappa(pairs):.2f}"
            f"  bias {bias(rubric):+.2f}  n {len(pairs)}"
        )
    if every:
        print(f"{'all':36} F1 {macro_f1(every):.2f}  kappa {kappa(every):.2f}  n {len(every)}")


if __name__ == "__main__":
    main()
