"""Starts the worker: ``python -I -B start.py WALL...``, under the sandbox's own interpreter.

Frames go over the original standard input and output; both are then replaced, so that nothing a
library prints gets between the frames. The first frame is the greeting. If no check can be made it
carries ``error``, the stage that failed: ``python``, ``torch``, ``warming`` or ``walls``.

Before anything else it forks the zygote, which alone loads torch; the worker itself has none.
"""

from __future__ import annotations

import importlib
import os
import platform
import signal
import socket
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

OLDEST = (3, 11)


def main(wanted: list[str]) -> None:
    """Serve until the client goes away."""
    incoming, outgoing = _own_pipes()
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    importlib.import_module("worker")
    del sys.path[0]  # nothing else is to be found there
    walls, protocol = _module("walls"), _module("protocol")
    walls.hide()
    walls.die_with_parent(signal.SIGKILL)
    here, there = socket.socketpair()
    worker = os.getpid()
    if (pid := os.fork()) == 0:
        for descriptor in (incoming, outgoing, here.detach()):
            os.close(descriptor)
        walls.die_with_parent(signal.SIGKILL)
        if os.getppid() == worker:
            _be_zygote(there, wanted)
        os._exit(0)
    there.close()
    about = {"pid": pid, "protocol": protocol.PROTOCOL, **_heard(here)}
    if "error" in about:
        os.write(outgoing, protocol.pack_frame(about))
        return

    def greet(trouble: str | None) -> dict[str, object]:
        return about if trouble is None else about | {"error": "walls", "detail": trouble}

    serving = _module("serving")
    serving.Server(incoming, outgoing, serving.Zygote(here), greet).serve()
    here.close()
    os.waitpid(pid, 0)


def _be_zygote(connection: socket.socket, wanted: list[str]) -> None:
    """Load torch, tell how it went, and fork children from then on."""
    about: dict[str, Any] = {"python": platform.python_version()}
    walls = _module("walls")
    stage = "python"
    try:
        if sys.version_info < OLDEST:
            raise ImportError("too old")
        stage = "torch"
        about["torch"] = str(importlib.import_module("torch").__version__)
        stage = "warming"
        _module("job").warm()
        child = _module("child")
        stage = "walls"
        plan = walls.plan_walls(wanted)
        about["walls"] = list(plan.walls)
    except Exception as error:  # noqa: BLE001 - the greeting is the only way to tell
        detail = f"{type(error).__name__}: {error}".split("\n")[0][:400]
        about |= {"error": stage, "detail": detail}
    connection.sendall(_module("protocol").pack_frame(about))
    if "error" not in about:
        child.serve(connection, plan)


def _heard(connection: socket.socket) -> dict[str, Any]:
    """What the zygote tells about itself; an ``error`` if it ended before that."""
    buffer = _module("protocol").FrameBuffer(0)
    while data := connection.recv(1 << 12):
        for header, _ in buffer.feed(data):
            return dict(header)
    detail = "the process that loads it ended"
    return {"python": platform.python_version(), "error": "torch", "detail": detail}


def _own_pipes() -> tuple[int, int]:
    incoming, outgoing = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return incoming, outgoing


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"worker.{name}")


if __name__ == "__main__":
    main(sys.argv[1:])
