"""Question lists as people keep them: what is read of them, and what is taken that asks nothing.

Four sets of twelve, each with its truth beside. By rules the first was read when there were few (81
of 240 questions), the others blind: 156 of 183, 174 of 215, 101 of 206. So rules for one set's
shapes do little for the next one's. A strong model, whose replies are kept beside the files, read
the fourth blind, too: 205 of 206 questions, 181 of 182 answers whole, 1 of 187 other texts taken.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from evals.figures import Figure, share
from support.fake_endpoint import FakeEndpoint, said

from interviewer.errors import RubricFileError
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.question_list import read_list as model_reads
from interviewer.rubric.importing import read_list, text_of
from interviewer.rubric.question_lists import Item, Question

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


def by_rules(file: Path) -> Sequence[Item]:
    try:
        return read_list(file).items
    except RubricFileError:  # which is told, with what to do
        return ()


def by_model(file: Path) -> Sequence[Item]:
    """As the strong reader's reply, kept beside the file, has it."""
    reply = file.with_name(f"{file.stem}.reply.json").read_text(encoding="utf-8")
    server = FakeEndpoint()
    server.will(said(reply))
    return asyncio.run(model_reads(ChatClient(server.endpoint()), text_of(file)[0]))


def measure(_: argparse.Namespace) -> Iterator[Figure]:
    for folder in sorted(FOLDER.iterdir()):
        yield from of_set(folder, folder.name, by_rules)
        if any(folder.glob("*.reply.json")):
            yield from of_set(folder, f"{folder.name}, by a model", by_model)


def of_set(folder: Path, name: str, read: Callable[[Path], Sequence[Item]]) -> Iterator[Figure]:
    missed, cut, taken = [], [], []
    asked = answered = others = 0
    for truth_file in sorted(folder.glob("*.truth.yaml")):
        stem = truth_file.name.removesuffix(".truth.yaml")
        (file,) = (each for each in folder.iterdir() if each.stem == stem)
        truth = yaml.safe_load(truth_file.read_text(encoding="utf-8"))
        questions = [each for each in read(file) if isinstance(each, Question)]
        for each in truth["questions"]:
            found = next((q for q in questions if is_same(q.question, each["q"])), None)
            asked += 1
            answered += "a" in each
            if found is None:
                missed.append(f"{file.name}: {each['q']}")
            elif "a" in each and not is_whole(found.answer, each):
                cut.append(f"{file.name}: {each['q']}")
        wrong = [
            t for t in truth["not_questions"] if any(is_same(q.question, t) for q in questions)
        ]
        taken += [f"{file.name}: {each}" for each in wrong]
        others += len(truth["not_questions"])
    yield share(f"{name}: questions found", asked - len(missed), asked, missed)
    yield share(f"{name}: answers whole", answered - len(cut), answered, cut)
    yield share(f"{name}: no questions taken", len(taken), others, taken)
