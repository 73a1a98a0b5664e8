"""Starts the worker: ``python -I -B start.py WALL...``, under the sandbox's own interpreter.

Standard input is the connection to the client; it is replaced, so that no library reads from it.
The first thing on it is the greeting, a line of JSON. If no check can be made it carries ``error``,
the stage that failed: ``python``, ``torch``, ``warming`` or ``walls``.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import signal
import socket
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

OLDEST = (3, 11)
OLDEST_TORCH = (2, 4)


def main(wanted: list[str]) -> None:
    """Load torch, tell how it went, and fork children until the client goes away."""
    connection = socket.socket(fileno=os.dup(0))
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    importlib.import_module("worker")
    del sys.path[0]  # nothing else is to be found there
    walls = _module("walls")
    walls.hide()
    walls.die_with_parent(signal.SIGKILL)
    about: dict[str, Any] = {"python": platform.python_version(), "pid": os.getpid()}
    stage = "python"
    try:
        if sys.version_info < OLDEST:
            raise ImportError("too old")
        stage = "torch"
        about["torch"] = str(importlib.import_module("torch").__version__)
        if tuple(map(int, about["torch"].split(".")[:2])) < OLDEST_TORCH:
            raise ImportError(f"torch {about['torch']} is too old: it takes 2.4 or later")
        stage = "warming"
        _module("job").warm()
        child = _module("child")
        stage = "walls"
        plan = walls.plan_walls(wanted)
        about["walls"] = list(plan.walls)
    except Exception as error:  # noqa: BLE001 - the greeting is the only way to tell
        detail = f"{type(error).__name__}: {error}".split("\n")[0][:400]
        about |= {"error": stage, "detail": detail}
    connection.sendall(json.dumps(about).encode() + b"\n")
    if "error" not in about:
        child.serve(connection, plan)


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"worker.{name}")


if __name__ == "__main__":
    main(sys.argv[1:])
