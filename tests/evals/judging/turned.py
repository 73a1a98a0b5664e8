"""Whether the opposite of what is right still counts as said, over the whole library.

Right statements are taken from the rubrics: claims, accepted phrasings, and the words that earned a
point in a full sample. Each is turned round in its deciding place: its only verb is denied, or its
only word of direction, one that the claim has too, becomes its opposite (``turned.yaml``). Then
what the rubrics themselves call wrong, and accepted phrasings that must not be called so.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml
from evals.attacks.transforms import negate_verbs
from evals.figures import Figure, count, share
from support.judged import checked, verdicts_on
from support.shipped import shipped_rubrics

from interviewer.grading.transcript import exchange
from interviewer.rubric.rubric import Criterion, Rating, Rubric
from interviewer.rubric.text import NEGATOR, has_negator

CREDIT = (Rating.MET, Rating.PARTIAL)
_SEVERAL_CLAUSES = re.compile(
    r"[,;:()?\n]| - |\b(?:and|but|so|because|while|which|if|when|that|what|only|until|unless|no"
    r"|before|after|who|where|as|than)\b"
)


class Statement(NamedTuple):
    """What is right about one point."""

    rubric: Rubric
    criterion: Criterion
    text: str


def measure(_asked: argparse.Namespace) -> Iterator[Figure]:
    """How much of what is turned round still counts, and what the rubrics call right or wrong."""
    rubrics = shipped_rubrics()
    right = [each for rubric in rubrics for each in _right(rubric)]
    for name, turn in (("verb denied", _denied), ("direction turned", _turned)):
        yield _still_met(f"{name}: still met", right, turn)
    wrong = [
        Statement(rubric, criterion, each.claim)
        for rubric in rubrics
        for criterion in rubric.criteria
        for each in criterion.misconceptions
    ]
    credited = [each for each in wrong if _verdict(each) in CREDIT]
    yield share("misconceptions credited", len(credited), len(wrong), map(_told, credited))
    accepted = [each for each in right if each.text in each.criterion.accept]
    accused = (each for each in accepted if _verdict(each) is Rating.CONTRADICTED)
    yield count("accepted phrasings called wrong", map(_told, accused), len(accepted))


def _right(rubric: Rubric) -> Iterator[Statement]:
    for criterion in rubric.criteria:
        for text in (criterion.claim, *criterion.accept):
            yield Statement(rubric, criterion, text)
    for sample in rubric.samples:
        if sample.kind == "full":
            for found in checked(rubric, exchange(rubric.question, sample.answer)):
                if found.verdict is Rating.MET:
                    text = " ".join(quote.text for quote in found.quotes)
                    yield Statement(rubric, rubric.criterion(found.criterion), text)


def _verdict(said: Statement) -> Rating | None:
    """On this point alone; None if it is not graded."""
    point = said.rubric.on_point(said.criterion.id)
    return verdicts_on(point, said.text).get(said.criterion.id)


def _still_met(
    name: str, right: list[Statement], turn: Callable[[Statement], str | None]
) -> Figure:
    """Of those that are met, or are the claim itself, and can be turned round."""
    pairs = ((each, text) for each in right if (text := turn(each)))
    turned = [
        each._replace(text=text)
        for each, text in pairs
        if each.text == each.criterion.claim or _verdict(each) is Rating.MET
    ]
    met = [each for each in turned if _verdict(each) is Rating.MET]
    return share(name, len(met), len(turned), map(_told, met))


def _denied(said: Statement) -> str | None:
    """With its one verb denied; None if it has several clauses or denies something itself."""
    if _SEVERAL_CLAUSES.search(said.text.lower()) or has_negator(said.text.lower()):
        return None
    text = negate_verbs(said.text)
    return text if len(NEGATOR.findall(text.lower())) == 1 else None


def _turned(said: Statement) -> str | None:
    """With its one word of direction turned; None if it has none that the claim has."""
    found = list(_direction().finditer(said.text))
    if len(found) != 1 or has_negator(said.text.lower()):
        return None
    word, (start, end) = found[0][0].lower(), found[0].span()
    if not re.search(rf"\b{word}\b", said.criterion.claim, re.IGNORECASE):
        return None
    return f"{said.text[:start]}{_opposites()[word]}{said.text[end:]}"


@cache
def _opposites() -> Mapping[str, str]:
    pairs: dict[str, str] = yaml.safe_load(
        Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    )
    return {other: word for word, other in reversed(pairs.items())} | pairs


@cache
def _direction() -> re.Pattern[str]:
    return re.compile(rf"(?<!or )\b(?:{'|'.join(_opposites())})\b(?!-)", re.IGNORECASE)


def _told(said: Statement) -> str:
    return f"{said.rubric.id} {said.criterion.id}: {said.text}"
