"""The program's own log: what it did and what broke, without a word of what anyone said.

One JSON object a line, in ``log/interviewer.log`` of the data folder, turned over at half a
megabyte with three old files kept. Nothing goes to the screen. A session's answers, a rubric's
text, keys and addresses have no place here; a test looks for them.
"""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from interviewer.paths import make_own, owner_only

PACKAGES = ("interviewer", "tui")
"""Whose records are kept. Libraries log what they send, and that is the candidate's."""
BYTES, OLD_FILES = 500_000, 3
_HERE = Path(__file__).parents[2]


def log_file(data_folder: Path) -> Path:
    return data_folder / "log" / "interviewer.log"


def start(data_folder: Path, *, debug: bool = False) -> None:
    """Write the log from now on; with ``debug``, each step and the words of each failure too.

    The file is made with its first line. A folder that cannot be written means no log, and never
    that the program stops.
    """
    stop()
    handler = _PrivateFile(
        log_file(data_folder), maxBytes=BYTES, backupCount=OLD_FILES, encoding="utf-8", delay=True
    )
    handler.setFormatter(_Lines(with_words=debug))
    for name in PACKAGES:
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG if debug else logging.INFO)


def stop() -> None:
    """Close the log."""
    for name in PACKAGES:
        logger = logging.getLogger(name)
        for handler in [each for each in logger.handlers if isinstance(each, _PrivateFile)]:
            logger.removeHandler(handler)
            handler.close()


def _frames_of(error: BaseException) -> list[str]:
    """The places that an error went through, innermost last, our files by their path in here."""
    frames = []
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        shown = path.relative_to(_HERE) if path.is_relative_to(_HERE) else path.name
        frames.append(f"{shown}:{frame.lineno} {frame.name}")
    return frames


class _PrivateFile(RotatingFileHandler):
    """Readable by its owner alone, and silent where the disk is full."""

    def _open(self) -> Any:
        make_own(Path(self.baseFilename).parent)
        return open(self.baseFilename, self.mode, encoding=self.encoding, opener=owner_only)

    def handleError(self, record: logging.LogRecord) -> None:
        """Nothing to be done: a traceback of the log's own would spoil the screen."""


class _Lines(logging.Formatter):
    def __init__(self, *, with_words: bool) -> None:
        super().__init__()
        self._with_words = with_words

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "where": record.name,
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info and (error := record.exc_info[1]) is not None:
            # Messages quote values, and values can be what someone typed.
            told["error"] = type(error).__name__
            told["frames"] = _frames_of(error)
            if self._with_words:
                told["words"] = str(error)
        return json.dumps(told, default=str)
