"""Taking in what somebody wrote about their own work: a file, or a few sentences."""

from __future__ import annotations

import re
from pathlib import Path

from interviewer.errors import SettingsError

LARGEST_NOTES = 64 * 1024
"""Bytes."""
LEAST_WORDS = 8
_PATH = re.compile(r"[~./\\]?\S*[/\\]\S*|\S+\.(?:md|markdown|txt|text|rst)", re.IGNORECASE)


def read_notes(given: str) -> str:
    """The notes that ``given`` names, as the path of a text or Markdown file, or is.

    Raises SettingsError where a file cannot be read, is no text or too large, or where there is
    too little to ask about.
    """
    given = given.strip()
    path = Path(given).expanduser()
    text = _text_of(path) if _is_path(given, path) else given
    if len(text.split()) < LEAST_WORDS:
        raise SettingsError(
            f"The project notes hold fewer than {LEAST_WORDS} words; write what you built, with "
            "its numbers, or give the path of a text or Markdown file."
        )
    return text


def _is_path(given: str, path: Path) -> bool:
    if _PATH.fullmatch(given):
        return True
    try:
        return path.exists()
    except OSError:  # a description is too long a name to be looked up
        return False


def _text_of(path: Path) -> str:
    try:
        if path.is_dir():
            raise SettingsError(f"{path} is a folder; give the text or Markdown file itself.")
        with path.open("rb") as stream:
            data = stream.read(LARGEST_NOTES + 1)
    except OSError as error:
        raise SettingsError(
            f"The project notes {path} cannot be read ({error.strerror}); check the path, or give "
            "a description in its place."
        ) from error
    if len(data) > LARGEST_NOTES:
        raise SettingsError(
            f"The project notes {path} are larger than {LARGEST_NOTES // 1024} KB; "
            "keep the part on the project."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"The project notes {path} are no UTF-8 text; export them as text or Markdown."
        ) from error
