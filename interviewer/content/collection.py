"""Finding rubric, plan and challenge files, shipped and a person's own, and joining them by id."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, Protocol, TypeVar

from interviewer.content.files import Reading
from interviewer.content.problems import Locator, Problem
from interviewer.errors import UnknownNameError

Origin = Literal["shipped", "yours"]

PLANS = "plans"
CHALLENGES = "challenges"
OTHER_KINDS = frozenset({PLANS, CHALLENGES})
"""Folders beside the rubrics that hold files of another kind."""


class Named(Protocol):
    """What files are joined by."""

    @property
    def id(self) -> str:
        """Unique among its kind."""


M = TypeVar("M", bound=Named)
T = TypeVar("T")


@dataclass(frozen=True)
class Found(Generic[M]):
    """What a file holds, and the file. ``replaces`` says that a shipped one has the same id."""

    value: M
    path: Path
    origin: Origin
    replaces: bool = False


def yaml_files(folder: Path) -> tuple[tuple[Path, ...], tuple[Problem, ...]]:
    """The YAML files below a folder in sorted order, and what could not be looked into.

    Hidden entries are left out, as are sub-folders of another kind (``plans``, ``challenges``).
    Symbolic links are followed, each folder once.
    """
    found: list[Path] = []
    problems: list[Problem] = []
    visited: set[Path] = set()

    def visit(place: Path) -> None:
        try:
            if place.resolve() in visited:
                return
            visited.add(place.resolve())
            entries = sorted(place.iterdir())
        except OSError as error:
            message = f"the folder cannot be read ({error.strerror}); check its name and rights"
            problems.append(Locator(place).error((), message))
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.suffix in {".yaml", ".yml"}:
                found.append(entry)
            elif entry.is_dir() and entry.name not in OTHER_KINDS:
                visit(entry)

    visit(folder)
    return tuple(found), tuple(problems)


def collect(
    shipped: Path, own: Iterable[Path], look: Callable[[Path, Origin], Reading[M]]
) -> tuple[dict[str, Found[M]], tuple[Problem, ...]]:
    """All usable files by id, and the problems of the others.

    ``look`` reads a file, or knows already what is in it. Own files replace shipped ones of the
    same id; of two own ones the first stays, and the second is a problem. A folder that does not
    exist holds no files.
    """
    problems: list[Problem] = []
    found: dict[str, Found[M]] = {}
    for value, where in _usable([shipped], "shipped", look, problems):
        found[value.id] = Found(value, where.path, "shipped")
    for value, where in _usable(own, "yours", look, problems):
        there = found.get(value.id)
        if there and there.origin == "yours":
            message = f"is the id of {there.path} as well, which is used; give each its own"
            problems.append(where.error(("id",), message))
        else:
            found[value.id] = Found(value, where.path, "yours", there is not None)
    return found, tuple(problems)


def look_up(named: Mapping[str, T], name: str, noun: str, listing: str | None = None) -> T:
    """The value of this name; raises UnknownNameError, which lists what comes close.

    ``listing`` is the command that shows all names, where it is not called after the noun.
    """
    if name in named:
        return named[name]
    raise UnknownNameError(f"There is no {noun} {name!r}; {close_to(name, named, noun, listing)}")


def close_to(name: str, known: Iterable[str], noun: str, listing: str | None = None) -> str:
    """Which known names may be meant, as the end of a sentence."""
    close = difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"'{listing or f'interviewer {noun}s list'}' shows all there are."


def _usable(
    folders: Iterable[Path],
    origin: Origin,
    look: Callable[[Path, Origin], Reading[M]],
    problems: list[Problem],
) -> Iterator[tuple[M, Locator]]:
    for folder in folders:
        paths, unread = yaml_files(folder) if folder.exists() else ((), ())
        problems += unread
        for path in paths:
            reading = look(path, origin)
            problems += reading.problems
            if reading.value is not None:
                yield reading.value, reading.where
