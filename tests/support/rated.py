"""Whole answers with the bands that two raters gave them, and what an examiner makes of them.

Six answers to each of 40 questions, by authors who saw the question alone: one at each level 0..4
and one of another kind. Both raters saw question and reference, neither the key nor the level.
Nothing in the rubrics or in a judge may be made to fit them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

from interviewer.grading.agreement import quadratic_weighted_kappa
from interviewer.grading.bands import EDGES, band_of
from interviewer.grading.score import weighted_score
from interviewer.grading.transcript import exchange
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.rubric.importing import rubric_of
from interviewer.rubric.question_lists import Question
from interviewer.rubric.rubric import Rubric, Verdict
from support.judged import checked
from support.shipped import shipped_library

_FOLDER = Path(__file__).parents[1] / "agreement"
_ANSWERS = _FOLDER / "rated_answers.jsonl"
_READER = _FOLDER / "strong_reader.jsonl"
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


def raters() -> list[tuple[int, int]]:
    """The bands of both raters, an answer each."""
    return [(row["bands"][0], row["bands"][1]) for row in _rows()]


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
    return Rubric.model_validate(rubric_of(asked, "imported", round_id="own", topic="own"))


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
        verdicts = [CriterionVerdict(c, Verdict(v)) for c, v in each["verdicts"].items()]
        score = weighted_score(library.get(each["rubric"]).model, verdicts) or 0.0
        rated.append(_rated(rows[each["row"]], score))
    return rated


def halves(rated: Sequence[Rated]) -> tuple[list[Rated], list[Rated]]:
    """The answers to every other question, and those to the rest."""
    questions = sorted({each.rubric for each in rated})
    first, second = ([r for r in rated if r.rubric in questions[n::2]] for n in (0, 1))
    return first, second


def band_agreement(rated: Sequence[Rated], edges: Sequence[float] = EDGES) -> float:
    """Quadratically weighted kappa of the bands with the raters' mean, halves rounded up."""
    pairs = ((int(each.people + 0.5), band_of(each.score, edges)) for each in rated)
    return quadratic_weighted_kappa(pairs)


EXCELLENT, GOOD = ("level 4", "plain"), ("level 3",)
"""Kinds of answers that were written to be complete, and to be good with a gap."""


def mean_score(rated: Sequence[Rated], kinds: Collection[str]) -> float:
    """The mean of the scores of answers of these kinds."""
    return mean(each.score for each in rated if each.kind in kinds)


def fooled(rated: Sequence[Rated], edges: Sequence[float] = EDGES) -> list[Rated]:
    """The answers that pass, band 3 or better, and are fragments at most for the raters."""
    return [each for each in rated if each.people <= 1 and band_of(each.score, edges) >= 3]


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


def _rated(row: Mapping[str, Any], score: float) -> Rated:
    kind = f"level {row['intended']}" if row["kind"] == "level" else row["kind"]
    return Rated(row["rubric"], kind, sum(row["bands"]) / len(row["bands"]), score)


def _rows() -> Iterator[dict[str, Any]]:
    for line in _ANSWERS.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
