"""Starts the worker: ``python -I -B start.py WALL...``, under the sandbox's own interpreter.

Frames go over the original standard input and output; both are then replaced, so that nothing a
library prints gets between the frames. The first frame is the greeting. If no check can be made it
carries ``error``, the stage that failed: ``python``, ``torch``, ``warming`` or ``walls``.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import platform
import signal
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

OLDEST = (3, 11)


def main(wanted: list[str]) -> None:
    """Serve until the client goes away."""
    incoming, outgoing = _own_pipes()
    _load_package(Path(__file__).resolve().parent)
    walls = _module("walls")
    walls.hide()
    walls.die_with_parent(signal.SIGKILL)
    about = {"python": platform.python_version(), "executable": sys.executable}
    stage = "python"
    try:
        if sys.version_info < OLDEST:
            raise ImportError("too old")
        stage = "torch"
        about["torch"] = str(importlib.import_module("torch").__version__)
        stage = "warming"
        _module("job").warm()
        stage = "walls"
        plan = walls.plan_walls(wanted)
    except Exception as error:  # noqa: BLE001 - the greeting is the only way to tell
        _say(outgoing, {**about, "error": stage, "detail": _short(error)})
        return
    greet = functools.partial(_greeting, about, plan)
    _module("serving").Server(incoming, outgoing, plan, greet).serve()


def _own_pipes() -> tuple[int, int]:
    incoming, outgoing = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return incoming, outgoing


def _load_package(folder: Path) -> None:
    """The folder as package ``worker``, without putting anything else on the search path."""
    spec = importlib.util.spec_from_file_location(
        "worker", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["worker"] = package
    spec.loader.exec_module(package)


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"worker.{name}")


def _short(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0][:400]


def _greeting(about: dict[str, str], plan: Any, trouble: str | None) -> dict[str, object]:
    walls = _module("walls")
    found: dict[str, object] = {
        **about,
        "protocol": _module("protocol").PROTOCOL,
        "walls": list(plan.walls),
        "landlock": walls.landlock_version(),
        "pid": os.getpid(),
    }
    return found if trouble is None else found | {"error": "walls", "detail": trouble}


def _say(outgoing: int, greeting: dict[str, Any]) -> None:
    protocol = _module("protocol")
    os.write(outgoing, protocol.pack_frame({"protocol": protocol.PROTOCOL, **greeting}))


if __name__ == "__main__":
    main(sys.argv[1:])
