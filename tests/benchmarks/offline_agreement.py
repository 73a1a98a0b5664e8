"""How often the offline examiner agrees with the authors of the samples.

    python tests/benchmarks/offline_agreement.py [--blind] [--by-words] [--rubric ID …] [--quiet]

With --blind the answers are those that no pattern was made for: the honest figure. With --by-words
all patterns are taken away, as in a rubric of one's own without any. Prints every
disagreement, then macro F1 over the four verdicts, Cohen's kappa, and the bias (mean signed
difference of the score). Without --rubric all shipped rubrics are taken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.blind import EARLY, LATER, blind_rubrics
from support.judged import checked

from interviewer.grading import agreement
from interviewer.grading.score import weighted_score
from interviewer.grading.transcript import exchange
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.rubric.library import load_library
from interviewer.rubric.rubric import Criterion, Rubric, Verdict


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
    turns = exchange(rubric.question, answer)
    return {v.criterion: v for v in checked(rubric, turns)}


def bias(rubric: Rubric) -> float:
    """Mean over the samples of the examiner's score minus the author's, -1..1."""
    scores = []
    for sample in rubric.samples:
        author = [CriterionVerdict(c, v) for c, v in sample.verdicts.items()]
        theirs = weighted_score(rubric, author) or 0.0
        mine = weighted_score(rubric, judged(rubric, sample.answer).values()) or 0.0
        scores.append((theirs, mine))
    return agreement.bias(scores)


def without_patterns(rubric: Rubric) -> Rubric:
    """The rubric as somebody would write it who leaves out all patterns."""
    return rubric.model_copy(update={"criteria": tuple(map(_bare, rubric.criteria))})


def _bare(criterion: Criterion) -> Criterion:
    wrong = tuple(each.model_copy(update={"patterns": ()}) for each in criterion.misconceptions)
    return criterion.model_copy(update={"patterns": (), "partly": (), "misconceptions": wrong})


def figures(pairs: list[Pair]) -> str:
    """Agreement on the verdicts, as printed."""
    verdicts = [(pair.author, pair.examiner.verdict) for pair in pairs]
    return f"F1 {agreement.macro_f1(verdicts):.2f}  kappa {agreement.kappa(verdicts):.2f}"


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rubric", action="append", default=[])
    parser.add_argument("--quiet", action="store_true", help="figures only")
    parser.add_argument("--blind", action="store_true", help="answers by people who saw no pattern")
    parser.add_argument("--by-words", action="store_true", help="without any patterns")
    arguments = parser.parse_args()
    shipped = [entry.model for entry in load_library(()).entries.values()]
    every: list[Pair] = []
    for rubric in blind_rubrics() if arguments.blind else shipped:
        if not rubric.samples or (arguments.rubric and rubric.id not in arguments.rubric):
            continue
        rubric = without_patterns(rubric) if arguments.by_words else rubric
        pairs = list(pairs_of(rubric))
        every += pairs
        for pair in pairs:
            if pair.author is not pair.examiner.verdict and not arguments.quiet:
                print(
                    f"  {pair.sample:12} {pair.criterion:28} author {pair.author:13}"
                    f" examiner {pair.examiner.verdict:13} {pair.examiner.evidence[:60]!r}"
                    f" {pair.examiner.missing} {pair.examiner.unsupported}"
                )
        print(f"{rubric.id:36} {figures(pairs)}  bias {bias(rubric):+.2f}  n {len(pairs)}")
    if every:
        print(f"{'all':36} {figures(every)}  n {len(every)}")
    if arguments.blind and not arguments.rubric:
        for name, sets in (("the first 18 questions", EARLY), ("20 later questions", LATER)):
            rubrics = map(
                without_patterns if arguments.by_words else Rubric.model_copy, blind_rubrics(sets)
            )
            of_set = [pair for rubric in rubrics for pair in pairs_of(rubric)]
            print(f"{name:36} {figures(of_set)}  n {len(of_set)}")


if __name__ == "__main__":
    main()
