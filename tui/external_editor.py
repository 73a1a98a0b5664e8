"""Writing in the editor that the user has set."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

DEFAULT = "vi"


def is_set() -> bool:
    """Whether $VISUAL or $EDITOR names one."""
    return bool(_named())


def editor_command() -> list[str]:
    """The command of $VISUAL or $EDITOR."""
    return shlex.split(_named() or DEFAULT)


def edit_file(path: Path) -> None:
    """Edit the file itself; blocks until the editor is left.

    Raises OSError, ValueError or CalledProcessError if that did not work.
    """
    subprocess.run([*editor_command(), str(path)], check=True)


def edited(text: str) -> str:
    """The text after editing; blocks and raises likewise."""
    with tempfile.TemporaryDirectory(prefix="interviewer-") as folder:
        path = Path(folder) / "answer.md"
        path.write_text(text, encoding="utf-8")
        edit_file(path)
        return path.read_text(encoding="utf-8").removesuffix("\n")


def _named() -> str:
    return os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
