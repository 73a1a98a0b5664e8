"""Writing a long answer in the editor that the user has set."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

DEFAULT = "vi"


def editor_command() -> list[str]:
    """The command of $VISUAL or $EDITOR."""
    return shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or DEFAULT)


def edited(text: str) -> str:
    """The text after editing; blocks until the editor is left.

    Raises OSError, ValueError or CalledProcessError if that did not work.
    """
    with tempfile.TemporaryDirectory(prefix="interviewer-") as folder:
        path = Path(folder) / "answer.md"
        path.write_text(text, encoding="utf-8")
        subprocess.run([*editor_command(), str(path)], check=True)
        return path.read_text(encoding="utf-8").removesuffix("\n")
