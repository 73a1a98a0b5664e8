"""Texts that were typed and not yet submitted or saved: one file for each, written whole."""

from __future__ import annotations

from pathlib import Path

from interviewer.content.files import put_whole
from interviewer.errors import StoreError, StoreWriteError


class Drafts:
    """Drafts in a folder, which may not exist yet, by a key that can be the name of a file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> str:
        """The last saved text, "" if none. Raises StoreError."""
        path = self._path(key)
        try:
            return path.read_bytes().decode("utf-8", "replace")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise StoreError(f"The draft in {path} cannot be read: {error.strerror}.") from error

    def save(self, key: str, text: str) -> None:
        """Save the text durably; an empty one removes the draft. Raises StoreWriteError."""
        path = self._path(key)
        try:
            if text:
                put_whole(path, text.encode("utf-8", "replace"), durable=True, mode=0o600)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreWriteError(
                f"The draft cannot be written to {path}: {error.strerror}. "
                "It stays on the screen; free some space or fix the folder's permissions."
            ) from error

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.txt"
