"""All rubrics at hand: the shipped ones and a person's own, which replace shipped ones by id."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.rubric.files import M, Reading, read, shipped_folder, yaml_files
from interviewer.rubric.problems import Problem
from interviewer.rubric.rubric import Rubric

Origin = Literal["shipped", "yours"]
T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """A rubric and where it comes from. ``replaces`` says that a shipped one has the same id."""

    rubric: Rubric
    path: Path
    origin: Origin
    replaces: bool = False


@dataclass(frozen=True)
class Library:
    """Rubrics by id. ``problems`` tells of the files that are not among them."""

    entries: Mapping[str, Entry]
    problems: tuple[Problem, ...] = ()

    def get(self, rubric_id: str) -> Entry:
        """The rubric with this id; raises UnknownNameError with the ids that come close."""
        return look_up(self.entries, rubric_id, "rubric")

    def rubrics(self) -> tuple[Rubric, ...]:
        """All rubrics, in the order of their ids."""
        return tuple(self.entries[name].rubric for name in sorted(self.entries))


def load_library(folders: Iterable[Path] = ()) -> Library:
    """Load the shipped rubrics and those of the given folders, sub-folders included.

    A folder that does not exist holds none. A file that can't be used is a problem of its own and keeps no other from loading. Patterns are
    not compiled here; that they can be is for the lint to say.
    """
    entries: dict[str, Entry] = {}
    problems: list[Problem] = []
    for reading in read_all((shipped_folder(),), Rubric, problems):
        rubric = reading.required()
        entries[rubric.id] = Entry(rubric, reading.where.path, "shipped")
    for reading in read_all(folders, Rubric, problems):
        rubric = reading.required()
        there = entries.get(rubric.id)
        if there and there.origin == "yours":
            message = f"is the id of {there.path} as well, which is used; give each its own"
            problems.append(reading.where.error(("id",), message))
        else:
            entries[rubric.id] = Entry(rubric, reading.where.path, "yours", there is not None)
    return Library(MappingProxyType(entries), tuple(problems))


def read_all(
    folders: Iterable[Path], model: type[M], problems: list[Problem]
) -> Iterable[Reading[M]]:
    """The usable files below the folders; what is wrong with others is added to ``problems``."""
    for folder in folders:
        paths, unread = yaml_files(folder) if folder.exists() else ((), ())
        problems += unread
        for path in paths:
            reading = read(path, model)
            problems += reading.problems
            if reading.value is not None:
                yield reading


def look_up(named: Mapping[str, T], name: str, noun: str) -> T:
    """The value of this name; raises UnknownNameError, which lists what comes close."""
    if name in named:
        return named[name]
    close = difflib.get_close_matches(name, sorted(named), n=3, cutoff=0.5)
    hint = (
        f"did you mean {' or '.join(close)}?"
        if close
        else f"'interviewer {noun}s list' shows all there are."
    )
    raise UnknownNameError(f"There is no {noun} {name!r}; {hint}")


def snapshot(rubric: Rubric) -> dict[str, Any]:
    """The rubric as JSON values, for keeping with a session."""
    return rubric.model_dump(mode="json")


def load_snapshot(values: Mapping[str, Any]) -> Rubric:
    """The rubric of a snapshot; raises RubricFileError where it is damaged."""
    try:
        return Rubric.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"]) or "the whole"
        raise RubricFileError(
            f"The rubric kept with this session is damaged at {place}: {first['msg']}; "
            "the session can be exported, but not continued."
        ) from error
