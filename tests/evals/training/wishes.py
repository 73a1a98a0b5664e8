"""Trains what hears wishes where no model listens, and writes what it learned.

    pip install scikit-learn    # in a virtual environment of its own that also sees this project
    python -m tests.evals training.wishes [--write]

Reads ``wishes.jsonl``, sentences as people type them in an interview with what each asks for, and
answers from the rubrics' samples; writes ``interviewer/examiner/wishes.json`` with --write.
``conduct.requests`` tells how well wishes are heard.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from base64 import b85encode
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from evals.figures import Figure
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from interviewer.examiner.listening import FILE, SCALE, features
from interviewer.rubric.library import load_library

SENTENCES = Path(__file__).with_name("wishes.jsonl")
ANSWERS, FEATURES, RARE = 6000, 6000, 3
"""How many answers of samples are learned from, how many features are kept, and in how many
sentences one must occur."""
_END = re.compile(r"(?<=[.!?;])\s+")


def told() -> list[tuple[str, str]]:
    """Each sentence with what it does."""
    rows = map(json.loads, SENTENCES.read_text(encoding="utf-8").splitlines())
    return [(row["text"], row["act"]) for row in rows]


def answers() -> Iterator[str]:
    """Sentences and phrasings of the rubrics, a random choice that is always the same."""
    found = {
        text
        for rubric in load_library(()).models()
        for sample in rubric.samples
        for text in _END.split(sample.answer)
    }
    yield from random.Random(1).sample(sorted(found), min(ANSWERS, len(found)))


def fitted(rows: Sequence[tuple[str, str]]) -> tuple[list[str], LogisticRegression]:
    """The features kept, the most telling, and the regression over these alone."""
    labels = [act for _, act in rows]
    found = DictVectorizer()
    table = found.fit_transform([dict.fromkeys(features(text), 1) for text, _ in rows])
    often = np.asarray((table > 0).sum(0)).ravel()
    first = LogisticRegression(C=1, max_iter=300).fit(table, labels)
    telling = np.abs(first.coef_).max(0) * often**0.25 * (often >= RARE)
    kept = np.argsort(-telling)[:FEATURES]
    last = LogisticRegression(C=2, max_iter=300).fit(table[:, kept], labels)
    return [str(name) for name in found.get_feature_names_out()[kept]], last


def _written(rows: Sequence[tuple[str, str]]) -> str:
    names, model = fitted(rows)
    weights = np.clip(np.round(model.coef_.T * SCALE), -128, 127).astype(np.int8)
    data = {
        "classes": list(model.classes_),
        "start": [int(each) for each in np.round(model.intercept_ * SCALE)],
        "features": names,
        "weights": b85encode(weights.tobytes()).decode(),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--write", action="store_true", help="train on all, and write the file")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """Train on all, and write what was learned if asked to."""
    rows = [*told(), *((text, "answer") for text in answers())]
    text = _written(rows)
    if asked.write:
        FILE.write_text(text, encoding="utf-8")
    yield Figure("rows learned from", len(rows), f"{len(text) // 1024} KB")
