"""Answers and commands that a program or a file gives, a whole one at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from interviewer.cli.conversation import Said, UnusableError, from_entry, json_value
from interviewer.errors import InterviewerError


def read_script(path: Path) -> tuple[Said, ...]:
    """The entries of a script, in order.

    Raises InterviewerError with the line of the first entry that cannot be used.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InterviewerError(f"The script {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InterviewerError(f"The script {path} is not UTF-8 text; save it as such.") from error
    # A YAML list begins with "-" or "[", JSON lines with a string or an object.
    commands = _json_lines if text.lstrip()[:1] in ('"', "{") else _yaml_list
    return tuple(commands(path, text))


@contextmanager
def _placed(path: Path, line: int) -> Iterator[None]:
    try:
        yield
    except UnusableError as unusable:
        raise InterviewerError(f"{path}:{line}: {unusable}") from unusable


def _json_lines(path: Path, text: str) -> Iterator[Said]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            with _placed(path, number):
                command = from_entry(json_value(line))
            yield command


def _yaml_list(path: Path, text: str) -> Iterator[Said]:
    try:
        document = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InterviewerError(f"{path}:{line}: not valid YAML ({error.problem}).") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise InterviewerError(f"{path} is not valid YAML.") from error
    if not isinstance(document, yaml.SequenceNode):
        raise InterviewerError(f"{path}:1: a script is a YAML list of answers, or JSON lines.")
    for node in document.value:
        with _placed(path, node.start_mark.line + 1):
            command = from_entry(_plain(node))
        yield command


def _plain(node: yaml.Node) -> Any:
    """Scalars and flat mappings as text, so that an answer of 42 or "yes" stays text."""
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.MappingNode):
        pairs = ((_plain(key), _plain(value)) for key, value in node.value)
        return {key: value for key, value in pairs if isinstance(key, str)}
    return None


class Script:
    """Input prepared in advance."""

    sees_events = False

    def __init__(self, commands: Iterable[Said]) -> None:
        self._commands = iter(commands)

    async def next_command(self) -> Said | None:
        return next(self._commands, None)

    def clock_took(self, text: str) -> None:
        """A script's answers are complete: there is nothing to drop."""


class JsonLines:
    """A JSON string, or an object with "say" or "command", on each line."""

    sees_events = True

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines

    async def next_command(self) -> Said | None:
        async for line in self._lines:
            if line.strip():
                return from_entry(json_value(line))
        return None

    def clock_took(self, text: str) -> None:
        """A line is a complete answer: there is nothing to drop."""
