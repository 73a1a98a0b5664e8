"""What ships, loaded once for all tests of a process, and the sample of it that most runs test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from interviewer.content.collection import yaml_files
from interviewer.content.fields import Locator
from interviewer.content.files import FileReading, read
from interviewer.content.kinds import CHALLENGES, RUBRICS
from interviewer.rubric.library import Library, load_library
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenge import Catalogue, load_catalogue

SAMPLE = 8
DISCUSSIONS = "people"
"""The folder of the rubrics that are talked over and not graded."""
T = TypeVar("T")


def read_once(path: Path, model: type[Any]) -> FileReading[Any]:
    """As ``read``, except that files that ship are parsed once for all tests of a process."""
    return _shipped(path, model) if path.is_relative_to(RUBRICS.shipped) else read(path, model)


@cache
def _shipped(path: Path, model: type[Any]) -> FileReading[Any]:
    reading = read(path, model)
    if reading.problems:
        return reading
    # Only the library asks for a line of a sound file, and only for this one.
    line = reading.where.line(("id",))
    return FileReading(reading.value, (), Locator(path, {("id",): line} if line else {}))


@cache
def shipped_library() -> Library:
    return load_library()


def shipped_rubrics() -> tuple[Rubric, ...]:
    """All shipped rubrics that are graded, in the order of their files."""
    return tuple(each for each in shipped_library().models() if not each.is_discussion)


def graded_files() -> list[Path]:
    files, _ = yaml_files(RUBRICS.shipped)
    return [file for file in files if file.parent.name != DISCUSSIONS]


def shipped(rubric_id: str) -> Rubric:
    """One of them, without parsing the others."""
    (file,) = RUBRICS.shipped.rglob(f"{rubric_id}.yaml")
    return rubric_in(file)


def rubric_in(file: Path) -> Rubric:
    rubric: Rubric = read_once(file, Rubric).required()
    return rubric


def shipped_in_turn() -> Iterator[Rubric]:
    """All that are graded, by id; each is parsed when it is come to."""
    return map(rubric_in, sorted(graded_files(), key=lambda file: file.stem))


def sample(everything: Sequence[T], size: int = SAMPLE) -> list[T]:
    """Evenly spaced items, the first among them."""
    return list(everything[:: max(1, len(everything) // size)])


@cache
def shipped_catalogue() -> Catalogue:
    return load_catalogue()


def shipped_challenges() -> list[str]:
    return sorted(path.stem for path in CHALLENGES.shipped.glob("*.yaml"))
