"""All rubrics at hand, by id, with an index that saves parsing unchanged files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from interviewer.content.collection import Origin, collect, look_up
from interviewer.content.files import Reading, read, shipped_folder, write_over
from interviewer.content.problems import FieldPath, Locator, Problem
from interviewer.errors import RubricFileError
from interviewer.rubric import rubric as model
from interviewer.rubric import terms
from interviewer.rubric.rubric import Difficulty, QuestionKind, Rubric


@checked_dataclass(frozen=True)
class Brief:
    """By what a rubric is listed and drawn. ``line`` is that of its id in the file."""

    id: str
    title: str
    round: str
    topic: str
    difficulty: Difficulty
    kind: QuestionKind
    covers: tuple[str, ...] = ()
    line: int | None = None


def brief_of(rubric: Rubric, line: int | None = None) -> Brief:
    """The rubric in brief."""
    return Brief(
        id=rubric.id,
        title=rubric.title,
        round=rubric.round,
        topic=rubric.topic,
        difficulty=rubric.difficulty,
        kind=rubric.kind,
        covers=rubric.covers,
        line=line,
    )


@checked_dataclass(frozen=True)
class _Kept:
    stamp: tuple[int, int]
    brief: Brief


_INDEX = TypeAdapter(dict[str, _Kept])


class Index:
    """Briefs by file. Without a ``place`` nothing is kept.

    It only saves time: an index that cannot be read counts as empty, and one that cannot be
    written is built anew at the next start.
    """

    def __init__(self, place: Path | None = None) -> None:
        self._place = place
        self._kept = _read(place) if place else {}
        self._seen: dict[str, _Kept] = {}

    def get(self, path: Path) -> Brief | None:
        """The brief of this file, if it is as it was when it was read."""
        kept = self._kept.get(str(path))
        if kept is None or kept.stamp != _stamp(path):
            return None
        self._seen[str(path)] = kept
        return kept.brief

    def put(self, path: Path, brief: Brief) -> None:
        """Keep the brief of a file that was found sound."""
        if stamp := _stamp(path):
            self._seen[str(path)] = _Kept(stamp, brief)

    def save(self) -> None:
        """Write what was got and put since the start; files no longer there are forgotten."""
        if self._place is None or self._seen == self._kept:
            return
        body = {"made_by": _made_by(), "files": _INDEX.dump_python(self._seen, mode="json")}
        # A read-only home, a full disk: every start parses, as the first did.
        with suppress(RubricFileError):
            write_over(self._place, json.dumps(body))


def _read(place: Path) -> dict[str, _Kept]:
    try:
        body: dict[str, Any] = json.loads(place.read_text("utf-8"))
        return _INDEX.validate_python(body["files"]) if body["made_by"] == _made_by() else {}
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return {}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:  # gone meanwhile: whoever reads it will tell
        return None
    return found.st_mtime_ns, found.st_size


def _made_by() -> list[list[int]]:
    """The code that read the files: what it accepts may change with it."""
    sources = (module.__file__ for module in (model, terms))
    stamps = [_stamp(Path(source)) for source in sources if source]
    return [list(stamp) for stamp in stamps if stamp]


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
    from interviewer.rubric.lint import unreadable_patterns  # re2 is for own rubrics only

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
