"""How the bands of both examiners compare with those of two raters.

240 whole answers: six to each of 40 questions, by authors who saw the question alone, one at each
level 0..4 and one of another kind. Both raters saw question and reference, neither the key nor the
level. Nothing in the rubrics or in a judge may be made to fit them.

Measured are the offline examiner, a strong reader in the model's place (on 84 of the answers), and
the offline examiner on rubrics without patterns: the same with theirs taken away, and what an
import makes of question and reference alone. For each: the weighted kappa of the bands with the
raters' mean, the order of the scores, the bias in bands, correlation, and how many pass that the
raters took for fragments; with --details the means by kind of answer.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

from evals.figures import Figure, count
from support.judged import checked
from support.shipped import shipped_library

from interviewer.grading.agreement import pearson, quadratic_weighted_kappa
from interviewer.grading.bands import band_of
from interviewer.grading.transcript import exchange
from interviewer.grading.verdicts import Verdict, weighted_score
from interviewer.rubric.importing import rubric_of
from interviewer.rubric.question_lists import Question
from interviewer.rubric.rubric import Rating, Rubric

_ANSWERS = Path(__file__).with_name("rated_answers.jsonl")
_READER = Path(__file__).with_name("strong_reader.jsonl")
APART = 0.5
"""Bands between two answers that the raters see as different."""


@dataclass(frozen=True)
class Rated:
    """One answer: the mean of the raters' bands, 0..4, and the examiner's score, 0..1."""

    rubric: str
    kind: str
    """The level it was written for, as "level 3"; or plain (excellent in everyday words), keywords,
    denial (of a wrong view), verbose, wrong-number."""
    people: float
    score: float


def rated_offline(changed: Callable[[Rubric], Rubric] = lambda rubric: rubric) -> list[Rated]:
    """All answers, as the offline examiner scores them by rubrics that were ``changed`` first."""
    library = shipped_library()
    rated = []
    for row in _rows():
        rubric = changed(library.get(row["rubric"]).model)
        turns = exchange(rubric.question, row["answer"])
        score = weighted_score(rubric, checked(rubric, turns)) or 0.0
        rated.append(_rated(row, score))
    return rated


def without_patterns(rubric: Rubric) -> Rubric:
    """The rubric as a person writes it who leaves the patterns out: claims and phrasings alone."""
    criteria = tuple(
        criterion.model_copy(
            update={
                "patterns": (),
                "partly": (),
                "misconceptions": tuple(
                    wrong.model_copy(update={"patterns": ()}) for wrong in criterion.misconceptions
                ),
            }
        )
        for criterion in rubric.criteria
    )
    return rubric.model_copy(update={"criteria": criteria})


def as_imported(rubric: Rubric) -> Rubric:
    """What an import makes of the rubric's question and reference."""
    asked = Question(1, rubric.question, rubric.reference)
    return Rubric.model_validate(rubric_of(asked, "imported", "own"))


def rated_by_reader() -> list[Rated]:
    """The 84 answers to 14 of the questions that a strong reader judged in the model's place.

    It saw the judge's prompt alone, and its verdicts went through the same checks as a model's.
    They are weighed by today's rubrics; what it quoted isn't kept, so an error that contradicts two
    points costs twice.
    """
    library = shipped_library()
    rows = list(_rows())
    rated = []
    for each in map(json.loads, _READER.read_text(encoding="utf-8").splitlines()):
        verdicts = [Verdict(c, Rating(v)) for c, v in each["verdicts"].items()]
        score = weighted_score(library.get(each["rubric"]).model, verdicts) or 0.0
        rated.append(_rated(rows[each["row"]], score))
    return rated


def band_agreement(rated: Sequence[Rated]) -> float:
    """Quadratically weighted kappa of the bands with the raters' mean, halves rounded up."""
    pairs = ((int(each.people + 0.5), band_of(each.score)) for each in rated)
    return quadratic_weighted_kappa(pairs)


EXCELLENT, GOOD = ("level 4", "plain"), ("level 3",)
"""Kinds of answers that were written to be complete, and to be good with a gap."""


def order(rated: Sequence[Rated]) -> float:
    """Share of pairs of answers to one question that the scores order as the raters do, 0..1.

    Only pairs that lie apart for the raters count; equal scores count half.
    """
    by_question = defaultdict(list)
    for each in rated:
        by_question[each.rubric].append(each)
    right = [
        0.5 if a.score == b.score else float((a.score > b.score) is (a.people > b.people))
        for answers in by_question.values()
        for a, b in combinations(answers, 2)
        if abs(a.people - b.people) >= APART
    ]
    return sum(right) / len(right)


def _rated(row: dict[str, Any], score: float) -> Rated:
    kind = f"level {row['intended']}" if row["kind"] == "level" else row["kind"]
    return Rated(row["rubric"], kind, sum(row["bands"]) / len(row["bands"]), score)


def _rows() -> Iterator[dict[str, Any]]:
    for line in _ANSWERS.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def measure(_asked: argparse.Namespace) -> Iterator[Figure]:
    for name, rated in (("offline", rated_offline()), ("a strong reader", rated_by_reader())):
        yield from _bands(name, rated)
        yield from _scores(name, rated)
    for name, change in (("patterns taken away", without_patterns), ("imported", as_imported)):
        yield from _scores(name, rated_offline(change))


def _bands(name: str, rated: Sequence[Rated]) -> Iterator[Figure]:
    many = f"{len(rated)} answers"
    kinds: dict[str, list[float]] = defaultdict(list)
    for each in rated:
        kinds[each.kind].append(band_of(each.score) - each.people)
    means = {kind: mean(values) for kind, values in kinds.items()}
    notes = [f"{kind:14} {value:+.2f} bands" for kind, value in sorted(means.items())]
    questions = sorted({each.rubric for each in rated})
    halves = ([r for r in rated if r.rubric in questions[n::2]] for n in (0, 1))
    yield Figure(f"{name}: weighted kappa", band_agreement(rated), many)
    yield Figure(f"{name}: weighted kappa, the worse half", min(map(band_agreement, halves)))
    yield Figure(f"{name}: bias in bands", mean(off for each in kinds.values() for off in each))
    yield Figure(f"{name}: bias of a kind, at most", max(map(abs, means.values())), "bands", notes)
    excellent, good = (
        mean(each.score for each in rated if each.kind in kinds) for kinds in (EXCELLENT, GOOD)
    )
    yield Figure(f"{name}: excellent answers above good ones", excellent - good)
    fooled = (each for each in rated if each.people <= 1 and band_of(each.score) >= 3)
    passed = [f"{each.rubric} {each.kind} {each.score:.2f}" for each in fooled]
    yield count(f"{name}: fragments that pass", passed, len(rated))
    bags = [each for each in rated if each.kind == "keywords" and each.score >= 0.5]
    yield count(f"{name}: keywords that score half or more", bags)


def _scores(name: str, rated: Sequence[Rated]) -> Iterator[Figure]:
    correlation = pearson([(each.people, each.score) for each in rated]) or 0.0
    off = mean(each.score - each.people / 4 for each in rated)
    yield Figure(f"{name}: order", order(rated))
    yield Figure(f"{name}: correlation", correlation)
    yield Figure(f"{name}: bias of the score", off)
