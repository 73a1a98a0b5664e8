"""All usable rubrics by id, with an index that saves parsing unchanged files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from interviewer.content import fields
from interviewer.content.collection import Collection, Origin, collect
from interviewer.content.files import Reading, read, write_over
from interviewer.content.kinds import RUBRICS
from interviewer.content.problems import FieldPath, Locator, Problem
from interviewer.errors import RubricFileError
from interviewer.rubric import figure, terms
from interviewer.rubric import rubric as model
from interviewer.rubric.rubric import Difficulty, QuestionKind, Rubric


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


_INDEX = TypeAdapter(dict[str, _Kept])


class Index:
    """Summaries by file. Without a ``place`` nothing is kept.

    It only saves time: an index that cannot be read counts as empty, and one that cannot be
    written is rebuilt at the next start.
    """

    def __init__(self, place: Path | None = None) -> None:
        self._place = place
        self._kept: dict[str, _Kept] = {}
        self._seen: dict[str, _Kept] = {}
        with suppress(OSError, ValueError, KeyError, TypeError):
            body = json.loads(place.read_text("utf-8")) if place else {"made_by": None}
            if body["made_by"] == _made_by():
                self._kept = _INDEX.validate_python(body["files"])

    def get(self, path: Path) -> Summary | None:
        """The summary of this file, if the file has not changed since."""
        kept = self._kept.get(str(path))
        if kept is None or kept.stamp != _stamp(path):
            return None
        self._seen[str(path)] = kept
        return kept.summary

    def put(self, path: Path, summary: Summary) -> None:
        """Keep the summary of a sound file."""
        if stamp := _stamp(path):
            self._seen[str(path)] = _Kept(stamp, summary)

    def save(self) -> None:
        """Write what was read or put since the start; files that are gone are forgotten."""
        if self._place is None or self._seen == self._kept:
            return
        body = {"made_by": _made_by(), "files": _INDEX.dump_python(self._seen, mode="json")}
        # A read-only home or a full disk: every start parses, as the first did.
        with suppress(RubricFileError):
            write_over(self._place, json.dumps(body))


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:  # gone meanwhile: whoever reads it will say so
        return None
    return found.st_mtime_ns, found.st_size


def _made_by() -> list[list[int]]:
    """The code that read the files: what it accepts may have changed."""
    sources = (module.__file__ or "" for module in (fields, figure, model, terms))
    stamps = [_stamp(Path(source)) for source in (*sources, str(terms.TABLE))]
    return [list(stamp) for stamp in stamps if stamp]


Library = Collection[Summary, Rubric]


def load_library(own: Iterable[Path] = (), index: Path | None = None) -> Library:
    """Load the shipped rubrics and those of a person's own folders, subfolders included.

    The patterns of own rubrics are compiled, so that no answer meets a broken one; those of shipped
    rubrics are checked by tests. ``index`` is the file that keeps the summaries of sound rubrics:
    what has not changed since is not read again.
    """
    known = Index(index)
    read_now: dict[Path, Rubric] = {}

    def summarise(path: Path, origin: Origin) -> Reading[Summary]:
        if summary := known.get(path):
            lines: dict[FieldPath, int] = {("id",): summary.line} if summary.line else {}
            return Reading(summary, (), Locator(path, lines))
        reading = read(path, Rubric)
        rubric, problems = reading.value, reading.problems
        if rubric is not None and origin == "yours":
            problems = (*problems, *_unreadable_patterns(rubric, reading.where))
        if rubric is None or problems:
            return Reading(None, problems, reading.where)
        summary = summary_of(rubric, reading.where.line(("id",)))
        known.put(path, summary)
        read_now[path] = rubric
        return Reading(summary, (), reading.where)

    def load(path: Path, _summary: Summary) -> Rubric:
        return read_now.get(path) or read(path, Rubric).required()

    library = collect(RUBRICS, own, summarise, load)
    known.save()
    return library


def _unreadable_patterns(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    # It loads re2, which only own rubrics need.
    from interviewer.rubric.lint import unreadable_patterns

    yield from unreadable_patterns(rubric, where)


def snapshot(rubric: Rubric) -> dict[str, Any]:
    """The rubric as JSON values, to be stored with a session."""
    return rubric.model_dump(mode="json")


def load_snapshot(values: Mapping[str, Any]) -> Rubric:
    """The rubric of a snapshot; raises RubricFileError where it is damaged."""
    try:
        return Rubric.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"]) or "its top level"
        raise RubricFileError(
            f"The rubric stored with this session is damaged at {place} ({first['msg']}); "
            "restore the database from a backup to continue the session."
        ) from error
