"""Trains the judge of criteria without patterns, and writes what it learned.

    pip install scikit-learn    # in a virtual environment of its own that also sees this project
    python -m tests.evals training.by_words [--write]

Reads the shipped rubrics with their patterns left out and writes
``interviewer/examiner/offline/by_words.json``: how many texts each word occurs in, which words the
phrasings use for one another, and gradient-boosted trees (scikit-learn's histogram-based ones,
constrained so that more of the key never lowers a verdict and more of what is rejected never raises
it). Each criterion is learned from twice: with all its phrasings, and with its claim alone as an
import has it. The rows are the samples with their verdicts and, counting less, each accepted and
rejected phrasing judged without itself. Without --write nothing is written. Run it again when many
samples or phrasings have changed; ``judging.rated`` tells how well rubrics without patterns are
judged.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from evals.figures import Figure
from sklearn.ensemble import HistGradientBoostingClassifier

from interviewer.examiner.offline import by_words
from interviewer.examiner.offline.by_words import Key, Measures
from interviewer.grading.transcript import ParsedAnswer
from interviewer.rubric.library import load_library
from interviewer.rubric.rubric import Criterion, Rating, Rubric
from interviewer.rubric.text import content_stems

COMMON_PAIRS = 4
"""Words used for one another in fewer rubrics may be so by chance."""
AKIN_FROM = 1.4
"""The logarithm of how much oftener than by chance they are."""
TURNED_ROUND, PHRASING = 0.5, 0.1
"""The weight of a negated or swapped sample, which hardly anyone would say, and of a phrasing."""
EASY = 0.2
"""The weight of an empty, a full and a recited sample: how much they say tells them apart."""
MET_FROM, PARTIAL_FROM = 0.45, 0.23
"""The credit from which a criterion counts as met, and as partial."""
CREDIT = {Rating.MET: 1.0, Rating.PARTIAL: 0.5}
RISES_WITH = dict.fromkeys(("core", "whole", "hits", "lead", "numbers", "ahead"), 1)
RISES_WITH |= {"misconception": -1}


@dataclass(frozen=True)
class Row:
    """One answer against one criterion, and the share of the point that it earns."""

    kind: str
    measures: Measures
    credit: float

    @property
    def weight(self) -> float:
        if self.kind in ("negated", "swapped"):
            return TURNED_ROUND
        if self.kind in ("empty", "full", "recited"):
            return EASY
        return PHRASING if self.kind in ("accept", "reject", "other") else 1.0


def vocabulary(rubrics: Sequence[Rubric]) -> dict[str, Any]:
    """How often words occur, and which are used for one another."""
    texts = [text for rubric in rubrics for text in _texts(rubric)]
    found_in = Counter(word for text in texts for word in content_stems(text))
    return {
        "texts": len(texts),
        "found_in": {word: n for word, n in sorted(found_in.items()) if n > 1},
        "akin": sorted(akin(rubrics)),
    }


def _texts(rubric: Rubric) -> Iterator[str]:
    yield f"{rubric.question} {rubric.reference}"
    for criterion in rubric.criteria:
        yield " ".join((criterion.claim, *criterion.accept))
    for sample in rubric.samples:
        yield sample.answer


def akin(rubrics: Sequence[Rubric]) -> Iterator[tuple[str, str]]:
    """Pairs of words of which one phrasing of a point has the one and another the other."""
    together: Counter[tuple[str, str]] = Counter()
    alone: Counter[str] = Counter()
    for rubric in rubrics:
        pairs: set[tuple[str, str]] = set()
        said: set[str] = set()
        for criterion in rubric.criteria:
            phrasings = [
                content_stems(text) - content_stems(rubric.question)
                for text in (criterion.claim, *criterion.accept)
            ]
            said.update(*phrasings)
            for one, other in permutations(phrasings, 2):
                pairs.update((a, b) for a in one - other for b in other - one if a < b)
        together.update(pairs)
        alone.update(said)
    for (one, other), n in together.items():
        by_chance = alone[one] * alone[other] / len(rubrics)
        is_word = not one.isdigit() and not other.isdigit()
        if n >= COMMON_PAIRS and is_word and math.log(n / by_chance) >= AKIN_FROM:
            yield one, other


def rows_of(rubric: Rubric) -> Iterator[Row]:
    for criterion in rubric.criteria:
        for sample in rubric.samples:
            credit = CREDIT.get(sample.verdicts[criterion.id], 0.0)
            yield from _both(rubric, criterion, sample.kind, sample.answer, credit)
        for kind, credit in (("accept", 1.0), ("reject", 0.0)):
            phrasings: tuple[str, ...] = getattr(criterion, kind)
            for n, phrasing in enumerate(phrasings):
                others = phrasings[:n] + phrasings[n + 1 :]
                without = criterion.model_copy(update={kind: others})
                yield from _both(rubric, without, kind, phrasing, credit)
        for other in rubric.criteria:
            if other is not criterion and criterion.accept:
                yield from _both(rubric, other, "other", criterion.accept[0], 0.0)


def _both(
    rubric: Rubric, criterion: Criterion, kind: str, text: str, credit: float
) -> Iterator[Row]:
    bare = criterion.model_copy(update={"accept": (), "reject": (), "misconceptions": ()})
    answer = ParsedAnswer(text)
    windows = by_words.windows(answer, answer.judged_sentences)
    if not windows:
        return
    given = content_stems(rubric.question)
    for key in (criterion, bare):
        measures, _ = by_words.measure(Key.of(rubric, key, given), answer, windows)
        yield Row(kind, measures, credit)


def fitted(rows: Sequence[Row]) -> HistGradientBoostingClassifier:
    """The trees: their probability is the expected credit, as a half point counts for both."""
    columns = np.array([row.measures for row in rows])
    credit = np.array([row.credit for row in rows])
    weights = np.array([row.weight for row in rows])
    trees = HistGradientBoostingClassifier(
        max_depth=3,
        max_iter=60,
        learning_rate=0.1,
        min_samples_leaf=60,
        l2_regularization=5,
        monotonic_cst=[RISES_WITH[name] for name in Measures._fields],
        early_stopping=False,
        random_state=0,
    )
    twice = np.vstack([columns, columns]), np.r_[credit > 0, credit == 1]
    return trees.fit(*twice, sample_weight=np.r_[weights, weights])


def as_values(trees: HistGradientBoostingClassifier) -> dict[str, Any]:
    """The trees as plain numbers. scikit-learn has no public way to read them."""
    found = []
    for (predictor,) in trees._predictors:
        nodes = []
        for node in predictor.nodes:
            if node["is_leaf"]:
                nodes.append([round(float(node["value"]), 4)])
            else:
                threshold = round(float(node["num_threshold"]), 5)
                left, right = int(node["left"]), int(node["right"])
                nodes.append([int(node["feature_idx"]), threshold, left, right])
        found.append(nodes)
    return {"start": round(float(trees._baseline_prediction[0, 0]), 4), "trees": found}


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--write", action="store_true", help="train on all, and write the file")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """Train on all, and write what was learned if asked to."""
    rubrics = [each for each in load_library(()).models() if not each.is_discussion]
    values = vocabulary(rubrics)
    values |= {"met_from": MET_FROM, "partial_from": PARTIAL_FROM, "start": 0.0, "trees": []}
    untrained = by_words._Model(values)
    by_words.model = lambda: untrained
    by_words._rarity.cache_clear()
    rows = [row for rubric in rubrics for row in rows_of(rubric)]
    values |= as_values(fitted(rows))
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    if asked.write:
        Path(by_words.FILE).write_text(text.replace('"found_in"', '\n"found_in"') + "\n", "utf-8")
    yield Figure("rows learned from", len(rows), f"{by_words.FILE}: {len(text) // 1024} KB")
