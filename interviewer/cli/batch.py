"""Batches: one JSON object per line in, one line of JSON out for each."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import click

from interviewer.cli.console import opened, say_json
from interviewer.errors import InterviewerError

batch_path = click.Path(path_type=Path, allow_dash=True)


def run_batch(path: Path, work: Callable[[dict[str, Any]], dict[str, Any]], done: str) -> None:
    """Print the result of ``work`` for each line, in order, as soon as it is there.

    A line that fails gives its reason under ``error`` and stops no other; any failure means exit
    code 1. ``done`` is the verb for the closing sentence.
    """
    lines = failed = 0
    for number, line in _lines(path):
        lines += 1
        task: dict[str, Any] = {}
        try:
            task = _task(number, line)
            result = work(task)
        except InterviewerError as error:
            failed += 1
            result = {"error": str(error)}
        say_json({"id": task.get("id")} | result)
    _complain_of(failed, lines, done)


async def run_batch_together(
    path: Path,
    work: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]],
    done: str,
    at_once: int,
) -> None:
    """As :func:`run_batch`, with up to ``at_once`` lines in work at the same time."""
    lines = failed = 0
    under_way: deque[asyncio.Task[dict[str, Any]]] = deque()

    async def worked(number: int, line: bytes) -> dict[str, Any]:
        task: dict[str, Any] = {}
        try:
            task = _task(number, line)
            result = await work(task)
        except InterviewerError as error:
            nonlocal failed
            failed += 1
            result = {"error": str(error)}
        return {"id": task.get("id")} | result

    for number, line in _lines(path):
        lines += 1
        under_way.append(asyncio.create_task(worked(number, line)))
        if len(under_way) == at_once:
            say_json(await under_way.popleft())
    while under_way:
        say_json(await under_way.popleft())
    _complain_of(failed, lines, done)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that hold anything, with their numbers."""
    with opened(path) as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield number, line


def _complain_of(failed: int, lines: int, done: str) -> None:
    if failed:
        raise click.ClickException(f"{failed} of {lines} lines could not be {done}.")


def texts_of(task: dict[str, Any], *names: str) -> tuple[str, ...]:
    """The fields of these names; raises InterviewerError if one is missing or not text."""
    texts = [task.get(name) for name in names]
    if not all(isinstance(text, str) for text in texts):
        wanted = " and ".join(f'"{name}"' for name in names)
        raise InterviewerError(f"A line needs the text{'s' * (len(names) > 1)} {wanted}.")
    return tuple(str(text) for text in texts)


def _task(number: int, line: bytes) -> dict[str, Any]:
    try:
        task = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InterviewerError(f"Line {number} is not JSON in UTF-8.") from error
    if not isinstance(task, dict):
        raise InterviewerError(f"Line {number} is not a JSON object with an id and its texts.")
    return task
