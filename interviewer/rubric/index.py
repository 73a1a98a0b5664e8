"""What rubric files hold in brief, kept from one start to the next.

Parsing a hundred files takes as long as starting the program ten times over, and most starts need
a few questions only. So the brief of every sound file is kept with the file's time and size, and
the file itself is read when its question is wanted.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from interviewer.errors import RubricFileError
from interviewer.rubric import rubric as model
from interviewer.rubric import terms
from interviewer.rubric.rubric import Difficulty, QuestionKind, Rubric
from interviewer.rubric.writing import write_over


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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
