"""Rubric files of one's own: copying one there, writing and deleting it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from interviewer.content.files import (
    read_text,
    rendered,
    require_new,
    text_of,
    write_new,
    write_over,
)
from interviewer.content.kinds import RUBRICS
from interviewer.content.scaffold import free_slug, require_slug, schema_beside, schema_text
from interviewer.errors import RubricFileError
from interviewer.rubric.library import Library
from interviewer.rubric.rubric import Rubric

_ID = re.compile(r"^id:.*$", re.MULTILINE)
_NUMBER = re.compile(r"-\d+$")
_SCHEMA = re.compile(r"^#\s*yaml-language-server:.*$", re.MULTILINE)


def unused_id(library: Library, rubric_id: str) -> str:
    """An id for a copy of this rubric, numbered."""
    return free_slug(_NUMBER.sub("", rubric_id), library.entries)


def about_id(library: Library, rubric_id: str) -> str:
    """What a copy with this id would be, "" for a new one. Raises RubricFileError."""
    require_slug(rubric_id, "an id")
    there = library.entries.get(rubric_id)
    if there is None:
        return ""
    if there.origin == "yours":
        raise RubricFileError(
            f"{rubric_id} is the id of {there.path} already; edit that file, or choose another id."
        )
    return "Your copy will replace the shipped question: you will be asked yours instead."


def copy_rubric(library: Library, rubric_id: str, new_id: str, folder: Path) -> Path:
    """Copy the file under this id; its path. Raises UnknownNameError and RubricFileError."""
    entry = library.get(rubric_id)
    about_id(library, new_id)
    path = folder / f"{new_id}.yaml"
    require_new(path)
    schema = schema_beside(folder, RUBRICS, schema_text(Rubric))
    text = _SCHEMA.sub(f"# yaml-language-server: $schema={schema}", text_of(entry.path), count=1)
    text = _ID.sub(f"id: {new_id}", text, count=1)
    made = read_text(entry.path, text, Rubric).value
    if made is None or made.id != new_id:
        raise RubricFileError(
            f"{entry.path}: id: must stand on a line of its own, as in 'id: {new_id}'; "
            "otherwise no copy can be made."
        )
    write_new(path, text)
    return path


def put_answer(path: Path, values: Mapping[str, Any]) -> None:
    """Write an answered rubric over its file, below the comments. Raises RubricFileError."""
    top = takewhile(lambda line: line.startswith("#"), text_of(path).splitlines())
    write_over(path, rendered(values, heading=(line.removeprefix("#").strip() for line in top)))


def delete_own(path: Path) -> None:
    """Delete a rubric file of one's own, which sessions keep. Raises RubricFileError."""
    if path.resolve().is_relative_to(RUBRICS.shipped.resolve()):
        raise RubricFileError(f"{path} is shipped with the program and cannot be deleted.")
    try:
        path.unlink()
    except OSError as error:
        raise RubricFileError(f"{path} cannot be deleted ({error.strerror}).") from error
