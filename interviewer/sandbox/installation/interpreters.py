"""What a Python interpreter says of itself when asked: can the bench's worker run there?"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.errors import SandboxError

OLDEST_TORCH = (2, 4)
OLDEST_PYTHON = (3, 11)

_SECONDS = 120.0
_LONGEST = 64 * 1024
"""Bytes that are read of what a supposed interpreter prints."""
_QUESTION = """
import json, sys
told = {"python": list(sys.version_info[:2]), "path": sys.executable, "torch": "", "trouble": ""}
try:
    import torch
    told["torch"] = str(torch.__version__)
except ModuleNotFoundError as missing:
    told["trouble"] = "" if missing.name == "torch" else str(missing)
except Exception as broken:
    told["trouble"] = f"{type(broken).__name__}: {broken}"
print()
print(json.dumps(told))
"""


@dataclass(frozen=True)
class Interpreter:
    """An interpreter in which torch loads; ``torch`` is its version."""

    python: Path
    torch: str


def look_at(python: Path) -> Interpreter:
    """Have the interpreter (an absolute path) load torch and tell; that takes it some seconds.

    Raises SandboxError where it does not run, is too old, or has no torch that the worker can use.
    """
    told = _parsed(_said(python))
    if told is None:
        raise SandboxError(
            f"{python} does not answer as a Python interpreter does; name another with --python."
        )
    own = ".".join(str(part) for part in told["python"])
    if tuple(told["python"]) < OLDEST_PYTHON:
        oldest = ".".join(map(str, OLDEST_PYTHON))
        raise SandboxError(f"{python} is Python {own}; name one of {oldest} or later.")
    if told["trouble"]:
        reason = str(told["trouble"]).strip().splitlines()[0][:200]
        raise SandboxError(f"torch does not load in {python} ({reason}); install it anew there.")
    version = _version(told["torch"])
    if version is None or version < OLDEST_TORCH:
        has = f"only torch {told['torch']}" if told["torch"] else "no torch"
        oldest = ".".join(map(str, OLDEST_TORCH))
        raise SandboxError(
            f"{python} has {has}; install torch {oldest} or later there, or let "
            "'interviewer sandbox install' make an environment of its own."
        )
    return Interpreter(Path(told["path"] or python), str(told["torch"]))


def _said(python: Path) -> bytes:
    """What it prints, to a limit in bytes and seconds. Raises SandboxError where it cannot run."""
    try:
        process = subprocess.Popen(
            (python, "-I", "-B", "-c", _QUESTION),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # a name with a NUL byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise SandboxError(
            f"{python} cannot be run ({reason}); name a Python interpreter that has torch."
        ) from error
    assert process.stdout is not None
    limit = threading.Timer(_SECONDS, _end, (process,))
    limit.start()
    with process:
        try:
            return process.stdout.read(_LONGEST)
        finally:
            limit.cancel()
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill it and what it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _parsed(said: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(said.splitlines()[-1])
        fits = (
            all(isinstance(told[name], str) for name in ("path", "torch", "trouble"))
            and isinstance(told["python"], list)
            and all(isinstance(part, int) for part in told["python"])
        )
    except (ValueError, IndexError, KeyError, TypeError, RecursionError):
        return None
    return told if fits else None


def _version(text: str) -> tuple[int, int] | None:
    found = re.match(r"(\d{1,6})\.(\d{1,6})", text)
    return (int(found[1]), int(found[2])) if found else None
