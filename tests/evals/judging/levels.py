"""What the offline examiner makes of answers at four levels, whose authors also gave the verdicts.

Excellent, good, weak and wrong answers, by people who saw question and claims alone. Some decided
what the judge keeps ("deciding"); the others were measured once, afterwards. "right" are 80 good
answers that say nothing wrong. ``talk`` and ``orders`` are sentences about prompts and judges, and
orders to the examiner; ``nothing`` are texts that know nothing, put to every question;
``vocabulary`` names terms and relates none; ``plain`` is right in everyday words; ``corrections``
mend what they said wrong; ``unread`` are languages, formulas, tables and code, with English that
looks like them. Each was written by people who saw questions and claims alone, and measured before
anything was changed.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import yaml
from evals.figures import Figure, count, share
from support.judged import checked
from support.shipped import shipped_library, shipped_rubrics

from interviewer.examiner.offline import guards
from interviewer.grading import agreement
from interviewer.grading.bands import band_of
from interviewer.grading.transcript import ParsedAnswer, exchange
from interviewer.grading.verdicts import Verdict, graded, weighted_score
from interviewer.rubric.rubric import Rating, Rubric

FOLDER = Path(__file__).with_name("levels_data")
CREDIT, WRONG = (Rating.MET, Rating.PARTIAL), (Rating.CONTRADICTED,)
FIGURES = (
    ("contradictions credited", WRONG, CREDIT),
    ("right points called wrong", CREDIT, WRONG),
    ("made points heard", (Rating.MET,), CREDIT),
)
"""What is told of the points with these verdicts by their author: the share with those of ours."""
APART = 0.05
"""Scores that differ by no more have no order."""


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """The agreement on each half, what is said in talk and orders, and what nothing earns."""
    for half in ("deciding", "final", "third", "fourth", "fifth", "right"):
        yield from _agreement(half, _read(half))
    texts = _read("talk")
    taken = [each for each in texts["talk"] if ParsedAnswer(each).gives_orders()]
    yield count("talk taken for orders", taken, len(texts["talk"]))
    noticed = sum(ParsedAnswer(each).gives_orders() for each in texts["orders"])
    yield share("orders noticed", noticed, len(texts["orders"]))
    yield from _vocabulary(_read("vocabulary"))
    yield from _plain(_read("plain"))
    yield from _corrections(_read("corrections"))
    yield from _unread(_read("unread"))
    yield from _nothing(_read("nothing"), every=20 if asked.sample else 1)


def _read(name: str) -> Any:
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


def _agreement(half: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[Figure]:
    pairs: Counter[tuple[Rating, Rating]] = Counter()
    bands: list[tuple[int, int]] = []
    scores: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        rubric = shipped_library().get(row["rubric"]).model
        found = {
            each.criterion: each
            for each in checked(rubric, exchange(rubric.question, row["answer"]))
        }
        gold = {id_: Rating(v) for id_, v in row["verdicts"].items() if id_ in found}
        pairs.update((gold[id_], found[id_].verdict) for id_ in gold)
        theirs = _score(rubric, [replace(found[id_], verdict=v) for id_, v in gold.items()])
        ours = _score(rubric, [found[id_] for id_ in gold])
        bands.append((band_of(theirs), band_of(ours)))
        scores[row["rubric"]].append((theirs, ours))
    ordered = [
        (a[0] - b[0]) * (a[1] - b[1])
        for each in scores.values()
        for a, b in combinations(each, 2)
        if abs(a[0] - b[0]) > APART
    ]
    if ordered:  # there are several answers to a question
        kappa = agreement.quadratic_weighted_kappa(bands)
        yield Figure(f"{half}: weighted kappa", kappa, f"{len(bands)} answers")
        right = sum(1.0 if way > 0 else 0.5 if way == 0 else 0.0 for way in ordered)
        yield Figure(f"{half}: order", right / len(ordered), f"{len(ordered)} pairs")
    for name, authors, examiners in FIGURES:
        of = {pair: n for pair, n in pairs.items() if pair[0] in authors}
        part = sum(n for pair, n in of.items() if pair[1] in examiners)
        if of:
            yield share(f"{half}: {name}", part, sum(of.values()))


def _score(rubric: Rubric, verdicts: Iterable[Any]) -> float:
    return weighted_score(rubric, verdicts) or 0.0


def _graded(row: Mapping[str, Any]) -> tuple[Rubric, dict[str, Verdict]]:
    rubric = shipped_library().get(row["rubric"]).model
    found = checked(rubric, exchange(rubric.question, row["answer"]))
    return rubric, graded(found)


def _band(rubric: Rubric, found: Mapping[str, Verdict]) -> int:
    return band_of(_score(rubric, found.values()))


def _vocabulary(rows: list[Mapping[str, Any]]) -> Iterator[Figure]:
    """Answers that drop a question's terms and relate none of them."""
    passed = [row["rubric"] for row in rows if _band(*_graded(row)) >= 2]
    yield share("vocabulary only, band 2 or more", len(passed), len(rows), passed)


def _plain(rows: list[Mapping[str, Any]]) -> Iterator[Figure]:
    """Right answers in everyday words."""
    plain = [_graded(row) for row in rows]
    yield Figure("plain words: mean band", mean(_band(*each) for each in plain), "of 4")
    wrong = [v for _, found in plain for v in found.values() if v.verdict in WRONG]
    yield count("plain words: called wrong", [each.evidence for each in wrong])


def _corrections(rows: list[Mapping[str, Any]]) -> Iterator[Figure]:
    """Something wrong that is corrected at once, on the point corrected."""
    found = [_graded(row)[1].get(row["criterion"]) for row in rows]
    wrong = [each.evidence for each in found if each and each.verdict in WRONG]
    yield count("corrected at once, and called wrong", wrong, len(rows))
    heard = sum(each is not None and each.verdict in CREDIT for each in found)
    yield share("corrected at once, and heard", heard, len(rows))


def _unread(rows: Mapping[str, list[Mapping[str, Any]]]) -> Iterator[Figure]:
    """Other languages, formulas, tables, code; and English that only looks like them."""
    texts = rows["unreadable"]
    told = sum(bool(guards.unread_parts(row["answer"])) for row in texts)
    yield share("not read, and told", told, len(texts))
    wrong = [
        f"{row['rubric']}: {id_}"
        for row in texts
        for id_, verdict in _graded(row)[1].items()
        if row["points"].get(id_) == "unread" and verdict.verdict not in CREDIT
    ]
    yield count("points not read, and graded", wrong)
    taken = [row["answer"] for row in rows["controls"] if guards.unread_parts(row["answer"])]
    yield share("English taken for something else", len(taken), len(rows["controls"]), taken)


def _nothing(texts: list[str], every: int) -> Iterator[Figure]:
    """Band 2 or more for a text that answers no question."""
    asked = tuple(shipped_rubrics())[::every]
    passed = [
        f"{rubric.id}: {text}"
        for rubric in asked
        for text in texts
        if (score := weighted_score(rubric, checked(rubric, exchange(rubric.question, text))))
        is not None
        and band_of(score) >= 2
    ]
    yield share(
        "texts that know nothing, band 2 or more", len(passed), len(asked) * len(texts), passed
    )
