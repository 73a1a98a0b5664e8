"""Fields of content files: the types that all kinds share, and what is wrong with a field."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from interviewer.errors import RubricFileError

SHORTEST_SLUG = 2
LONGEST_SLUG = 80
SLUG_PATTERN = "^[a-z0-9]+(-[a-z0-9]+)*$"

Slug = Annotated[
    str,
    StringConstraints(pattern=SLUG_PATTERN, min_length=SHORTEST_SLUG, max_length=LONGEST_SLUG),
]
"""An id: lower-case words joined by hyphens."""
LONGEST_TEXT = 8000
"""Characters."""
Text = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TEXT)
]
Name = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", min_length=1, max_length=24)
]
"""A quantity's name at the bench."""
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Frozen(BaseModel):
    """A part of a content file: immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


FieldPath = tuple[str | int, ...]
Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Problem:
    """What is wrong in a file, where, and how to fix it. An error makes the file unusable.

    ``line`` counts from 1 and ``field`` is a path such as ``criteria[2].weight``; for the file as a
    whole they are None and empty. All text is printable.
    """

    path: str
    line: int | None
    field: str
    severity: Severity
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return ": ".join(part for part in (place, self.field, self.message) if part)


@dataclass(frozen=True)
class Locator:
    """Knows the line of each field of a file, for the problems that it makes."""

    path: Path
    lines: Mapping[FieldPath, int] = field(default_factory=dict)
    inside: FieldPath = ()
    """The part of the file that the paths of fields start from."""

    def within(self, part: FieldPath) -> Locator:
        """The same for the fields of this part."""
        return replace(self, inside=(*self.inside, *part))

    def line(self, where: FieldPath) -> int | None:
        """The line of the field, or of the nearest one around it."""
        for length in range(len(where), -1, -1):
            if where[:length] in self.lines:
                return self.lines[where[:length]]
        return None

    def error(self, where: FieldPath, message: str) -> Problem:
        """A problem that makes the file unusable."""
        return self._problem(where, message, "error")

    def warning(self, where: FieldPath, message: str) -> Problem:
        """A problem that weakens the file."""
        return self._problem(where, message, "warning")

    def _problem(self, where: FieldPath, message: str, severity: Severity) -> Problem:
        where = (*self.inside, *where)
        name = _printable(dotted(where))
        return Problem(
            _printable(str(self.path)), self.line(where), name, severity, _printable(message)
        )


class RefusedError(RubricFileError):
    """A file that cannot be read at all; carries its one problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class FieldsError(ValueError):
    """What a validator finds wrong with fields inside its value, each with its path."""

    def __init__(self, *faults: tuple[FieldPath, str]) -> None:
        super().__init__("; ".join(f"{dotted(where)}: {message}" for where, message in faults))
        self.faults = faults


def meant(name: str, known: Iterable[str], most: int = 3, cutoff: float = 0.5) -> str:
    """Which of the known names may have been meant, as the end of a sentence; "" if none."""
    close = difflib.get_close_matches(name, sorted(known), most, cutoff)
    return f"did you mean {' or '.join(close)}?" if close else ""


def dotted(where: FieldPath) -> str:
    """The path as people read it: ``criteria[0].id``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step[:60]}" for step in where)
    return "".join(steps).removeprefix(".")


def _printable(text: str) -> str:
    """Escape what could move a terminal's cursor or hide text."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
