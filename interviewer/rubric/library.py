"""All usable rubrics by id, with an index that saves parsing unchanged files."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import fields as fields_of
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass as checked_dataclass

from interviewer.content import fields
from interviewer.content.collection import Collection, Origin, collect
from interviewer.content.fields import FieldPath, Locator
from interviewer.content.files import FileReading, read, write_over
from interviewer.content.kinds import RUBRICS
from interviewer.errors import RubricFileError
from interviewer.rubric import figure, terms
from interviewer.rubric import rubric as model
from interviewer.rubric.rubric import Criterion, Difficulty, Escalation, QuestionKind, Rubric


@checked_dataclass(frozen=True)
class Summary:
    """What lists show of a rubric and plans draw by. ``line`` is that of its id in the file."""

    id: str
    title: str
    question: str
    round: str
    topic: str
    difficulty: Difficulty
    kind: QuestionKind
    covers: tuple[str, ...] = ()
    line: int | None = None


def summary_of(rubric: Rubric, line: int | None = None) -> Summary:
    shown = {each.name: getattr(rubric, each.name) for each in fields_of(Summary)[:-1]}
    return Summary(**shown, line=line)


@checked_dataclass(frozen=True)
class _Kept:
    stamp: tuple[int, int]
    summary: Summary


@checked_dataclass(frozen=True)
class _Index:
    """Summaries of sound rubrics by file. It only saves time."""

    made_by: list[tuple[int, int]]
    files: dict[str, _Kept]


_INDEX = TypeAdapter(_Index)


def _kept_in(index: Path | None) -> dict[str, _Kept]:
    """What an index has; one that cannot be used counts as empty."""
    with suppress(OSError, ValueError):
        found = _INDEX.validate_json(index.read_bytes()) if index else None
        if found and found.made_by == _made_by():
            return found.files
    return {}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:  # gone meanwhile: whoever reads it will say so
        return None
    return found.st_mtime_ns, found.st_size


def _made_by() -> list[tuple[int, int]]:
    """The code that read the files: what it accepts may have changed."""
    sources = (module.__file__ or "" for module in (fields, figure, model, terms))
    stamps = (_stamp(Path(source)) for source in (*sources, str(terms.TABLE)))
    return list(filter(None, stamps))


Library = Collection[Summary, Rubric]


def load_library(own: Iterable[Path] = (), index: Path | None = None) -> Library:
    """Load the shipped rubrics and those of a person's own folders, subfolders included.

    Patterns of own rubrics are compiled, so that no answer meets a broken one. ``index`` is the
    file that keeps summaries of sound rubrics: what has not changed since is not read again.
    """
    kept, seen = _kept_in(index), dict[str, _Kept]()
    read_now: dict[Path, Rubric] = {}

    def summarise(path: Path, origin: Origin) -> FileReading[Summary]:
        name, stamp = str(path), _stamp(path)
        if name in kept and kept[name].stamp == stamp:
            seen[name] = kept[name]
            summary = kept[name].summary
            lines: dict[FieldPath, int] = {("id",): summary.line} if summary.line else {}
            return FileReading(summary, (), Locator(path, lines))
        reading = read(path, Rubric)
        rubric, problems = reading.value, reading.problems
        if rubric is not None and origin == "yours":
            from interviewer.rubric.lint import (
                unreadable_patterns,
            )  # loads re2, which start-up needs not

            problems = (*problems, *unreadable_patterns(rubric, reading.where))
        if rubric is None or problems:
            return FileReading(None, problems, reading.where)
        summary = summary_of(rubric, reading.where.line(("id",)))
        if stamp:
            seen[name] = _Kept(stamp, summary)
        read_now[path] = rubric
        return FileReading(summary, (), reading.where)

    def load(path: Path, _summary: Summary) -> Rubric:
        return read_now.get(path) or read(path, Rubric).required()

    library = collect(RUBRICS, own, summarise, load)
    if index and seen != kept:
        # A read-only home or a full disk: every start parses, as the first did.
        with suppress(RubricFileError):
            write_over(index, _INDEX.dump_json(_Index(_made_by(), seen)).decode())
    return library


def snapshot(rubric: Rubric) -> dict[str, Any]:
    """The rubric as JSON values, to be stored with a session."""
    return rubric.model_dump(mode="json")


def remains(rubric: str, question: str, points: Iterable[str]) -> Rubric:
    """What is still known of a rubric that is lost: version 0, with its points by their ids."""
    point = partial(Criterion.model_construct, weight=1.0, kind="fact", probe="")
    known: dict[str, Any] = {"id": rubric, "title": rubric, "topic": rubric, "question": question}
    known |= {"version": 0, "round": "", "difficulty": "medium", "kind": "concept", "reference": ""}
    known |= {"criteria": tuple(point(id=each, claim=each) for each in points)}
    # Whichever harder variant was asked, there is one; what it asked for is among the points.
    return Rubric.model_construct(**known, escalations=(Escalation(ask=question),) * 9)
