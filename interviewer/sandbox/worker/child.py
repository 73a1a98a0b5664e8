"""The life of a child: confined, given one job, thrown away.

Its descriptors: 0 brings the job, 1 and 2 take what is printed, 3 takes records, 4 says how far it
is, 5 brings what its peer says and 6 takes what it says to the peer; there are no others. Whatever
a candidate's code writes to them can only change its own check.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace

from .calls import Peer
from .job import run_job, touch
from .probes import run_probe
from .properties import run_properties
from .protocol import FINISHED, JOB_HEAD, READY, REFUSED, FrameError
from .walls import Plan, die_with_parent, put_up

_RECORDS, _STATUS, _HEARD, _SAID, _KEPT = 3, 4, 5, 6, 7
_FREE, _HIGHEST = 64, 4096
_CHUNK = 1 << 16
Write = Callable[[bytes], None]
Afterwards = Callable[[Peer], None]
"""What a child does once its own job is finished."""


def live(plan: Plan, parent: int, far: list[int]) -> None:
    """The whole life of a child; never returns. ``far`` are its ends of the pipes."""
    code = 1
    try:
        os.setsid()
        die_with_parent(signal.SIGKILL)
        if os.getppid() == parent:
            code = _serve(_keep_only(plan, *far))
    finally:
        os._exit(code)


def _keep_only(plan: Plan, job: int, output: int, *others: int) -> Plan:
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


def _serve(plan: Plan) -> int:
    try:
        put_up(plan)
        touch()
    except BaseException as error:  # noqa: BLE001 - reported to the worker, whatever it is
        os.write(_STATUS, REFUSED + str(error).encode(errors="replace")[:400])
        return 1
    os.write(_STATUS, READY)
    if (asked := _next_job()) is None:
        return 1
    try:
        afterwards = _done(*asked)
        with contextlib.suppress(Exception):  # the code may have closed or replaced them
            sys.stdout.flush()
            sys.stderr.flush()
        os.write(_STATUS, FINISHED)
        if afterwards is not None:
            afterwards(_peer())
    except BaseException as error:  # noqa: BLE001 - candidates raise anything
        print(f"{type(error).__name__}: {error}"[:400], file=sys.stderr, flush=True)
        return 1
    return 0


def _done(kind: bytes, body: bytes) -> Afterwards | None:
    """Do the job; what is left to do once it is finished, if anything is."""
    write = _write_to(_RECORDS)
    if kind == b"c":
        return run_job(body, write)
    if kind == b"r":
        run_properties(body, write, _peer())
    elif kind == b"p":
        run_probe(body, write)
    else:
        raise FrameError(f"a job of an unknown kind: {kind!r}")
    return None


def _next_job() -> tuple[bytes, bytes] | None:
    """The next job, once it comes; None if the worker went away instead."""
    head = _read_job(JOB_HEAD.size)
    if head is None:
        return None
    kind, size = JOB_HEAD.unpack(head)
    body = _read_job(size)
    return None if body is None else (kind, body)


def _read_job(size: int) -> bytes | None:
    held = bytearray()
    while len(held) < size:
        if not (data := os.read(0, min(size - len(held), _CHUNK))):
            return None
        held += data
    return bytes(held)


def _peer() -> Peer:
    return Peer(lambda: os.read(_HEARD, _CHUNK), _write_to(_SAID))


def _write_to(descriptor: int) -> Write:
    def write(data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]

    return write
