"""How the offline examiner's scores compare with marks that people gave, without any patterns.

    python -m tests.evals judging.graded ANSWERS.csv [--questions]

ANSWERS.csv is a table of your own, or of a public collection of graded short answers, with a header
and the columns question, reference (the model answer), answer (a student's), mark and full (the
full mark). Each question becomes a rubric just as 'interviewer rubrics import' makes it from
question and reference, so its criteria have no patterns. Prints Pearson's correlation with the
marks, the order (share of pairs of answers to one question with different marks that the scores put
in the right order, ties counting half), both means, and the processor time for one answer; with
--questions also a line for each question.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean

from evals.figures import Figure

from interviewer.examiner.offline.judge import judge
from interviewer.grading.agreement import pearson
from interviewer.grading.evidence import check
from interviewer.grading.score import weighted_score
from interviewer.grading.transcript import exchange
from interviewer.rubric.importing import rubric_of
from interviewer.rubric.question_lists import Question
from interviewer.rubric.rubric import Rubric

COLUMNS = ("question", "reference", "answer", "mark", "full")


@dataclass(frozen=True)
class Marked:
    """One answer: the share of the full mark that a person gave, and the score, both 0..1."""

    question: str
    mark: float
    score: float


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of the table; exits with one sentence if it is none."""
    csv.field_size_limit(sys.maxsize)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    missing = [name for name in COLUMNS if not rows or name not in rows[0]]
    if missing:
        raise SystemExit(f"{path} lacks the columns {', '.join(missing)}; add them to its header.")
    return rows


def rubric_for(question: str, reference: str) -> Rubric:
    """The question as an import makes it."""
    asked = Question(1, question, reference)
    return Rubric.model_validate(rubric_of(asked, "imported", round_id="own", topic="own"))


def score(rubric: Rubric, answer: str) -> float:
    """The offline examiner's score of a single answer, 0..1."""
    turns = exchange(rubric.question, answer)
    return weighted_score(rubric, check(rubric, turns, judge(rubric, turns).findings)) or 0.0


def marked(rows: Sequence[dict[str, str]]) -> Iterator[Marked]:
    """Every answer with its mark and its score."""
    rubrics: dict[str, Rubric] = {}
    for row in rows:
        asked = row["question"]
        if asked not in rubrics:
            rubrics[asked] = rubric_for(asked, row["reference"])
        mark = float(row["mark"]) / float(row["full"])
        yield Marked(asked, mark, score(rubrics[asked], row["answer"]))


def order(answers: Sequence[Marked]) -> float | None:
    """The share of pairs in the right order, ties half; None if no marks differ."""
    by_question: dict[str, list[Marked]] = {}
    for each in answers:
        by_question.setdefault(each.question, []).append(each)
    right = [
        0.5 if a.score == b.score else float((a.score > b.score) == (a.mark > b.mark))
        for of_one in by_question.values()
        for a, b in combinations(of_one, 2)
        if a.mark != b.mark
    ]
    return sum(right) / len(right) if right else None


def figures(answers: Sequence[Marked], name: str = "") -> Iterator[Figure]:
    """The measures; what does not vary on one side is left out."""
    r = pearson([(each.mark, each.score) for each in answers])
    placed = order(answers)
    if r is not None:
        yield Figure(f"{name}correlation", r, f"{len(answers)} answers")
    if placed is not None:
        yield Figure(f"{name}order", placed)
    given = sum(each.mark for each in answers) / len(answers)
    yield Figure(f"{name}mean score", mean(each.score for each in answers), f"people {given:.2f}")


def options(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("answers", type=Path, metavar="ANSWERS.csv")
    parser.add_argument("--questions", action="store_true", help="figures for each question")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """The figures of a table."""
    begun = time.process_time()
    answers = list(marked(rows_of(asked.answers)))
    spent = time.process_time() - begun
    for each in dict.fromkeys(each.question for each in answers) if asked.questions else ():
        yield from figures([a for a in answers if a.question == each], f"{each[:40]}: ")
    yield from figures(answers)
    yield Figure("processor time of an answer", 1000 * spent / len(answers), "ms")
