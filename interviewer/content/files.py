"""Reading and writing content files: YAML with line numbers, one clear problem per fault.

Drafts, texts that were typed and not yet submitted or saved, are files as well.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from interviewer.content.fields import (
    FieldPath,
    FieldsError,
    Locator,
    Problem,
    RefusedError,
    meant,
)
from interviewer.errors import RubricFileError, StoreError, StoreWriteError
from interviewer.paths import make_own

LARGEST_FILE = 512 * 1024
"""Bytes."""

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")


DEEPEST = 24
"""Levels of nesting; a rubric needs seven. libyaml's own composer overflows at thousands."""

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAGS = "tag:yaml.org,2002:"
_PLAIN_TAGS = frozenset(_TAGS + name for name in ("null", "bool", "int", "float", "str"))
CONTROL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class FileReading(Generic[T]):
    """The outcome of reading a file: a value, or None if ``problems`` holds an error."""

    value: T | None
    problems: tuple[Problem, ...]
    where: Locator

    def required(self) -> T:
        """The value; raises RubricFileError with the first error if there is none."""
        if self.value is None:
            first, *more = self.problems
            rest = f" (and {len(more)} more in this file)" if more else ""
            raise RubricFileError(f"{first}{rest}")
        return self.value


def read(path: Path, model: type[M]) -> FileReading[M]:
    """Read one file. Never raises for its contents: all problems are in the result."""
    try:
        text = text_of(path)
    except RefusedError as refused:
        return FileReading(None, (refused.problem,), Locator(path))
    return read_text(path, text, model)


def read_text(path: Path, text: str, model: type[M]) -> FileReading[M]:
    """The same for what the file would hold; the file itself is not looked at."""
    try:
        document = Document(path, text)
    except RefusedError as refused:
        return FileReading(None, (refused.problem,), Locator(path))
    where = Locator(path, document.lines)
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
    return FileReading(None if problems else value, tuple(problems), where)


def text_of(path: Path, *, largest: int = LARGEST_FILE) -> str:
    """The file's text, at most ``largest`` bytes. Raises RefusedError."""
    return decoded(path, bytes_of(path, largest))


def bytes_of(path: Path, largest: int) -> bytes:
    """The file's contents. Raises RefusedError, also where they are larger than that."""
    try:
        if path.is_dir():
            raise _refusal(path, "is a folder, not a file; rename it or name a file")
        if path.exists() and not path.is_file():
            raise _refusal(path, "is not a regular file; replace it with one")
        with path.open("rb") as stream:
            data = stream.read(largest + 1)
    except OSError as error:
        message = f"cannot be read ({error.strerror}); check that it exists and its permissions"
        raise _refusal(path, message) from error
    if len(data) > largest:
        size = f"{largest // 1024**2} MB" if largest >= 1024**2 else f"{largest // 1024} KB"
        raise _refusal(path, f"is larger than {size}; shorten or split it")
    return data


def decoded(path: Path, data: bytes, encoding: str = "utf-8-sig") -> str:
    """The contents of the file as text. Raises RefusedError with the line of the fault."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _refusal(path, "is not UTF-8 text; save it in that encoding", line) from error


def _refusal(path: Path, message: str, line: int | None = None) -> RefusedError:
    return RefusedError(Locator(path, {(): line} if line else {}).error((), message))


class Document:
    """One YAML document and the ``problems`` of its fields. Raises RefusedError."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self.lines: dict[FieldPath, int] = {}
        self.problems: list[Problem] = []
        control = CONTROL.search(text)
        if control:
            line = text.count("\n", 0, control.start()) + 1
            raise self._refusal(line, f"holds the control character {control[0]!r}; remove it")
        self._parser = LOADER(text)
        try:
            self.values = self._document()
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            reason = getattr(error, "problem", None) or "unreadable"
            message = f"is not valid YAML ({reason}); check the indentation and quote the text"
            raise self._refusal(mark.line + 1 if mark else 1, message) from error
        finally:
            self._parser.dispose()

    def _document(self) -> dict[str, Any]:
        self._next()
        if isinstance(self._next(), yaml.StreamEndEvent):
            raise self._refusal(1, "is empty; write the fields of one question or plan")
        first = self._next()
        if not isinstance(first, yaml.MappingStartEvent):
            raise self._refusal(1, "must consist of fields with values, as in 'id: dpo-versus-ppo'")
        values = self._mapping(first, ())
        self._next()
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            raise self._refusal(_line(after), "holds several documents (---); keep the first only")
        return values

    def _next(self) -> yaml.Event:
        event: yaml.Event = self._parser.get_event()
        if getattr(event, "anchor", None) is not None:
            message = "uses an anchor or alias (& or *); write the value out or quote it"
            raise self._refusal(_line(event), message)
        return event

    def _value(self, event: yaml.Event, where: FieldPath) -> Any:
        if len(where) > DEEPEST:
            message = f"is nested more than {DEEPEST} levels deep; flatten it"
            raise self._refusal(_line(event), message)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(event, where)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, where)
        return self._scalar(event, where)

    def _mapping(self, start: yaml.Event, where: FieldPath) -> dict[str, Any]:
        self.lines.setdefault(where, _line(start))
        values: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._refusal(_line(event), "has a field name that is not plain text")
            inner = (*where, event.value)
            if event.value in values:
                message = f"appears twice, first on line {self.lines[inner]}; remove one"
                self._complain(inner, message, _line(event))
            else:
                self.lines[inner] = _line(event)
            values[event.value] = self._value(self._next(), inner)
        return values

    def _sequence(self, start: yaml.Event, where: FieldPath) -> list[Any]:
        self.lines.setdefault(where, _line(start))
        values: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            inner = (*where, len(values))
            self.lines.setdefault(inner, _line(event))
            values.append(self._value(event, inner))
        return values

    def _scalar(self, event: Any, where: FieldPath) -> Any:
        hidden = CONTROL.search(event.value)
        if hidden:
            self._complain(where, f"holds the control character {hidden[0]!r}; remove it")
        tag = event.tag
        if tag is None or tag == "!":
            tag = self._parser.resolve(yaml.ScalarNode, event.value, event.implicit)
        if tag in {f"{_TAGS}str", f"{_TAGS}timestamp"}:
            return event.value
        if tag not in _PLAIN_TAGS:
            self._complain(where, f"has the tag {tag}, which is not supported; quote the value")
            return event.value
        try:
            return self._parser.construct_object(yaml.ScalarNode(tag, event.value))
        except (ValueError, KeyError):
            self._complain(where, f"is not a valid {tag.removeprefix(_TAGS)}; correct or quote it")
            return event.value

    def _complain(self, where: FieldPath, message: str, line: int | None = None) -> None:
        lines = {where: line} if line else self.lines
        self.problems.append(Locator(self._path, lines).error(where, message))

    def _refusal(self, line: int, message: str) -> RefusedError:
        return _refusal(self._path, message, line)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


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
"""How the patterns of names in derivations and code begin."""


def _own(errors: Sequence[ErrorDetails]) -> Iterator[ErrorDetails]:
    """All errors but those of lists that are too short only because an item was rejected."""
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
        return "is not a known field; " + (
            meant(str(path[-1]), _field_names(model), 1, 0.7) or "remove it"
        )
    if kind == "string_pattern_mismatch" and details["ctx"]["pattern"].startswith(_NAME):
        return "must be a letter, then letters, digits and underscores only"
    if kind in _SENTENCES:
        return _SENTENCES[kind]
    # pydantic says "Input should be …"; here the field name comes first.
    message = re.sub(r"^Value error, ", "", details["msg"])
    message = re.sub(r"^(?:Input|String|Tuple|Value|\w+) should ", "must ", message)
    return message.replace(" after validation", "")


@cache
def _field_names(model: type[BaseModel]) -> set[str]:
    schema = model.model_json_schema()
    parts = [schema, *schema.get("$defs", {}).values()]
    return {name for part in parts for name in part.get("properties", {})}


WIDTH = 98
_LONGEST_PLAIN = 76
"""Characters of a text that still fits on the line of its field."""


class _Dumper(yaml.SafeDumper):
    """Indents lists, as the shipped files do."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)


def _as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else ">" if len(text) > _LONGEST_PLAIN else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _as_block)


def rendered(
    values: Mapping[str, Any],
    *,
    heading: Iterable[str] = (),
    notes: Mapping[str, Iterable[str]] | None = None,
) -> str:
    """The fields in order; ``heading`` and, above each field, its ``notes`` become comments."""
    parts = [*map(_comment, heading)]
    for field, value in values.items():
        parts += map(_comment, (notes or {}).get(field, ()))
        parts.append(as_yaml({field: value}))
    return "".join(parts)


def as_yaml(values: Mapping[str, Any]) -> str:
    """The values as YAML, ending with a newline."""
    text: str = yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)
    return text


def without_control(text: str) -> str:
    """The text with characters that YAML forbids replaced by spaces."""
    return CONTROL.sub(" ", text)


def _comment(line: str) -> str:
    """One line whatever the text, so that nothing in it becomes a field."""
    return f"# {' '.join(without_control(line).split())}\n"


def require_new(path: Path) -> None:
    """Raise RubricFileError if something already has this name."""
    if os.path.lexists(path):
        raise RubricFileError(_there_already(path))


def write_new(path: Path, text: str) -> None:
    """Write a new file and its folder. Raises RubricFileError, also if the name is taken."""
    with _draft(path, text) as draft:
        try:
            os.link(draft, path)
        except FileExistsError:
            raise RubricFileError(_there_already(path)) from None
        except OSError:  # a file system without hard links
            require_new(path)
            draft.rename(path)


def write_over(path: Path, text: str) -> None:
    """Write one of the program's own files, completely or not at all. Raises RubricFileError."""
    with _draft(path, text) as draft:
        draft.replace(path)


def put_whole(path: Path, data: bytes, *, durable: bool = False, mode: int | None = None) -> None:
    """Replace a file, completely or not at all, creating its folder.

    With ``durable`` it is on disk when this returns; ``mode`` are its permissions, None for the
    usual ones. Raises OSError.
    """
    with _beside(path, data, durable=durable, mode=mode) as draft:
        draft.replace(path)


@contextmanager
def _draft(path: Path, text: str) -> Iterator[Path]:
    """The text in a hidden file beside the path, removed afterwards."""
    try:
        with _beside(path, text.encode()) as draft:
            yield draft
    except OSError as error:
        why = error.strerror or str(error)
        raise RubricFileError(
            f"{path} cannot be written ({why}); make room there and try again."
        ) from error


@contextmanager
def _beside(
    path: Path, data: bytes, *, durable: bool = False, mode: int | None = None
) -> Iterator[Path]:
    make_own(path.parent)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as stream:
            if mode is not None:  # before anything is in it
                draft.chmod(mode)
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _there_already(path: Path) -> str:
    return f"{path} already exists and is left as it is; edit it, or choose another id."


class Drafts:
    """Drafts in a folder, which may not exist yet, by a key that can be the name of a file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> str:
        """The last saved text, "" if none. Raises StoreError."""
        path = self._path(key)
        try:
            return path.read_bytes().decode("utf-8", "replace")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise StoreError(f"The draft in {path} cannot be read: {error.strerror}.") from error

    def save(self, key: str, text: str) -> None:
        """Save the text durably; an empty one removes the draft. Raises StoreWriteError."""
        path = self._path(key)
        try:
            if text:
                put_whole(path, text.encode("utf-8", "replace"), durable=True, mode=0o600)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreWriteError(
                f"The draft cannot be written to {path}: {error.strerror}. "
                "It stays on the screen; free some space or fix the folder's permissions."
            ) from error

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.txt"
