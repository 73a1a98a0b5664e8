"""The process that children are forked from: it has loaded torch and has never seen a job.

Jobs pass through the worker and the children alone. What a child inherits is this process, so
nothing of a reference, of its numbers or of an earlier check can be found in a child's memory.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass

from .walls import Plan

_MESSAGE = struct.Struct(">cii")
"""A letter and two numbers. Asked: to (f)ork, (l)ook at or (r)eap. Told: the same letter, or x."""
_ALIVE = -(1 << 20)
_ENDS = 4


class ZygoteDiedError(Exception):
    """No child can be forked any more."""


@dataclass(eq=False)
class Child:
    """A child as the worker sees it: the near ends of its non-blocking pipes, -1 once closed."""

    pid: int
    job: int
    output: int
    records: int
    status: int
    ready: bool = False
    finished: bool = False
    armed_by: float = 0.0
    code: int | None = None
    """How it ended: its exit code, or minus the signal; None until it was fetched."""
    peer: Child | None = None
    """The other of its pair, which it can talk to, while both wait."""

    def close(self) -> None:
        """Close what is still open of the pipes."""
        for name in ("job", "output", "records", "status"):
            self.close_end(name)

    def close_end(self, name: str) -> None:
        """Close one pipe."""
        if (descriptor := getattr(self, name)) >= 0:
            os.close(descriptor)
            setattr(self, name, -1)

    def kill(self) -> None:
        """Kill it and whatever it may have started in its group."""
        for kill in (os.killpg, os.kill) if self.code is None else (os.killpg,):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)


class Zygote:
    """The worker's handle on the process."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def fork(self) -> tuple[Child, Child]:
        """A pair that put their walls up and then wait, each for a job. Raises OSError."""
        self._connection.sendall(_MESSAGE.pack(b"f", 0, 0))
        data, ends, _, _ = socket.recv_fds(self._connection, _MESSAGE.size, 2 * _ENDS)
        if len(data) < _MESSAGE.size:
            raise ZygoteDiedError
        letter, first, second = _MESSAGE.unpack(data)
        if letter != b"f":
            raise OSError(first, os.strerror(first))
        for descriptor in ends:
            os.set_blocking(descriptor, False)
        one, other = (
            Child(pid, job, output, records, status)
            for pid, (job, output, records, status) in (
                (first, ends[:_ENDS]),
                (second, ends[_ENDS:]),
            )
        )
        one.peer, other.peer = other, one
        return one, other

    def ended(self, child: Child) -> int | None:
        """Its exit code, or minus the signal that ended it; None while it runs."""
        if child.code is None and (code := self._asked(b"l", child.pid)) != _ALIVE:
            child.code = code
        return child.code

    def reap(self, child: Child) -> None:
        """Wait for its end, so that none is left behind."""
        if child.code is None:
            child.code = self._asked(b"r", child.pid)

    def _asked(self, letter: bytes, pid: int) -> int:
        self._connection.sendall(_MESSAGE.pack(letter, pid, 0))
        data = self._connection.recv(_MESSAGE.size, socket.MSG_WAITALL)
        if len(data) < _MESSAGE.size:
            raise ZygoteDiedError
        return int(_MESSAGE.unpack(data)[1])


Live = Callable[[Plan, int, list[int]], None]
"""The whole life of a child: its plan, its parent, the far ends of its pipes."""


def serve(connection: socket.socket, plan: Plan, live: Live) -> None:
    """Fork and reap as asked, until the worker goes away."""
    while len(asked := connection.recv(_MESSAGE.size, socket.MSG_WAITALL)) == _MESSAGE.size:
        letter, pid, _ = _MESSAGE.unpack(asked)
        if letter == b"f":
            _fork_pair(connection, plan, live)
            continue
        found, status = os.waitpid(pid, os.WNOHANG if letter == b"l" else 0)
        code = os.waitstatus_to_exitcode(status) if found else _ALIVE
        connection.sendall(_MESSAGE.pack(letter, code, 0))


def _fork_pair(connection: socket.socket, plan: Plan, live: Live) -> None:
    """Two children with a pipe to each other; the near ends of the rest go to the worker."""
    pipes: list[tuple[int, int]] = []
    pids: list[int] = []
    try:
        pipes += (os.pipe() for _ in range(2 * _ENDS + 2))
        to_first, to_second = pipes[-2:]
        talks = [(to_first[0], to_second[1]), (to_second[0], to_first[1])]
        near = []
        for place, talk in enumerate(talks):
            job, *others = pipes[_ENDS * place : _ENDS * (place + 1)]
            far = [job[0], *(writing for _, writing in others), *talk]
            near += [job[1], *(reading for reading, _ in others)]
            pids.append(_forked(plan, live, far))
        socket.send_fds(connection, [_MESSAGE.pack(b"f", *pids)], near)
    except OSError as error:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        connection.sendall(_MESSAGE.pack(b"x", error.errno or errno.EAGAIN, 0))
    finally:
        for descriptor in (end for pipe in pipes for end in pipe):
            os.close(descriptor)


def _forked(plan: Plan, live: Live, far: list[int]) -> int:
    parent = os.getpid()
    if (pid := os.fork()) == 0:
        live(plan, parent, far)
    return pid
