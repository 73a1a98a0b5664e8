"""Finding content files, shipped and a person's own, and joining them by id."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

from interviewer.content.fields import Locator, Problem, RefusedError, meant
from interviewer.content.files import FileReading, read, text_of
from interviewer.content.kinds import CHALLENGES, PLANS, Kind
from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.names import current

Origin = Literal["shipped", "yours"]

_OTHER_KINDS = frozenset({PLANS.subfolder, CHALLENGES.subfolder})
"""Folders beside the rubrics that hold files of another kind."""


class Named(Protocol):
    """What files are joined by."""

    @property
    def id(self) -> str:
        """Unique within a kind."""


S = TypeVar("S", bound=Named)
M = TypeVar("M")
B = TypeVar("B", bound=BaseModel)


@dataclass(frozen=True)
class Entry(Generic[S, M]):
    """One file; ``summary`` is what lists show. It may be one that ``replaces`` a shipped one."""

    summary: S
    path: Path
    origin: Origin
    load: Callable[[], M] = field(repr=False, compare=False)
    replaces: bool = False

    @cached_property
    def model(self) -> M:
        """The whole file. Raises RubricFileError if it has become unusable since it was listed."""
        return self.load()

    @property
    def provenance(self) -> str:
        """The origin in words, replacement included."""
        return f"{self.origin}, replaces shipped" if self.replaces else self.origin


@dataclass(frozen=True)
class Collection(Generic[S, M]):
    """The usable files of one kind by id. ``problems`` covers the unusable ones."""

    kind: Kind
    entries: Mapping[str, Entry[S, M]]
    problems: tuple[Problem, ...] = ()

    def get(self, name: str) -> Entry[S, M]:
        """The entry with this id. Raises RubricFileError for a bad file, else UnknownNameError."""
        if entry := self.entries.get(name) or self.entries.get(current(name)):
            return entry
        if found := [each for each in self.problems if _is_about(each, name)]:
            raise RubricFileError(f"The {self.kind.noun} {name!r} cannot be used: {found[0]}.")
        raise UnknownNameError(f"There is no {self.kind.noun} {name!r}; {self.suggestion(name)}")

    def suggestion(self, name: str) -> str:
        """Which ids may have been meant, as the end of a sentence."""
        shown = f"'interviewer {self.kind.group} list' shows them all."
        return meant(name, self.entries) or shown

    def summaries(self) -> tuple[S, ...]:
        """All summaries, sorted by id; reads no file."""
        return tuple(self.entries[name].summary for name in sorted(self.entries))

    def models(self) -> tuple[M, ...]:
        """All models, sorted by id."""
        return tuple(self.entries[name].model for name in sorted(self.entries))


def _is_about(problem: Problem, name: str) -> bool:
    """Whether the file, which cannot be used, is called so or would have this id."""
    path = Path(problem.path)
    with suppress(RefusedError):
        id_ = rf"^id: *(['\"]?){re.escape(name)}\1 *(#|$)"
        return path.stem == name or bool(re.search(id_, text_of(path), re.MULTILINE))
    return False


def yaml_files(folder: Path) -> tuple[tuple[Path, ...], tuple[Problem, ...]]:
    """The YAML files below a folder, sorted, and the folders that could not be read.

    Hidden names and subfolders of another kind (``plans``, ``challenges``) are left out. Symbolic
    links are followed, each folder once.
    """
    found: list[Path] = []
    problems: list[Problem] = []
    visited: set[Path] = set()

    def visit(place: Path) -> None:
        try:
            if place.resolve() in visited:
                return
            visited.add(place.resolve())
            children = sorted(place.iterdir())
        except OSError as error:
            message = (
                f"the folder cannot be read ({error.strerror}); check its name and permissions"
            )
            problems.append(Locator(place).error((), message))
            return
        for child in children:
            if child.name.startswith("."):
                continue
            if child.suffix in {".yaml", ".yml"}:
                found.append(child)
            elif child.is_dir() and child.name not in _OTHER_KINDS:
                visit(child)

    visit(folder)
    return tuple(found), tuple(problems)


def collect(
    kind: Kind,
    own: Iterable[Path],
    look: Callable[[Path, Origin], FileReading[S]],
    load: Callable[[Path, S], M],
) -> Collection[S, M]:
    """The shipped files of a kind and those of a person's ``own`` folders.

    ``look`` summarises a file, ``load`` gives the whole of one that was summarised. A file that
    cannot be used is a problem of its own and never keeps others from loading. Own files replace
    shipped ones with the same id; of two own ones the first stays, and the second is a problem.
    A folder that does not exist holds no files.
    """
    problems: list[Problem] = []
    entries: dict[str, Entry[S, M]] = {}

    def entry(summary: S, path: Path, origin: Origin, replaces: bool = False) -> Entry[S, M]:
        return Entry(summary, path, origin, lambda: load(path, summary), replaces)

    for value, where in _usable([kind.shipped], "shipped", look, problems):
        entries[value.id] = entry(value, where.path, "shipped")
    for value, where in _usable(own, "yours", look, problems):
        there = entries.get(value.id)
        if there and there.origin == "yours":
            message = f"is also the id of {there.path}, which is used; give each its own"
            problems.append(where.error(("id",), message))
        else:
            entries[value.id] = entry(value, where.path, "yours", there is not None)
    return Collection(kind, MappingProxyType(entries), tuple(problems))


def _usable(
    folders: Iterable[Path],
    origin: Origin,
    look: Callable[[Path, Origin], FileReading[S]],
    problems: list[Problem],
) -> Iterator[tuple[S, Locator]]:
    for folder in folders:
        paths, unread = yaml_files(folder) if folder.exists() else ((), ())
        problems += unread
        for path in paths:
            reading = look(path, origin)
            problems += reading.problems
            if reading.value is not None:
                yield reading.value, reading.where


def read_all(paths: Iterable[Path], model: type[B]) -> tuple[list[FileReading[B]], list[Problem]]:
    """Read files and folders; the problems are unreadable folders, and ids that two files share."""
    readings: list[FileReading[B]] = []
    problems: list[Problem] = []
    for path in paths:
        found, unread = yaml_files(path) if path.is_dir() else ((path,), ())
        problems += unread
        first_with: dict[str, Path] = {}
        for file in found:
            reading = read(file, model)
            readings.append(reading)
            name = getattr(reading.value, "id", None)
            if name is not None and (first := first_with.setdefault(name, file)) is not file:
                message = f"is also the id of {first}; give each its own"
                problems.append(reading.where.error(("id",), message))
    return readings, problems


def lint_files(
    paths: Iterable[Path], model: type[B], lint: Callable[[B, Locator], Iterable[Problem]]
) -> tuple[int, list[Problem]]:
    """Check files and folders: how many files were read, and all problems by file and line."""
    readings, problems = read_all(paths, model)
    for reading in readings:
        problems += reading.problems
        if reading.value is not None:
            problems += lint(reading.value, reading.where)
    return len(readings), sorted(problems, key=lambda problem: (problem.path, problem.line or 0))
