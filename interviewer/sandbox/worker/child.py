"""The zygote, which loads torch and never sees a job, and the life of the children it forks.

Jobs pass between the client and the children alone. What a child inherits is the zygote, so nothing
of a reference, of its numbers or of an earlier check can be found in a child's memory. A child is
confined, given one job and thrown away. Its descriptors: 0 brings the job, 1 and 2 take what is
printed, 3 takes records, 4 says how far it is, 5 brings what its peer says and 6 takes what it says
to the peer; there are no others. Whatever a candidate's code writes to them can only change its own
check.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import mmap
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import protocol
from .calls import Peer
from .job import Write, run_job, touch
from .walls import WallPlan, die_with_parent, put_up

_RECORDS, _STATUS, _HEARD, _SAID, _KEPT = 3, 4, 5, 6, 7
_FREE, _HIGHEST = 64, 4096


# -- the zygote


def serve(connection: socket.socket, plan: WallPlan) -> None:
    """Fork and end children as asked, until the client goes away."""
    alive: set[int] = set()
    size = protocol.ASKED.size
    while len(asked := connection.recv(size, socket.MSG_WAITALL)) == size:
        letter, pid, _ = protocol.ASKED.unpack(asked)
        if letter == protocol.FORK:
            alive |= _fork_pair(connection, plan)
        else:
            alive.discard(pid)
            connection.sendall(protocol.ASKED.pack(letter, _end(pid), 0))
    for pid in alive:
        _end(pid)


def _end(pid: int) -> int:
    """Kill a child and what it may have started; its exit code, or minus the signal."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _fork_pair(connection: socket.socket, plan: WallPlan) -> set[int]:
    """Two children with a pipe to each other; the near ends of the rest go to the client."""
    pipes: list[tuple[int, int]] = []
    pids: list[int] = []
    try:
        pipes += (os.pipe() for _ in range(2 * protocol.PIPES + 2))
        to_first, to_second = pipes[-2:]
        near = []
        for place, talk in enumerate(
            ((to_first[0], to_second[1]), (to_second[0], to_first[1])),
        ):
            job, *others = pipes[protocol.PIPES * place : protocol.PIPES * (place + 1)]
            far = [job[0], *(writing for _, writing in others), *talk]
            near += [job[1], *(reading for reading, _ in others)]
            pids.append(_fork(plan, far))
        socket.send_fds(connection, [protocol.ASKED.pack(protocol.FORK, *pids)], near)
    except OSError as error:
        while pids:
            _end(pids.pop())
        connection.sendall(protocol.ASKED.pack(b"x", error.errno or errno.EAGAIN, 0))
    finally:
        for descriptor in (end for pipe in pipes for end in pipe):
            os.close(descriptor)
    return set(pids)


def _fork(plan: WallPlan, far: list[int]) -> int:
    """Fork a child, which never returns from here; ``far`` are its ends of the pipes."""
    parent = os.getpid()
    if pid := os.fork():
        return pid
    code = 1
    try:
        os.setsid()
        die_with_parent(signal.SIGKILL)
        if os.getppid() == parent:
            code = _live(_keep_only(plan, *far))
    finally:
        os._exit(code)


# -- a child


def _keep_only(plan: WallPlan, job: int, output: int, *others: int) -> WallPlan:
    """Move the pipes to their places, the ruleset after them, and close everything else."""
    wanted = [job, output, output, *others]
    if plan.landlock is not None:
        wanted.append(plan.landlock)
        plan = replace(plan, landlock=_KEPT)
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, _FREE) for descriptor in wanted]
    for place, descriptor in enumerate(high):
        os.dup2(descriptor, place)
    os.closerange(len(high), _HIGHEST)
    return plan


def _live(plan: WallPlan) -> int:
    try:
        put_up(plan)
        touch()
    except BaseException as error:  # noqa: BLE001 - reported to the client, whatever it is
        os.write(_STATUS, protocol.REFUSED + str(error).encode(errors="replace")[:400])
        return 1
    os.write(_STATUS, protocol.READY)
    with open(0, "rb", closefd=False) as jobs:
        body = jobs.read()
    if not body:  # the client went away
        return 1
    try:
        _do(json.loads(body))
    except BaseException as error:  # noqa: BLE001 - candidates raise anything
        print(f"{type(error).__name__}: {error}"[:400], file=sys.stderr, flush=True)
        return 1
    return 0


def _do(job: dict[str, Any]) -> None:
    with open(_HEARD, "rb", closefd=False) as heard, open(_SAID, "wb", closefd=False) as said:
        afterwards = None
        if job["mode"] == "probe":
            run_probe(job, _write_record)
        else:
            afterwards = run_job(job, _write_record, Peer(heard, said))
        with contextlib.suppress(Exception):  # the code may have closed or replaced them
            sys.stdout.flush()
            sys.stderr.flush()
        os.write(_STATUS, protocol.FINISHED)
        if afterwards is not None:
            afterwards()


def _write_record(data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(_RECORDS, rest) :]


# -- attempts on the walls: what they bring about is looked at from outside


def run_probe(asked: dict[str, Any], write: Write) -> None:
    """Carry one attempt out and report on it."""
    try:
        found = {"open": True, "says": _PROBES[asked["probe"]](asked)}
    except (OSError, MemoryError) as error:
        found = {"open": False, "says": f"{type(error).__name__}: {error}"}
    write(json.dumps(found).encode())


def _write_file(asked: dict[str, Any]) -> str:
    Path(asked["path"]).write_text("written")
    return "written"


def _send(family: socket.AddressFamily, kind: socket.SocketKind, asked: dict[str, Any]) -> str:
    with socket.socket(family, kind) as connection:
        connection.settimeout(2)
        connection.connect(asked["path"] if "path" in asked else ("127.0.0.1", asked["port"]))
        connection.send(asked["token"].encode())
    return "sent"


def _fork_once(asked: dict[str, Any]) -> str:
    if (pid := os.fork()) == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "forked"


def _kill_parent(asked: dict[str, Any]) -> str:
    os.kill(os.getppid(), signal.SIGKILL)
    return "sent"


def _take_memory(asked: dict[str, Any]) -> str:
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    taken = [mmap.mmap(-1, 64 << 20, flags=private) for _ in range(asked["megabytes"] // 64)]
    return f"{len(taken) * 64} MB"


def _sleep(asked: dict[str, Any]) -> str:
    time.sleep(asked["seconds"])
    return "slept to the end"


def _flood(asked: dict[str, Any]) -> str:
    for _ in range(asked["kilobytes"]):
        os.write(1, b"x" * 1024)
    return "printed all"


_PROBES: dict[str, Callable[[dict[str, Any]], str]] = {
    "read": lambda asked: Path(asked["path"]).read_text(),
    "write": _write_file,
    "tcp": lambda asked: _send(socket.AF_INET, socket.SOCK_STREAM, asked),
    "udp": lambda asked: _send(socket.AF_INET, socket.SOCK_DGRAM, asked),
    "unix": lambda asked: _send(socket.AF_UNIX, socket.SOCK_STREAM, asked),
    "fork": _fork_once,
    "kill": _kill_parent,
    "memory": _take_memory,
    "loop": _sleep,
    "flood": _flood,
}
