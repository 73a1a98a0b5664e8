"""Which challenges have been tried and solved, alone or in an interview, and when."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from interviewer.content.files import put_whole
from interviewer.errors import StoreError, StoreWriteError
from interviewer.sandbox.result import CheckResult, Outcome


@dataclass(frozen=True)
class Practice:
    """A challenge that has been run: when last, and when it was first solved, if it was."""

    tried: datetime
    solved: datetime | None = None


class Tries:
    """One small file in the folder of the drafts; the folder may not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "tries.json"

    def read(self) -> Mapping[str, Practice]:
        """By challenge; those never run are missing. Raises StoreError."""
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            return {name: _practice(entry) for name, entry in found.items()}
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StoreError(f"{self._path} cannot be read: {error.strerror}.") from error
        except (ValueError, AttributeError, KeyError, TypeError) as error:
            raise StoreError(
                f"{self._path}, which says what you have solved, is damaged; delete it or fix it."
            ) from error

    def note(self, result: CheckResult, now: datetime) -> None:
        """Record a run, unless nothing came of it. Raises StoreError, StoreWriteError."""
        if result.outcome not in (Outcome.STOPPED, Outcome.UNAVAILABLE):
            self.record(result.challenge, passed=result.passed, now=now)

    def record(self, challenge: str, *, passed: bool, now: datetime) -> None:
        """Note a run. What was solved once stays solved. Raises StoreError, StoreWriteError."""
        known = dict(self.read())
        before = known.get(challenge)
        solved = before.solved if before else None
        known[challenge] = Practice(now, solved or (now if passed else None))
        text = json.dumps({name: _entry(each) for name, each in sorted(known.items())}, indent=1)
        try:
            put_whole(self._path, text.encode(), durable=True, mode=0o600)
        except OSError as error:
            raise StoreWriteError(
                f"{self._path} cannot be written: {error.strerror}. This run is not marked in the "
                "list; free some space or fix the folder's permissions."
            ) from error


def _practice(entry: Mapping[str, str | None]) -> Practice:
    solved = entry.get("solved")
    tried = datetime.fromisoformat(str(entry["tried"]))
    return Practice(tried, datetime.fromisoformat(solved) if solved else None)


def _entry(practice: Practice) -> dict[str, str | None]:
    solved = practice.solved.isoformat() if practice.solved else None
    return {"tried": practice.tried.isoformat(), "solved": solved}
