"""Reading the script of an interview: a YAML list, or JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from interviewer.cli.commands import UnusableError, from_entry
from interviewer.errors import InterviewerError
from interviewer.interview.commands import Command


def read_script(path: Path) -> tuple[Command, ...]:
    """The commands of a script, in order.

    Raises InterviewerError naming the line of the first entry that cannot be used.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InterviewerError(f"The script {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InterviewerError(f"The script {path} is not UTF-8 text; save it as such.") from error
    # A YAML list begins with "-" or "[", a JSON line with what it holds.
    entries = _json_lines if text.lstrip()[:1] in ('"', "{") else _yaml_list
    commands: list[Command] = []
    line = 1
    try:
        for line, entry in entries(text):
            commands.append(from_entry(entry))
    except UnusableError as unusable:
        raise InterviewerError(f"{path}:{unusable.line or line}: {unusable}") from unusable
    return tuple(commands)


def json_value(line: str) -> Any:
    """The value of one JSON line; raises UnusableError."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnusableError("This line is not JSON; put the answer in double quotes.") from error


def _json_lines(text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json_value(line)
            except UnusableError as unusable:
                unusable.line = number
                raise


def _yaml_list(text: str) -> Iterator[tuple[int, Any]]:
    try:
        document = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UnusableError(f"This is not valid YAML ({error.problem}).", line=line) from error
    if not isinstance(document, yaml.SequenceNode):
        raise UnusableError("A script is a YAML list of answers, or JSON lines.")
    for node in document.value:
        yield node.start_mark.line + 1, _plain(node)


def _plain(node: yaml.Node) -> Any:
    """Text and flat mappings of text as written, so that an answer of 42 or "yes" stays text."""
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.MappingNode):
        pairs = ((_plain(key), _plain(value)) for key, value in node.value)
        return {key: value for key, value in pairs if isinstance(key, str)}
    return None
