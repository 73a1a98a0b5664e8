"""One child of the worker: forked ahead, confined, used for one job and thrown away.

Its descriptors: 0 brings the job, 1 and 2 take what is printed, 3 takes records and 4 says how far
it is. There are no others. What a candidate's code writes to any of them only ever makes its own
check come out otherwise.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from . import confine, job, kernel, probes

READY, FINISHED, REFUSED = b"R", b"F", b"X"
_RECORDS, _STATUS, _KEPT = 3, 4, 5
_FREE, _HIGHEST = 64, 4096
_CHUNK = 1 << 16
_LENGTH = struct.Struct(">cI")
_KINDS: dict[bytes, Callable[[bytes, Callable[[bytes], None]], None]] = {
    b"c": job.run,
    b"p": probes.run,
}
LETTERS = {"check": b"c", "probe": b"p"}


@dataclass
class Child:
    """A running child as its worker sees it: the near ends of its four pipes, non-blocking."""

    pid: int
    job: int
    output: int
    records: int
    status: int
    reaped: bool = False

    def close(self) -> None:
        """Close what is still open of the pipes."""
        for name in ("job", "output", "records", "status"):
            self.close_end(name)

    def close_end(self, name: str) -> None:
        """Close one pipe; -1 stands for a closed one."""
        if (descriptor := getattr(self, name)) >= 0:
            os.close(descriptor)
            setattr(self, name, -1)

    def kill(self) -> None:
        """Kill it and whatever it may have started in its group."""
        for kill in (os.killpg,) if self.reaped else (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)

    def ended(self) -> int | None:
        """Its exit code, or minus the signal that ended it; None while it runs."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return None
        self.reaped = True
        return os.waitstatus_to_exitcode(status)

    def reap(self) -> None:
        """Wait for its end."""
        if not self.reaped:
            os.waitpid(self.pid, 0)
            self.reaped = True


def framed(do: str, body: bytes) -> bytes:
    """A job as the child reads it from its pipe."""
    return _LENGTH.pack(LETTERS[do], len(body)) + body


def fork(plan: confine.Plan) -> Child:
    """A new child that puts its walls up and then waits for a job. Raises OSError."""
    ends: list[int] = []
    worker = os.getpid()
    try:
        for _ in range(4):
            ends += os.pipe()
        pid = os.fork()
    except OSError:
        for descriptor in ends:
            os.close(descriptor)
        raise
    reading, writing = ends[::2], ends[1::2]
    far, near = [reading[0], *writing[1:]], [writing[0], *reading[1:]]
    if pid == 0:
        _live(plan, worker, far)
    for descriptor in far:
        os.close(descriptor)
    for descriptor in near:
        os.set_blocking(descriptor, False)
    return Child(pid, near[0], near[1], near[2], near[3])


def _live(plan: confine.Plan, worker: int, far: list[int]) -> None:
    """The whole life of a child; never returns."""
    code = 1
    try:
        os.setsid()
        kernel.die_with_parent(signal.SIGKILL)
        if os.getppid() == worker:
            code = _serve(_keep_only(plan, *far))
    finally:
        os._exit(code)


def _keep_only(
    plan: confine.Plan, job_end: int, output: int, records: int, status: int
) -> confine.Plan:
    """Move the pipes to their places and close all else; the ruleset moves behind them."""
    wanted = [job_end, output, output, records, status]
    if plan.landlock is not None:
        wanted.append(plan.landlock)
        plan = replace(plan, landlock=_KEPT)
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, _FREE) for descriptor in wanted]
    for place, descriptor in enumerate(high):
        os.dup2(descriptor, place)
    os.closerange(len(high), _HIGHEST)
    return plan


def _serve(plan: confine.Plan) -> int:
    try:
        confine.put_up(plan)
        job.touch()
    except BaseException as error:  # noqa: BLE001 - told to the worker, whatever it is
        os.write(_STATUS, REFUSED + str(error).encode(errors="replace")[:400])
        return 1
    os.write(_STATUS, READY)
    if (asked := _job()) is None:
        return 1
    kind, body = asked
    try:
        _KINDS[kind](body, _write)
    except BaseException as error:  # noqa: BLE001 - candidates raise anything
        print(f"{type(error).__name__}: {error}"[:400], file=sys.stderr, flush=True)
        return 1
    with contextlib.suppress(Exception):  # the code may have closed or replaced them
        sys.stdout.flush()
        sys.stderr.flush()
    os.write(_STATUS, FINISHED)
    return 0


def _job() -> tuple[bytes, bytes] | None:
    """What is to be done, once it comes; None where the worker went away instead."""
    head = _read(_LENGTH.size)
    if head is None:
        return None
    kind, size = _LENGTH.unpack(head)
    body = _read(size)
    return None if body is None else (kind, body)


def _read(size: int) -> bytes | None:
    held = bytearray()
    while len(held) < size:
        if not (data := os.read(0, min(size - len(held), _CHUNK))):
            return None
        held += data
    return bytes(held)


def _write(data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(_RECORDS, rest) :]
