"""Writing the rubrics of a question list: nothing twice, nothing over another, the rest lands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from interviewer.rubric.importing.drafting import file_text, is_difficulty, rubric_of
from interviewer.rubric.importing.question import Item, Question, Skipped
from interviewer.rubric.rubric import Rubric
from interviewer.rubric.slugs import free_slug, is_slug, slug_of
from interviewer.rubric.text import normalise
from interviewer.rubric.writing import write_new

_NOT_A_WORD = re.compile(r"\W+")


@dataclass(frozen=True)
class Imported:
    """A rubric that was written, and the line of its question."""

    line: int
    id: str
    path: Path


@dataclass
class Outcome:
    """What came of a question list."""

    written: list[Imported] = field(default_factory=list)
    duplicates: list[Question] = field(default_factory=list)
    """Questions that were there already, or stand in the list twice."""
    skipped: list[Skipped] = field(default_factory=list)


@dataclass(frozen=True)
class Destination:
    """Where imported rubrics go, and what they are called there."""

    folder: Path
    schema: str
    """The schema's address as the files write it."""
    source: str
    """The name of the list, for the comment at their top."""
    round: str
    topic: str


def import_questions(items: Iterable[Item], there: Iterable[Rubric], to: Destination) -> Outcome:
    """Write a rubric for every question that none of those ``there`` asks.

    Raises RubricFileError where the folder cannot be written; what was written stays, and is
    passed over the next time.
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
    """Ids in use, and names of files: one of them may hold a broken rubric or another id."""

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
    """What makes two questions the same: their words, whatever stands between them."""
    return _NOT_A_WORD.sub(" ", normalise(question).text).strip()
