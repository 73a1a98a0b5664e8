"""All rubrics at hand, by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from interviewer.errors import RubricFileError
from interviewer.rubric.files import shipped_folder
from interviewer.rubric.folders import Origin, collect, look_up
from interviewer.rubric.problems import Locator, Problem
from interviewer.rubric.rubric import Rubric


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

    A file that can't be used is a problem of its own and keeps no other from loading. A folder
    that does not exist holds none. The patterns of own rubrics are compiled, so that no answer
    meets a broken one; those of shipped rubrics are held in order by tests.
    """
    found, problems = collect(
        shipped_folder(), folders, Rubric, lambda rubric: rubric.id, _unreadable_patterns
    )
    entries = {name: Entry(f.value, f.path, f.origin, f.replaces) for name, f in found.items()}
    return Library(MappingProxyType(entries), problems)


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
