"""Writing in the editor that the user has set in $VISUAL or $EDITOR."""

from __future__ import annotations

import os
from pathlib import Path

import click

FAILURES = (click.ClickException, OSError, ValueError)
"""What tells that the editor could not be used, or failed."""


def is_set() -> bool:
    return bool(os.environ.get("VISUAL") or os.environ.get("EDITOR"))


def edit_file(path: Path) -> None:
    """Edit the file itself; blocks until the editor is left, and raises one of FAILURES."""
    click.edit(filename=str(path))


def edited(text: str) -> str:
    """The text after editing; blocks and raises likewise."""
    written = click.edit(text, extension=".md", require_save=False)
    return text if written is None else written.removesuffix("\n")
