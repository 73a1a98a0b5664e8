"""From YAML text to plain values, with the line of every field.

Files come from anywhere, so nothing in them is trusted: depth, aliases and tags are bounded while
the parser's events are read, before a value is built.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from interviewer.rubric.problems import FieldPath, Locator, Problem, RefusedError

DEEPEST = 24
"""Levels of nesting; a rubric needs seven. libyaml's own composer overflows on thousands."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAGS = "tag:yaml.org,2002:"
_PLAIN_TAGS = frozenset(_TAGS + name for name in ("null", "bool", "int", "float", "str"))
CONTROL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Document:
    """One YAML document. ``problems`` holds what is wrong with single fields.

    Raises RefusedError where nothing can be read at all.
    """

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self.lines: dict[FieldPath, int] = {}
        self.problems: list[Problem] = []
        control = CONTROL.search(text)
        if control:
            line = text.count("\n", 0, control.start()) + 1
            raise self._refusal(line, f"holds the control character {control[0]!r}; remove it")
        self._parser = _Loader(text)
        try:
            self.values = self._document()
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            reason = getattr(error, "problem", None) or "unreadable"
            message = f"is not valid YAML ({reason}); check the indentation and quote the text"
            raise self._refusal(mark.line + 1 if mark else 1, message) from error
        finally:
            self._parser.dispose()

    @property
    def where(self) -> Locator:
        """Where each field stands."""
        return Locator(self._path, self.lines)

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
                raise self._refusal(_line(event), "has a field name that is no plain text")
            inner = (*where, event.value)
            if event.value in values:
                message = f"stands twice, first on line {self.lines[inner]}; remove one"
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
            self._complain(where, f"is no readable {tag.removeprefix(_TAGS)}; correct or quote it")
            return event.value

    def _complain(self, where: FieldPath, message: str, line: int | None = None) -> None:
        lines = {where: line} if line else self.lines
        self.problems.append(Locator(self._path, lines).error(where, message))

    def _refusal(self, line: int, message: str) -> RefusedError:
        return RefusedError(Locator(self._path, {(): line}).error((), message))


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
