"""How often the offline examiner agrees with the authors of answers that no pattern was made for.

    python -m tests.evals judging.blind [--samples] [--rubric ID …]

Their authors had seen question, reference and claims, but no pattern of the rubric. They are the
honest measure of the offline examiner: nothing in the rubrics or in the judge may be made to fit
them. Two authors wrote four answers each to every one of the first 18 questions and gave the
verdicts (the sets "first" and "second"); another wrote two to each of 20 of the questions that came
later (the set "later").

Macro F1 over the four verdicts, Cohen's kappa, and the bias (mean signed difference of the score);
with --details also every disagreement. With --samples it takes the samples of the
shipped rubrics instead.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.figures import Figure
from support.judged import checked
from support.shipped import shipped_library, shipped_rubrics

from interviewer.grading import agreement
from interviewer.grading.transcript import exchange
from interviewer.grading.verdicts import Verdict, graded, weighted_score
from interviewer.rubric.rubric import Rating, Rubric, Sample

ANSWERS = Path(__file__).with_name("blind_answers.jsonl")
SETS = {"the first 18 questions": ("first", "second"), "20 later questions": ("later",)}


def blind_rubrics(sets: Collection[str]) -> list[Rubric]:
    """The shipped rubrics that have blind answers, with those of the sets as their samples."""
    answers = defaultdict(list)
    for line in ANSWERS.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        if data["set"] in sets:
            sample = Sample(kind="middle", answer=data["answer"], verdicts=data["verdicts"])
            answers[data["rubric"]].append(sample)
    library = shipped_library()
    return [
        library.get(rubric).model.model_copy(update={"samples": tuple(samples)})
        for rubric, samples in answers.items()
    ]


@dataclass(frozen=True)
class Judged:
    """One answer: what the author and what the examiner said of each criterion."""

    rubric: Rubric
    sample: Sample
    verdicts: dict[str, Verdict]

    @property
    def pairs(self) -> list[tuple[Rating, Rating | None]]:
        criteria = self.rubric.criteria
        return [
            (self.sample.verdicts[c.id], self.verdicts[c.id].verdict)
            for c in criteria
            if c.id in self.verdicts
        ]

    @property
    def scores(self) -> tuple[float, float]:
        author = [Verdict(c, v) for c, v in self.sample.verdicts.items()]
        theirs = weighted_score(self.rubric, author) or 0.0
        return theirs, weighted_score(self.rubric, self.verdicts.values()) or 0.0

    @property
    def apart(self) -> Iterator[str]:
        for name, mine in self.verdicts.items():
            author = self.sample.verdicts.get(name)
            if author is not None and author is not mine.verdict:
                yield (
                    f"{self.rubric.id} {self.sample.kind:8} {name}: author {author}, examiner "
                    f"{mine.verdict} {mine.evidence[:60]!r} {mine.missing} {mine.unsupported}"
                )


def judged(rubrics: Iterable[Rubric]) -> list[Judged]:
    found = []
    for rubric in rubrics:
        for sample in rubric.samples:
            verdicts = checked(rubric, exchange(rubric.question, sample.answer))
            found.append(Judged(rubric, sample, graded(verdicts)))
    return found


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rubric", action="append", default=[], metavar="ID")
    parser.add_argument("--samples", action="store_true", help="the samples of the rubrics")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    sets = {name: blind_rubrics(each) for name, each in SETS.items()}
    if asked.samples:
        sets = {"samples": list(shipped_rubrics())}
    for name, rubrics in sets.items():
        chosen = [each for each in rubrics if not asked.rubric or each.id in asked.rubric]
        if answers := judged(chosen):
            many = f"{len(answers)} answers"
            pairs = [pair for each in answers for pair in each.pairs]
            apart = [line for each in answers for line in each.apart]
            yield Figure(f"{name}: macro F1", agreement.macro_f1(pairs), many, apart)
            yield Figure(f"{name}: kappa", agreement.kappa(pairs), many)
            bias = agreement.bias([each.scores for each in answers])
            yield Figure(f"{name}: bias", bias, many)
