"""What a sentence asks of the interviewer, if it is no answer: told by a small trained model.

``wishes.json`` is written by ``tests/evals/training/wishes.py`` from sentences as people type them:
a logistic regression over words, their neighbours and letters.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from base64 import b85decode
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from interviewer.rubric.text import normalise

FILE = Path(__file__).with_suffix(".json")
SURE, SURE_COSTLY, SURE_BESIDE = 0.5, 0.85, 0.95
"""The likelihood from which a sentence is taken for a wish, for what costs or offends whoever only
answered, and for a wish beside an answer."""
_COSTLY = ("wants_hint", "wants_skip", "wants_to_stop", "objects", "order", "insult")
SCALE = 10
"""Weights are stored as tenths, a byte each."""
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|\?")
_DIGITS = re.compile(r"\d+")
_LENGTHS = (2, 5, 9, 15)
_BEGINNING = 4


def features(sentence: str) -> frozenset[str]:
    """What the model goes by: one to three neighbouring words, beginnings of words, and letters."""
    text = _DIGITS.sub("0", normalise(sentence).text.lower())
    tokens = ["^", *_TOKEN.findall(text), "$"]
    letters = f"^{text.strip(' .!')}$"
    length = sum(len(tokens) - 2 > each for each in _LENGTHS)
    return frozenset(
        (
            *(" ".join(each) for each in _runs(tokens, 1, 3)),
            *(f"{each[:_BEGINNING]}~" for each in tokens if len(each) > _BEGINNING),
            *(f"c{each}" for each in _runs(letters, 3, 5)),
            f"#{length}",
        )
    )


def _runs(items: Any, shortest: int, longest: int) -> Iterator[Any]:
    for length in range(shortest, longest + 1):
        for start in range(len(items) - length + 1):
            yield items[start : start + length]


class _Model:
    """The file's contents: a row of weights for each feature, in the order of the classes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.classes: list[str] = data["classes"]
        self._start: list[int] = data["start"]
        weights = array("b", b85decode(data["weights"]))
        width = len(self.classes)
        self._rows = {
            name: weights[place * width : (place + 1) * width]
            for place, name in enumerate(data["features"])
        }

    def likelihoods(self, sentence: str) -> list[float]:
        """Of each class, 0..1."""
        rows = [row for each in features(sentence) if (row := self._rows.get(each))]
        totals = [math.exp(sum(each) / SCALE) for each in zip(self._start, *rows, strict=True)]
        return [each / sum(totals) for each in totals]


@cache
def _model() -> _Model:
    return _Model(json.loads(FILE.read_text(encoding="utf-8")))


def wish_of(sentence: str, sure: float = SURE) -> str | None:
    """What the sentence asks for, as a value of ``DialogueAct``; None for an answer or in doubt."""
    model = _model()
    best, wish = max(zip(model.likelihoods(sentence), model.classes, strict=True))
    needed = max(sure, SURE_COSTLY) if wish in _COSTLY else sure
    return wish if best >= needed and wish != "answer" else None
