"""The worker as its client sees it: a zygote that forks confined children, and their pipes.

A job goes straight to a child and its answer straight back; the zygote never sees either. All of
this blocks and belongs in a thread.
"""

from __future__ import annotations

import json
import os
import select
import selectors
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from signal import SIGKILL
from threading import Event
from typing import Any

from interviewer.sandbox.worker import protocol

_ENVIRONMENT = {
    "HOME": "/nonexistent",
    "TMPDIR": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "CUDA_VISIBLE_DEVICES": "",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
_ANSWER_SECONDS = 5.0
"""How long the zygote may take to fork or to end a child before it counts as hung."""
_ARMING_SECONDS = 30.0
"""How long a child may take to put its walls up."""
_LEAVING_SECONDS = 2.0
_TICK = 0.05
"""Seconds between two looks whether the check was cancelled."""
_CHUNK = 1 << 16
_CAPS = {"records": protocol.RECORDS_LIMIT, "output": protocol.OUTPUT_LIMIT}


class Ended(StrEnum):
    """How a run came to its end."""

    DONE = "done"
    TIME = "time"
    """It was stopped at its time limit."""
    OUTPUT = "output"
    """It was stopped because it printed, or answered, more than the cap."""
    SIGNAL = "signal"
    """A crash: the kernel ended it."""
    EXIT = "exit"
    """It left before it had answered."""
    REFUSED = "refused"
    """It was not run: confinement failed, or no process could be started."""
    WORKER_DIED = "worker died"
    """The worker itself died; the next run starts another."""


class RefusedError(Exception):
    """No child is ready for a job; the text is a clause."""


class Child:
    """A confined child: the near ends of its non-blocking pipes, and what came through them."""

    def __init__(self, pid: int, ends: Sequence[int]) -> None:
        self.pid = pid
        self._ends = dict(zip(("job", "output", "records", "status"), ends, strict=True))
        for descriptor in ends:
            os.set_blocking(descriptor, False)
            os.set_inheritable(descriptor, False)
        self.answered = {"records": bytearray(), "output": bytearray()}
        self.unsent = memoryview(b"")
        self._ready = self.finished = self.gone = self.over = False

    def trouble(self) -> str:
        """Wait until it is ready for a job; why it is not, or nothing."""
        if not self._ready:
            waiting = select.poll()
            waiting.register(self._ends["status"], select.POLLIN)
            if not waiting.poll(_ARMING_SECONDS * 1000):
                return f"the confined process was not ready within {_ARMING_SECONDS:.0f} s"
            said = self._read("status") or b""
            if said.startswith(protocol.REFUSED):
                return said[1:].decode(errors="replace")
            self._ready = said == protocol.READY
        if not self._ready or self._read("status") == b"":
            return "the confined process exited before it was given anything to do"
        return ""

    def step(self, name: str) -> bytes | None:
        """Write or read once; empty at the end of the pipe, None if nothing can be done now."""
        if name == "job":
            return self._send()
        data = self._read(name)
        if name == "status":
            self.gone |= data == b""
            self.finished |= (data or b"").startswith(protocol.FINISHED)
        else:
            room = _CAPS[name] - len(self.answered[name])
            self.answered[name] += (data or b"")[:room]
            self.over |= len(data or b"") > room
        return data

    def drain(self) -> None:
        """Read what is left in the pipes of a child that writes no more."""
        for name in self.answered.keys() & self._ends.keys():
            while self.step(name) and not self.over:
                pass

    def register(self, selector: selectors.BaseSelector) -> None:
        for name, descriptor in self._ends.items():
            events = selectors.EVENT_WRITE if name == "job" else selectors.EVENT_READ
            selector.register(descriptor, events, (self, name))

    def close(self, *names: str) -> None:
        """Close these of its pipes, or all that are open."""
        for name in names or list(self._ends):
            os.close(self._ends.pop(name))

    def _send(self) -> bytes | None:
        try:
            self.unsent = self.unsent[os.write(self._ends["job"], self.unsent[:_CHUNK]) :]
        except BlockingIOError:
            return None
        except BrokenPipeError:
            return b""
        return None if self.unsent else b""

    def _read(self, name: str) -> bytes | None:
        try:
            return os.read(self._ends[name], _CHUNK)
        except BlockingIOError:
            return None


class Zygote:
    """The process that children are forked from. EOFError or OSError: it is dead or hung."""

    def __init__(self, command: Sequence[str]) -> None:
        self._connection, there = socket.socketpair()
        self._ahead: list[Child] = []
        self._busy: list[Child] = []
        self._hung = False
        try:
            with there:
                self._process = subprocess.Popen(
                    command,
                    stdin=there.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=_ENVIRONMENT,
                    cwd="/",
                    start_new_session=True,
                )
        except OSError:
            self._connection.close()
            raise

    @property
    def alive(self) -> bool:
        """It can be asked."""
        return self.exit_code is None and not self._hung

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def greeting(self, seconds: float) -> dict[str, Any]:
        """What it says about itself once torch is loaded. Raises ValueError for anything else."""
        self._connection.settimeout(seconds)
        with self._connection.makefile("rb") as lines:
            said = json.loads(lines.readline())
        self._connection.settimeout(_ANSWER_SECONDS)
        if not isinstance(said, dict):
            raise ValueError("a greeting without fields")
        return said

    def arm(self) -> None:
        """See to it that a pair stands ready. Raises RefusedError."""
        self._children(2)

    def run(
        self, jobs: Sequence[bytes], seconds: float, stopped: Event
    ) -> tuple[Ended, int, list[Child]]:
        """How one or two jobs ended, the child's exit code, the children. Raises RefusedError."""
        children = self._children(len(jobs))
        self._ahead = [child for child in self._ahead if child not in children]
        self._busy, code = list(children), 0
        ended = _exchange(children, jobs, seconds, stopped)
        if ended in (Ended.DONE, Ended.EXIT):
            for child in children:
                child.drain()
        if ended is Ended.EXIT:
            code = self._end(next(child for child in children if child.gone))
            ended = Ended.SIGNAL if code < 0 else ended
        if any(child.over for child in children):
            ended = Ended.OUTPUT
        return ended, code, children

    def renew(self) -> None:
        """Clear away after a run, and let a pair for the next one put its walls up."""
        try:
            self._clear()
            if len(self._ahead) < 2:
                self._fork()
        except RefusedError:
            pass  # the next run tries again
        except (EOFError, OSError):
            self._hung = True

    def close(self) -> None:
        """Let it exit by itself, which ends its children; kill it if it does not."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVING_SECONDS)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, SIGKILL)
        self._process.wait()
        self._connection.close()
        for child in (*self._ahead, *self._busy):
            child.close()

    def _children(self, count: int) -> list[Child]:
        """A pair that can talk to each other, or for a single job whoever is left of one."""
        trouble = ""
        for _ in range(2):  # who died while waiting is replaced without a word
            if len(self._ahead) < count:
                self._fork()
            children = self._ahead[:1] if count == 1 else self._ahead[-2:]
            trouble = next(filter(None, (child.trouble() for child in children)), "")
            if not trouble:
                return children
            self._busy, self._ahead = self._ahead, []
            self._clear()
        raise RefusedError(trouble)

    def _clear(self) -> None:
        while self._busy:
            self._end(self._busy[0])

    def _fork(self) -> None:
        letter, *numbers, ends = self._ask(protocol.FORK)
        if letter != protocol.FORK:
            raise RefusedError(f"no process could be forked: {os.strerror(numbers[0])}")
        pipes = (ends[: protocol.PIPES], ends[protocol.PIPES :])
        self._ahead += [Child(pid, each) for pid, each in zip(numbers, pipes, strict=True)]

    def _end(self, child: Child) -> int:
        """End a child; its exit code, or minus the signal that ended it."""
        self._busy.remove(child)
        child.close()
        return self._ask(protocol.END, child.pid)[1]

    def _ask(self, letter: bytes, pid: int = 0) -> tuple[bytes, int, int, list[int]]:
        self._connection.sendall(protocol.ASKED.pack(letter, pid, 0))
        size = protocol.ASKED.size
        data, ends, _, _ = socket.recv_fds(self._connection, size, 2 * protocol.PIPES)
        if len(data) < size:
            raise EOFError
        return (*protocol.ASKED.unpack(data), ends)


def _exchange(
    children: Sequence[Child], jobs: Sequence[bytes], seconds: float, stopped: Event
) -> Ended:
    """Hand the jobs over and collect what comes, until all have finished or one is at its end."""
    deadline = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for child, job in zip(children, jobs, strict=True):
            child.unsent = memoryview(job)
            child.register(selector)
        while time.monotonic() < deadline and not stopped.is_set():
            for key, _ in selector.select(min(_TICK, max(0.0, deadline - time.monotonic()))):
                child, name = key.data
                if child.step(name) == b"":
                    selector.unregister(key.fd)
                    child.close(name)
            if any(child.over for child in children):
                return Ended.OUTPUT
            if all(child.finished for child in children):
                return Ended.DONE
            if any(child.gone for child in children):
                return Ended.EXIT
    return Ended.TIME
