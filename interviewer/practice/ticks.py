"""What was ticked off in a session's study list: a small file per session."""

from __future__ import annotations

import json
from pathlib import Path

from interviewer.content.files import put_whole
from interviewer.errors import StoreError, StoreWriteError


class Ticks:
    """Ticks in a folder, which may not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, session: str) -> frozenset[str]:
        """What is ticked, nothing before the first tick. Raises StoreError."""
        path = self._path(session)
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(kept, list):
                raise ValueError("it holds no list")
        except FileNotFoundError:
            return frozenset()
        except (OSError, ValueError) as error:
            raise StoreError(
                f"{path}, which says what you have ticked off, cannot be read ({error}); delete it "
                "or fix it."
            ) from error
        return frozenset(map(str, kept))

    def set(self, session: str, key: str, done: bool) -> frozenset[str]:
        """Tick one, or take its tick away; returns all. Raises StoreError, StoreWriteError."""
        ticked = self.read(session) - {key} | ({key} if done else set())
        path = self._path(session)
        try:
            put_whole(path, json.dumps(sorted(ticked)).encode(), mode=0o600)
        except OSError as error:
            raise StoreWriteError(
                f"The tick cannot be written to {path}: {error.strerror}."
            ) from error
        return ticked

    def _path(self, session: str) -> Path:
        return self._folder / f"{session}.json"
