"""Attempts on the walls: what they bring about is looked at from outside."""

from __future__ import annotations

import json
import mmap
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Write = Callable[[bytes], None]


def run_probe(body: bytes, write: Write) -> None:
    """Carry one attempt out and report on it."""
    asked = json.loads(body)
    try:
        says = str(_PROBES[asked["probe"]](asked))
        found = {"open": True, "says": says}
    except (OSError, MemoryError) as error:
        found = {"open": False, "says": f"{type(error).__name__}: {error}"}
    write(json.dumps(found).encode())


def _probe_read(asked: dict[str, Any]) -> str:
    return Path(asked["path"]).read_text()


def _probe_write(asked: dict[str, Any]) -> str:
    Path(asked["path"]).write_text("written")
    return "written"


def _probe_tcp(asked: dict[str, Any]) -> str:
    with socket.socket() as connection:
        connection.settimeout(2)
        connection.connect(("127.0.0.1", asked["port"]))
        connection.send(asked["token"].encode())
    return "sent"


def _probe_udp(asked: dict[str, Any]) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(asked["token"].encode(), ("127.0.0.1", asked["port"]))
    return "sent"


def _probe_unix(asked: dict[str, Any]) -> str:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(asked["path"])
        connection.send(asked["token"].encode())
    return "sent"


def _probe_fork(asked: dict[str, Any]) -> str:
    if (pid := os.fork()) == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "forked"


def _probe_kill(asked: dict[str, Any]) -> str:
    os.kill(os.getppid(), signal.SIGKILL)
    return "sent"


def _probe_memory(asked: dict[str, Any]) -> str:
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    taken = [mmap.mmap(-1, 64 << 20, flags=private) for _ in range(asked["megabytes"] // 64)]
    return f"{len(taken) * 64} MB"


def _probe_loop(asked: dict[str, Any]) -> str:
    time.sleep(asked["seconds"])
    return "slept to the end"


def _probe_flood(asked: dict[str, Any]) -> str:
    for _ in range(asked["kilobytes"]):
        os.write(1, b"x" * 1024)
    return "printed all"


_PROBES: dict[str, Callable[[dict[str, Any]], str]] = {
    "read": _probe_read,
    "write": _probe_write,
    "tcp": _probe_tcp,
    "udp": _probe_udp,
    "unix": _probe_unix,
    "fork": _probe_fork,
    "kill": _probe_kill,
    "memory": _probe_memory,
    "loop": _probe_loop,
    "flood": _probe_flood,
}
