"""Question lists as people keep them: what is read of them, and what is taken that asks nothing.

Two sets of twelve, each with its truth beside. Blind, the first was read as it was before other
shapes were (81 of 240 questions), the second after (156 of 183; 119 before).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from evals.figures import Figure, share

from interviewer.rubric.importing import read_list
from interviewer.rubric.question_lists import Question

FOLDER = Path(__file__).with_name("lists_data")
ALIKE = 0.7
"""The share of the longer text that a part of it has to be."""


def words(text: str) -> list[str]:
    """The words of a text, whatever its markup."""
    return re.sub(r"[^\w]+", " ", re.sub(r"<[^>]+>", "", text)).lower().split()


def is_same(one: str, other: str) -> bool:
    """One text holds the other, and little more."""
    (short, a), (long, b) = sorted((len(each), " ".join(each)) for each in map(words, (one, other)))
    return a == b or (short >= ALIKE * long > 0 and a in b)


def is_whole(answer: str, truth: dict[str, Any]) -> bool:
    """The answer holds its beginning and its end, which may be cut within a word."""
    begins, ends = words(truth["a"])[1:-1], words(truth["a_end"])[1:]
    read = " ".join(words(answer))
    return " ".join(begins) in read and " ".join(ends) in read


def measure(_: argparse.Namespace) -> Iterator[Figure]:
    for folder in sorted(FOLDER.iterdir()):
        missed, cut, taken = [], [], []
        asked = answered = others = 0
        for truth_file in sorted(folder.glob("*.truth.yaml")):
            name = truth_file.name.removesuffix(".truth.yaml")
            (file,) = (each for each in folder.iterdir() if each.stem == name)
            truth = yaml.safe_load(truth_file.read_text(encoding="utf-8"))
            read = [each for each in read_list(file).items if isinstance(each, Question)]
            for each in truth["questions"]:
                found = next((q for q in read if is_same(q.question, each["q"])), None)
                asked += 1
                answered += "a" in each
                if found is None:
                    missed.append(f"{file.name}: {each['q']}")
                elif "a" in each and not is_whole(found.answer, each):
                    cut.append(f"{file.name}: {each['q']}")
            wrong = [t for t in truth["not_questions"] if any(is_same(q.question, t) for q in read)]
            taken += [f"{file.name}: {each}" for each in wrong]
            others += len(truth["not_questions"])
        yield share(f"{folder.name}: questions found", asked - len(missed), asked, missed)
        yield share(f"{folder.name}: answers whole", answered - len(cut), answered, cut)
        yield share(f"{folder.name}: no questions taken", len(taken), others, taken)
