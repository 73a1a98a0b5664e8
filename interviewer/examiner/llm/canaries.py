"""Planted criteria: points of quite another question, which no answer to this one makes.

They look like the rest of the answer key, since they are somebody's answer key. A judge that
credits one has not read the answer, so nothing that it found counts. They are never scored.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from interviewer.content.collection import yaml_files
from interviewer.content.files import read
from interviewer.content.kinds import RUBRICS
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.evidence import candidate_turns, suspicions
from interviewer.grading.verdicts import Flag
from interviewer.rubric.rubric import Criterion, Rubric
from interviewer.rubric.text import COMMON_STEMS, content_stems

SHARE = 0.25
"""Of all questions. A canary costs about a hundred tokens a call."""
MOST_KNOWN = 0.2
"""The share of a canary's own words that may occur in the question, its key or the first answer."""
FEWEST_WORDS = 6
"""Shorter claims mean little without their question."""
_LISTS = ("accept", "reject", "misconceptions")


@dataclass(frozen=True)
class Canary:
    """The planted criterion, and how many criteria of the answer key come before it."""

    criterion: Criterion
    place: int

    def among(self, criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
        """The criteria with the planted one in its place."""
        return (*criteria[: self.place], self.criterion, *criteria[self.place :])


def canary_for(context: QuestionContext, share: float = SHARE) -> Canary | None:
    """The canary of this question, if it has one; always the same for the same first answer.

    It reads a shipped rubric or two, which takes some milliseconds.
    """
    answers = candidate_turns(context.turns)
    first = answers[0].text if answers else ""
    draw = random.Random(f"{context.rubric.id} {context.rubric.version} {first}")
    chosen = draw.random() < share
    place = draw.randrange(3)
    if not chosen and not (share and Flag.INJECTION_SUSPECTED in suspicions(context.turns)):
        return None
    planted = next(_strangers(context.rubric, first, draw), None)
    if planted is None:
        return None
    return Canary(_in_the_style_of(context.rubric, planted), place)


def _strangers(rubric: Rubric, answer: str, draw: random.Random) -> Iterator[Criterion]:
    """Criteria of other rounds and topics that share hardly a word with this question."""
    claims = " ".join(criterion.claim for criterion in rubric.criteria)
    known = content_stems(" ".join((rubric.question, rubric.reference, claims, answer)))
    taken = {criterion.id for criterion in rubric.criteria}
    files = [path for path in _shipped() if path.parent.name != rubric.round]
    for path in draw.sample(files, len(files)):
        other = _read(path)
        if other is None or rubric.topic in (other.topic, other.id):
            continue
        for criterion in draw.sample(other.criteria, len(other.criteria)):
            if criterion.id not in taken and _is_far_from(known, criterion):
                yield criterion


def _is_far_from(known: Collection[str], criterion: Criterion) -> bool:
    """A whole claim with its wordings, about something else altogether."""
    own = content_stems(criterion.claim) - COMMON_STEMS
    return (
        criterion.kind in ("fact", "mechanism", "number")
        and bool(criterion.accept and criterion.reject)
        and len(own) >= FEWEST_WORDS
        and len(own.intersection(known)) <= MOST_KNOWN * len(own)
    )


def _in_the_style_of(rubric: Rubric, planted: Criterion) -> Criterion:
    """Without the lists that no criterion of this rubric has: they would tell it apart."""
    unused = [each for each in _LISTS if not any(getattr(c, each) for c in rubric.criteria)]
    return planted.model_copy(update=dict.fromkeys(unused, ()))


@lru_cache(maxsize=1)
def _shipped() -> tuple[Path, ...]:
    """The files of all shipped rubrics, in a fixed order."""
    files, _ = yaml_files(RUBRICS.shipped)
    return files


@lru_cache(maxsize=64)
def _read(path: Path) -> Rubric | None:
    return read(path, Rubric).value
