"""Reading one rubric or plan file into its model."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from interviewer.errors import RubricFileError
from interviewer.rubric.document import Document
from interviewer.rubric.problems import FieldPath, FieldsError, Locator, Problem, RefusedError

LARGEST_FILE = 512 * 1024
"""Bytes."""

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")


@dataclass(frozen=True)
class Reading(Generic[T]):
    """What came of a file: the value, or None where ``problems`` holds an error."""

    value: T | None
    problems: tuple[Problem, ...]
    where: Locator

    def required(self) -> T:
        """The value; raises RubricFileError with the first error where there is none."""
        if self.value is None:
            first, *more = self.problems
            rest = f" (and {len(more)} more in this file)" if more else ""
            raise RubricFileError(f"{first}{rest}")
        return self.value


def read(path: Path, model: type[M]) -> Reading[M]:
    """Read one file. Never raises for what the file holds; all its problems are reported."""
    try:
        document = Document(path, text_of(path))
    except RefusedError as refused:
        return Reading(None, (refused.problem,), Locator(path))
    where = document.where
    problems = list(document.problems)
    known = {problem.field for problem in problems}
    value: M | None = None
    try:
        value = model.model_validate(document.values)
    except ValidationError as invalid:
        for details in _own(invalid.errors()):
            found = _explained(details, model, where)
            problems += [problem for problem in found if problem.field not in known]
    problems.sort(key=lambda problem: problem.line or 0)
    return Reading(None if problems else value, tuple(problems), where)


def shipped_folder() -> Path:
    """The folder of the rubrics that come with the program."""
    return Path(str(files("rubrics")))


def text_of(path: Path, *, largest: int = LARGEST_FILE) -> str:
    """The file's text, at most ``largest`` bytes. Raises RefusedError, in a sentence."""

    def refusal(message: str, line: int | None = None) -> RefusedError:
        lines: dict[FieldPath, int] = {(): line} if line else {}
        return RefusedError(Locator(path, lines).error((), message))

    try:
        if path.is_dir():
            raise refusal("is a folder, not a file; rename it or name a file")
        if path.exists() and not path.is_file():
            raise refusal("is not a regular file; put one in its place")
        with path.open("rb") as stream:
            data = stream.read(largest + 1)
    except OSError as error:
        message = f"cannot be read ({error.strerror}); check that it exists and its rights"
        raise refusal(message) from error
    if len(data) > largest:
        size = f"{largest // 1024**2} MB" if largest >= 1024**2 else f"{largest // 1024} KB"
        raise refusal(f"is larger than {size}; shorten or split it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal("is not UTF-8 text; save it in that encoding", line) from error


_SENTENCES = {
    "missing": "is missing; add it",
    "string_type": "must be text; put quotes around it",
    "tuple_type": "must be a list",
    "dict_type": "must be fields with values",
    "model_type": "must be fields with values",
    "model_attributes_type": "must be fields with values",
    "float_parsing": "must be a number",
    "int_parsing": "must be a whole number",
    "string_pattern_mismatch": "must be lower-case words joined by hyphens, as in dpo-versus-ppo",
}
_NAME = "^[A-Za-z]"
"""How the patterns of names begin that stand in derivations and code."""


def _own(errors: Sequence[ErrorDetails]) -> Iterator[ErrorDetails]:
    """All but lists that are called too short only because an item of theirs is refused."""
    places = [error["loc"] for error in errors]
    for error in errors:
        inside = (place[: len(error["loc"])] == error["loc"] for place in places)
        if error["type"] != "too_short" or sum(inside) == 1:
            yield error


def _explained(details: ErrorDetails, model: type[BaseModel], where: Locator) -> Iterator[Problem]:
    path: FieldPath = tuple(part for part in details["loc"] if part != "[key]")
    cause = details.get("ctx", {}).get("error")
    if isinstance(cause, FieldsError):
        for inner, message in cause.faults:
            yield where.error((*path, *inner), message)
    else:
        yield where.error(path, _sentence(details, path, model))


def _sentence(details: ErrorDetails, path: FieldPath, model: type[BaseModel]) -> str:
    kind = details["type"]
    if kind == "extra_forbidden":
        return "is not a known field; " + _spelling(str(path[-1]), _field_names(model))
    if kind == "string_pattern_mismatch" and details["ctx"]["pattern"].startswith(_NAME):
        return "must be a letter, then letters, digits and underscores only"
    if kind in _SENTENCES:
        return _SENTENCES[kind]
    # The wording is the validator's own, "Input should be …", which the field name precedes.
    message = re.sub(r"^Value error, ", "", details["msg"])
    message = re.sub(r"^(?:Input|String|Tuple|Value|\w+) should ", "must ", message)
    return message.replace(" after validation", "")


@cache
def _field_names(model: type[BaseModel]) -> set[str]:
    schema = model.model_json_schema()
    parts = [schema, *schema.get("$defs", {}).values()]
    return {name for part in parts for name in part.get("properties", {})}


def _spelling(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.7)
    return f"did you mean {close[0]}?" if close else "remove it"
