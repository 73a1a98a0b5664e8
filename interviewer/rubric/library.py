"""All rubrics at hand, by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from interviewer.errors import RubricFileError
from interviewer.rubric.files import Reading, read, shipped_folder
from interviewer.rubric.folders import Origin, collect, look_up
from interviewer.rubric.index import Brief, Index, brief_of
from interviewer.rubric.problems import FieldPath, Locator, Problem
from interviewer.rubric.rubric import Rubric


@dataclass(frozen=True)
class Entry:
    """A rubric in brief and where it comes from.

    ``replaces`` says that a shipped one has the same id. ``loaded`` is the rubric where it was read
    already.
    """

    brief: Brief
    path: Path
    origin: Origin
    replaces: bool = False
    loaded: Rubric | None = field(default=None, repr=False, compare=False)

    @cached_property
    def rubric(self) -> Rubric:
        """The rubric whole. Raises RubricFileError where its file has been spoilt meanwhile."""
        return self.loaded or read(self.path, Rubric).required()

    @classmethod
    def of(cls, rubric: Rubric, path: Path, origin: Origin) -> Entry:
        """The entry of a rubric at hand."""
        return cls(brief_of(rubric), path, origin, loaded=rubric)


@dataclass(frozen=True)
class Library:
    """Rubrics by id. ``problems`` tells of the files that are not among them."""

    entries: Mapping[str, Entry]
    problems: tuple[Problem, ...] = ()

    def get(self, rubric_id: str) -> Entry:
        """The rubric with this id; raises UnknownNameError with the ids that come close."""
        return look_up(self.entries, rubric_id, "rubric")

    def briefs(self) -> tuple[Brief, ...]:
        """All rubrics in brief, in the order of their ids; no file is read for it."""
        return tuple(self.entries[name].brief for name in sorted(self.entries))

    def rubrics(self) -> tuple[Rubric, ...]:
        """All rubrics whole, in the order of their ids."""
        return tuple(self.entries[name].rubric for name in sorted(self.entries))


def load_library(folders: Iterable[Path] = (), index: Path | None = None) -> Library:
    """Load the shipped rubrics and those of the given folders, sub-folders included.

    A file that can't be used is a problem of its own and keeps no other from loading. A folder
    that does not exist holds none. The patterns of own rubrics are compiled, so that no answer
    meets a broken one; those of shipped rubrics are held in order by tests. ``index`` is the file
    in which sound rubrics are kept in brief: what has not changed since is not read again.
    """
    looker = _Looker(Index(index))
    found, problems = collect(shipped_folder(), folders, looker.look)
    looker.index.save()
    entries = {
        name: Entry(f.value, f.path, f.origin, f.replaces, looker.read.get(f.path))
        for name, f in found.items()
    }
    return Library(MappingProxyType(entries), problems)


class _Looker:
    """Reads what the index does not know."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.read: dict[Path, Rubric] = {}

    def look(self, path: Path, origin: Origin) -> Reading[Brief]:
        if known := self.index.get(path):
            lines: dict[FieldPath, int] = {("id",): known.line} if known.line else {}
            return Reading(known, (), Locator(path, lines))
        reading = read(path, Rubric)
        rubric, problems = reading.value, reading.problems
        if rubric is not None and origin == "yours":
            problems = (*problems, *_unreadable_patterns(rubric, reading.where))
        if rubric is None or problems:
            return Reading(None, problems, reading.where)
        brief = brief_of(rubric, reading.where.line(("id",)))
        self.index.put(path, brief)
        self.read[path] = rubric
        return Reading(brief, (), reading.where)


def _unreadable_patterns(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    from interviewer.rubric.lint_patterns import unreadable_patterns  # re2 is for own rubrics only

    yield from unreadable_patterns(rubric, where)


def snapshot(rubric: Rubric) -> dict[str, Any]:
    """The rubric as JSON values, for keeping with a session."""
    return rubric.model_dump(mode="json")


def load_snapshot(values: Mapping[str, Any]) -> Rubric:
    """The rubric of a snapshot; raises RubricFileError where it is damaged."""
    try:
        return Rubric.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"]) or "its top level"
        raise RubricFileError(
            f"The rubric kept with this session is damaged at {place} ({first['msg']}); "
            "restore the database from a backup to go on with the session."
        ) from error
