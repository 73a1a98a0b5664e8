"""Many tasks from a file of JSON lines, and one text from a file or stdin."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import click

from interviewer.cli.console import complain
from interviewer.errors import InterviewerError


def opened(path: Path) -> BinaryIO:
    """The file, or stdin for "-"; raises InterviewerError where it cannot be opened."""
    if str(path) == "-":
        return sys.stdin.buffer
    try:
        return path.open("rb")
    except OSError as error:
        raise InterviewerError(f"{path} cannot be read: {error.strerror}.") from error


def text_from(path: Path | None, what: str) -> str:
    """The file's text, or stdin's; raises InterviewerError where it is not UTF-8."""
    if path is None and sys.stdin.isatty():
        complain(f"Type the {what} and end it with Ctrl-D.")
    with opened(path or Path("-")) as stream:
        data = stream.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InterviewerError(f"The {what} is not UTF-8 text; save it as such.") from error


def task_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers from 1."""
    with opened(path) as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield number, line


def task_of(number: int, line: bytes) -> dict[str, Any]:
    """The JSON object on a line; raises InterviewerError where it is none."""
    try:
        task = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InterviewerError(f"Line {number} is not JSON in UTF-8.") from error
    if not isinstance(task, dict):
        raise InterviewerError(f"Line {number} is JSON, but no object with an id and its texts.")
    return task


def texts_of(task: dict[str, Any], *names: str) -> tuple[str, ...]:
    """The fields of these names; raises InterviewerError where one is missing or no text."""
    texts = [task.get(name) for name in names]
    if not all(isinstance(text, str) for text in texts):
        wanted = " and ".join(f'"{name}"' for name in names)
        raise InterviewerError(f"A line needs the text{'s' * (len(names) > 1)} {wanted}.")
    return tuple(str(text) for text in texts)


def end_batch(lines: int, failed: int, done: str) -> None:
    """Exit code 1 with a count where lines failed; each told its reason in its own place."""
    if failed:
        raise click.ClickException(f"{failed} of {lines} lines could not be {done}.")
