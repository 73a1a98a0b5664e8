"""Turning a question list into rubrics: draft each, write what is new, overwrite nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from interviewer.content.files import rendered, write_new
from interviewer.content.kinds import RUBRICS
from interviewer.content.scaffold import (
    free_slug,
    is_slug,
    schema_beside,
    schema_text,
    slug_of,
)
from interviewer.rubric.question_lists import Item, Question, Skipped
from interviewer.rubric.rubric import Difficulty, Rubric
from interviewer.rubric.text import normalise, sentences

MOST_CRITERIA = 6
FEWEST_WORDS = 3
"""A shorter sentence ("Yes.") is not a point of its own."""
NO_ANSWER = "TODO: what a very good answer says, as it would be spoken."
ANY_ANSWER = "The question is answered correctly, with the reason why it is so."
LONGEST_TITLE = 80
PROBES = (
    "What would you say first about this, and what makes you sure of it?",
    "Which part of this have you not spoken about yet, and what would you say on it?",
    "What happens there, step by step, as you understand it?",
    "What else belongs to a complete answer here, in your own words?",
    "Where have you seen this matter yourself, and what did you make of it?",
    "What would be missing if you stopped at what you have said so far?",
)
"""Neutral, and all different: an examiner does not ask the same thing twice."""
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_MARKS = re.compile(r"\*\*|__|`")
_WORD = re.compile(r"\w+")
_KIND: tuple[tuple[str, str], ...] = (
    (r"\b(?:derive|prove|show that)\b", "derivation"),
    (r"\b(?:versus|vs|compare|difference between|differ)\b", "comparison"),
    (r"\b(?:design|architect)\b", "design"),
    (r"\b(?:debug|diagnos\w+|goes wrong|went wrong)\b", "debugging"),
    (r"\b(?:how (?:much|many|long)|estimate)\b", "estimation"),
)


def rubric_of(question: Question, rubric_id: str, *, round_id: str, topic: str) -> dict[str, Any]:
    """The rubric as the fields of a file."""
    return {
        "id": rubric_id,
        "version": 1,
        "title": _title(question.question),
        "round": round_id,
        "topic": topic,
        "difficulty": question.difficulty.lower() or "medium",
        "kind": _kind(question.question),
        "question": " ".join(question.question.split()),
        "reference": question.answer or NO_ANSWER,
        "criteria": list(_criteria(question)),
    }


def file_text(rubric: dict[str, Any], *, schema: str, source: str) -> str:
    """The rubric as the text of a file, with comments on what is still to do."""
    return rendered(
        rubric,
        heading=[
            f"yaml-language-server: $schema={schema}",
            f"Imported from {source}. It can be asked as it is;",
            "'interviewer rubrics lint' lists what is missing.",
        ],
        notes={
            "criteria": [
                "One per sentence of the answer. Keep those that an answer must contain, weight",
                "them, and add accept, patterns, hints and a probe of their own.",
            ]
        },
    )


def is_difficulty(word: str) -> bool:
    """One of the words that rubrics know; none at all counts as medium."""
    return not word or word.lower() in get_args(Difficulty)


def _title(question: str) -> str:
    title = " ".join(question.split())
    if len(title) > LONGEST_TITLE:
        title = title[: LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"
    return title


def _kind(question: str) -> str:
    plain = normalise(question).text
    return next((kind for regex, kind in _KIND if re.search(regex, plain)), "concept")


def _criteria(question: Question) -> Iterator[dict[str, Any]]:
    points = list(dict.fromkeys(_points(question.answer)))[:MOST_CRITERIA] or [ANY_ANSWER]
    taken: set[str] = set()
    for probe, claim in zip(PROBES, points, strict=False):
        name = slug_of(claim, taken, otherwise="point")
        taken.add(name)
        yield {"id": name, "claim": claim, "weight": 1, "kind": "fact", "probe": probe}


def _points(answer: str) -> Iterator[str]:
    """The sentences of the answer without list markers; mere lead-ins are left out."""
    plain = normalise(answer)
    held = ""
    for start, end in sentences(plain):
        first, last = plain.original_span(start, end)
        piece = " ".join(_MARKS.sub("", _BULLET.sub("", answer[first:last])).split())
        if _BULLET.match(answer[first:last]):
            held = ""  # the line that introduces a list is not a point
        held = f"{held} {piece}".strip()
        if held.endswith((":", ";")):
            continue
        if len(_WORD.findall(held)) >= FEWEST_WORDS:
            yield held
        held = ""
    if len(_WORD.findall(held)) >= FEWEST_WORDS:
        yield held


_NOT_A_WORD = re.compile(r"\W+")


@dataclass(frozen=True)
class Imported:
    """A rubric that was written, and the line of its question."""

    line: int
    id: str
    path: Path


@dataclass
class Outcome:
    """The outcome of an import."""

    written: list[Imported] = field(default_factory=list)
    duplicates: list[Question] = field(default_factory=list)
    """Questions that existed already, or appear in the list twice."""
    skipped: list[Skipped] = field(default_factory=list)


@dataclass(frozen=True)
class Destination:
    """Where imported rubrics go, and what they are called there."""

    folder: Path
    schema: str
    """The schema's address, as the files write it."""
    source: str
    """The name of the list, for the comment at the top."""
    round: str
    topic: str


def destination(folder: Path, source: str, round_id: str, topic: str = "") -> Destination:
    """Where the list ``source`` goes, the schema put there; without ``topic`` that is the round.

    Raises RubricFileError.
    """
    schema = schema_beside(folder, RUBRICS, schema_text(Rubric))
    return Destination(folder, schema, source, round_id, topic or round_id)


def import_questions(items: Iterable[Item], there: Iterable[Rubric], to: Destination) -> Outcome:
    """Write a rubric for every question that no rubric in ``there`` asks.

    Raises RubricFileError if the folder cannot be written; what was written stays and is skipped
    the next time.
    """
    known = {rubric.id: _gist(rubric.question) for rubric in there}
    ids, asked = set(known), set(known.values())
    outcome = Outcome()
    for item in items:
        if isinstance(item, Skipped):
            outcome.skipped.append(item)
        elif _gist(item.question) in asked:
            outcome.duplicates.append(item)
        elif why := _why_not(item):
            outcome.skipped.append(Skipped(item.line, why))
        else:
            asked.add(_gist(item.question))
            _write(item, ids, to, outcome)
    return outcome


def _write(item: Question, ids: set[str], to: Destination, outcome: Outcome) -> None:
    taken = _Taken(ids, to.folder)
    as_it_is = is_slug(item.id)
    rubric_id = free_slug(item.id, taken) if as_it_is else slug_of(item.id or item.question, taken)
    topic = slug_of(item.topic) if item.topic else to.topic
    values = rubric_of(item, rubric_id, round_id=to.round, topic=topic)
    try:
        Rubric.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        outcome.skipped.append(Skipped(item.line, f"makes no rubric ({place}: {first['msg']})"))
        return
    path = to.folder / f"{rubric_id}.yaml"
    write_new(path, file_text(values, schema=to.schema, source=f"{to.source}, line {item.line}"))
    ids.add(rubric_id)
    outcome.written.append(Imported(item.line, rubric_id, path))


@dataclass(frozen=True)
class _Taken:
    """Ids in use, and file names: a file may hold a broken rubric or another id."""

    ids: set[str]
    folder: Path

    def __contains__(self, rubric_id: object) -> bool:
        return rubric_id in self.ids or os.path.lexists(self.folder / f"{rubric_id}.yaml")


def _why_not(item: Question) -> str:
    if not _gist(item.question):
        return "has a question without a word"
    if not is_difficulty(item.difficulty):
        return f"has the difficulty {item.difficulty!r}; use easy, medium or hard"
    return ""


def _gist(question: str) -> str:
    """What makes two questions the same: their words, whatever is between them."""
    return _NOT_A_WORD.sub(" ", normalise(question).text).strip()
