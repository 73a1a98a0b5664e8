"""Putting new files beside a person's own: whole or not at all, and never over another."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interviewer.errors import RubricFileError


def require_new(path: Path) -> None:
    """Refuse a name that something has already; raises RubricFileError."""
    if os.path.lexists(path):
        raise RubricFileError(_there_already(path))


def write_new(path: Path, text: str) -> None:
    """Write a file that was not there, its folder included.

    Raises RubricFileError where something has its name already, or where it cannot be written.
    """
    with _draft(path, text) as draft:
        try:
            os.link(draft, path)
        except FileExistsError:
            raise RubricFileError(_there_already(path)) from None
        except OSError:  # a file system without hard links
            require_new(path)
            draft.rename(path)


def keep_text(path: Path, text: str) -> Path:
    """Write the text under this name, or with a number where that is taken, and tell which.

    Raises RubricFileError.
    """
    number, free = 1, path
    while os.path.lexists(free):
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    write_new(free, text)
    return free


def schema_beside(folder: Path, name: str, text: str) -> str:
    """The address of the schema as files in this folder write it.

    That is a copy in the folder itself, brought up to date here: it goes along when the folder is
    moved or shared, while a path into the installed program ends with the next upgrade. A folder
    whose parent holds the schema, as the shipped ones, uses that. Raises RubricFileError.
    """
    path = folder / name
    if not path.exists() and (folder.parent / name).exists():
        return f"../{name}"
    try:
        stale = not path.exists() or path.read_bytes() != text.encode()
    except OSError as error:
        raise RubricFileError(f"{path} cannot be read ({error.strerror}); check it.") from error
    if stale:
        write_over(path, text)
    return name


def write_over(path: Path, text: str) -> None:
    """Write a file of the program's own, whole or not at all. Raises RubricFileError."""
    with _draft(path, text) as draft:
        draft.replace(path)


def put_whole(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file over what was there, its folder included, whole or not at all.

    With ``durable`` it is on the disk when this returns. Raises OSError.
    """
    with _beside(path, data, durable=durable) as draft:
        draft.replace(path)


@contextmanager
def _draft(path: Path, text: str) -> Iterator[Path]:
    """The text in a hidden file beside the path, which is gone afterwards."""
    try:
        with _beside(path, text.encode()) as draft:
            yield draft
    except OSError as error:
        why = error.strerror or str(error)
        raise RubricFileError(
            f"{path} cannot be written ({why}); make room there or name another folder with --to."
        ) from error


@contextmanager
def _beside(path: Path, data: bytes, *, durable: bool = False) -> Iterator[Path]:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as stream:
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _there_already(path: Path) -> str:
    return f"{path} is there already and stays as it is; edit it, or choose another id."
