"""Paths as people write them, and files for their owner's eyes alone."""

from __future__ import annotations

import os
from pathlib import Path

from interviewer.errors import InterviewerError


def expanded(given: str | Path) -> Path:
    """The path with ``~`` and ``~user`` replaced by that home. Raises InterviewerError."""
    if "\0" in str(given):
        raise InterviewerError(f"{str(given)!r} holds a NUL character, which no path can.")
    try:
        return Path(given).expanduser()
    except RuntimeError as error:
        raise InterviewerError(
            f"{str(given)!r} begins with the home folder of nobody known here; write the path in "
            "full."
        ) from error


def make_own(folder: Path) -> None:
    """Make a folder, and each that is missing above it, for their owner alone. Raises OSError.

    What XDG asks of folders for data and settings; ``Path.mkdir`` would give only the last of them
    its mode.
    """
    if not folder.is_dir():
        make_own(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def owner_only(path: str, flags: int) -> int:
    """An ``opener`` for ``open``: a file made by it can be read by its owner alone."""
    return os.open(path, flags, 0o600)
