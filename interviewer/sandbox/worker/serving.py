"""The worker's loop: one thread, children ready ahead of need, one check at a time.

A request waits until children are ready for it: one for its job, and the other of a pair, where a
referee is to test properties of what the first computes. Their pipes are emptied as they fill, up
to a cap, until they say that they have finished, end, or are killed. What they wrote is passed on
unread.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from . import protocol

LETTERS = {"check": b"c", "probe": b"p"}
_REFEREE = b"r"
_CHUNK = 1 << 16
_TICK, _SHORT_TICK = 0.05, 0.002
"""Seconds between two looks whether a child has ended, usually and once its pipes are closed."""
_ARMING_SECONDS = 30.0

Greet = Callable[[str | None], dict[str, object]]


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
    unsent: memoryview = field(default_factory=lambda: memoryview(b""))
    answered: dict[str, bytearray] = field(
        default_factory=lambda: {"records": bytearray(), "output": bytearray()}
    )
    """What came through its pipes so far."""
    code: int | None = None
    """How it ended: its exit code, or minus the signal; None until it was fetched."""

    def close(self) -> None:
        """Close what is still open of the pipes."""
        for name in ("job", "output", "records", "status"):
            self.close_end(name)

    def close_end(self, name: str) -> None:
        if (descriptor := getattr(self, name)) >= 0:
            os.close(descriptor)
            setattr(self, name, -1)

    def kill(self) -> None:
        """Kill it and whatever it may have started in its group."""
        for kill in (os.killpg, os.kill) if self.code is None else (os.killpg,):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)


class Zygote:
    """The worker's handle on the process that children are forked from."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def fork(self) -> list[Child]:
        """A pair that put their walls up and then wait, each for a job. Raises OSError."""
        self._connection.sendall(protocol.FORKED.pack(protocol.FORK, 0, 0))
        data, ends, _, _ = socket.recv_fds(
            self._connection, protocol.FORKED.size, 2 * protocol.PIPES
        )
        if len(data) < protocol.FORKED.size:
            raise ZygoteDiedError
        letter, first, second = protocol.FORKED.unpack(data)
        if letter != protocol.FORK:
            raise OSError(first, os.strerror(first))
        for descriptor in ends:
            os.set_blocking(descriptor, False)
        pids, pipes = (first, second), (ends[: protocol.PIPES], ends[protocol.PIPES :])
        return [
            Child(pid, job, output, records, status)
            for pid, (job, output, records, status) in zip(pids, pipes, strict=True)
        ]

    def ended(self, child: Child) -> int | None:
        """Its exit code, or minus the signal that ended it; None while it runs."""
        if (
            child.code is None
            and (code := self._asked(protocol.LOOK, child.pid)) != protocol.STILL_ALIVE
        ):
            child.code = code
        return child.code

    def reap(self, child: Child) -> None:
        """Wait for its end, so that none is left behind."""
        if child.code is None:
            child.code = self._asked(protocol.REAP, child.pid)

    def _asked(self, letter: bytes, pid: int) -> int:
        self._connection.sendall(protocol.FORKED.pack(letter, pid, 0))
        data = self._connection.recv(protocol.FORKED.size, socket.MSG_WAITALL)
        if len(data) < protocol.FORKED.size:
            raise ZygoteDiedError
        return int(protocol.FORKED.unpack(data)[1])


@dataclass
class _Check:
    """A request on its way; it has no ``children`` and no ``deadline`` until some are ready."""

    id: int
    seconds: float
    jobs: list[bytes]
    deadline: float = 0.0
    children: list[Child] = field(default_factory=list)
    over: bool = False


class Server:
    """Serves one client until it goes away.

    ``greet`` makes the first frame, from None or from what kept the first child from being ready.
    """

    def __init__(self, incoming: int, outgoing: int, zygote: Zygote, greet: Greet) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._zygote = zygote
        self._greet: Greet | None = greet
        self._frames = protocol.FrameBuffer(protocol.REQUEST_LIMIT)
        self._ahead: list[Child] = []
        self._armed_by = 0.0
        self._check: _Check | None = None
        self._open = True

    def serve(self) -> None:
        """Serve until the client closes its end or sends an invalid frame."""
        try:
            self._arm()
            while self._open:
                self._step()
            self._discard(self._everyone())
        except (protocol.FrameError, BrokenPipeError):
            self._discard(self._everyone())
        except ZygoteDiedError:
            for child in self._everyone():
                child.kill()

    def _step(self) -> None:
        poll = select.poll()
        acts: dict[int, Callable[[], None]] = {self._incoming: self._requests}
        poll.register(self._incoming, select.POLLIN)
        for descriptor, events, act in self._ends():
            if descriptor >= 0:
                poll.register(descriptor, events)
                acts[descriptor] = act
        for descriptor, _ in poll.poll(self._patience()):
            acts[descriptor]()
        self._look_after()

    def _ends(self) -> Iterator[tuple[int, int, Callable[[], None]]]:
        for child in self._everyone():
            yield child.status, select.POLLIN, partial(self._hear, child)
        for child in self._check.children if self._check else ():
            yield child.records, select.POLLIN, partial(self._collect, child, "records")
            yield child.output, select.POLLIN, partial(self._collect, child, "output")
            if child.unsent:
                yield child.job, select.POLLOUT, partial(self._send, child)

    def _everyone(self) -> list[Child]:
        return [*self._ahead, *(self._check.children if self._check else ())]

    def _patience(self) -> float | None:
        """Milliseconds; None where there is nothing to look after."""
        waits = [self._armed_by] if not all(child.ready for child in self._ahead) else []
        if self._check is not None and self._check.children:
            waits.append(self._check.deadline)
        if not waits:
            return None if self._check is None else 0.0
        closed = any(child.status < 0 for child in self._everyone())
        wait = min(min(waits) - time.monotonic(), _SHORT_TICK if closed else _TICK)
        return max(0.0, wait) * 1000

    # -- the client's side

    def _requests(self) -> None:
        data = os.read(self._incoming, _CHUNK)
        if not data:
            self._open = False
        for header, body in self._frames.feed(data):
            self._take(header, body)

    def _take(self, header: dict[str, Any], body: bytes) -> None:
        number, do = header["id"], header["do"]
        if do == "cancel":  # it gets no reply
            if self._check and self._check.id == number:
                self._clear()
            return
        if self._check is not None:
            raise protocol.FrameError("a request before the last one was answered")
        first = len(body) - header["referee"]
        jobs = [_job(LETTERS[do], body[:first])]
        if header["referee"]:
            jobs.append(_job(_REFEREE, body[first:]))
        self._check = _Check(number, min(header["seconds"], protocol.MOST_SECONDS), jobs)

    def _reply(
        self, check: _Check, ended: str, *, code: int | None = None, reason: str = ""
    ) -> None:
        parts = [part for child in check.children for part in child.answered.values()][:3]
        parts += [bytearray()] * (3 - len(parts))
        header = {
            "id": check.id,
            "ended": ended,
            "signal": -code if code is not None and code < 0 else None,
            "parts": [len(part) for part in parts],
            "reason": reason,
        }
        self._put(protocol.pack_frame(header, b"".join(parts)))

    def _put(self, frame: bytes) -> None:
        rest = memoryview(frame)
        while rest:
            rest = rest[os.write(self._outgoing, rest) :]

    # -- children that wait

    def _arm(self) -> None:
        """See to it that a pair waits; if none can be forked, refuse what waits for it."""
        if len(self._ahead) > 1:
            return
        try:
            self._ahead += self._zygote.fork()
        except OSError as error:
            self._refuse(f"no process could be forked: {error.strerror}")
        self._armed_by = time.monotonic() + _ARMING_SECONDS

    def _hear(self, child: Child) -> None:
        if (said := _read_now(child.status)) is None:
            return
        if not said:
            child.close_end("status")
        elif child not in self._ahead:
            child.finished |= said.startswith(protocol.FINISHED)
        elif said == protocol.READY:
            child.ready = True
            self._welcome(None)
        elif said.startswith(protocol.REFUSED):
            self._drop(said[1:].decode(errors="replace"))

    def _welcome(self, trouble: str | None) -> None:
        if self._greet is not None:
            self._put(protocol.pack_frame(self._greet(trouble)))
            self._greet = None
            self._open = trouble is None

    def _drop(self, reason: str) -> None:
        ahead, self._ahead = self._ahead, []
        self._discard(ahead)
        self._refuse(reason)

    def _refuse(self, reason: str) -> None:
        """There are no children for now; the next request tries again."""
        self._welcome(reason)
        if (check := self._check) is not None and not check.children:
            self._check = None
            self._reply(check, "refused", reason=reason)

    def _between(self) -> None:
        """No check under way: see to the children that wait, and give them the request, if any."""
        if any(child.status < 0 for child in self._ahead):
            self._drop("the confined process exited before it was given anything to do")
        elif not all(child.ready for child in self._ahead) and time.monotonic() >= self._armed_by:
            self._drop(f"the confined process was not ready within {_ARMING_SECONDS:.0f} s")
        elif self._check is not None and self._open:
            wanted = len(self._check.jobs)
            # A pair stands last; what a single check left of an earlier pair stands first.
            children = self._ahead[:1] if wanted == 1 else self._ahead[-2:]
            if len(children) < wanted:
                self._arm()
            elif all(child.ready for child in children):
                self._begin(self._check, children)

    # -- a check under way

    def _begin(self, check: _Check, children: list[Child]) -> None:
        self._ahead = [child for child in self._ahead if child not in children]
        check.children = children
        for child, job in zip(children, check.jobs, strict=True):
            child.unsent = memoryview(job)
        check.deadline = time.monotonic() + check.seconds
        for child in children:
            self._send(child)

    def _send(self, child: Child) -> None:
        if child.job < 0:
            return
        try:
            sent = os.write(child.job, child.unsent[:_CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:
            sent = len(child.unsent)
        child.unsent = child.unsent[sent:]
        if not child.unsent:
            child.close_end("job")

    def _collect(self, child: Child, name: str) -> None:
        """Take what there is of one pipe, once; beyond the cap the check is over."""
        data = _read_now(getattr(child, name))
        if data == b"":
            child.close_end(name)
        held = child.answered[name]
        room = (protocol.RECORDS_LIMIT if name == "records" else protocol.OUTPUT_LIMIT) - len(held)
        held += (data or b"")[:room]
        if self._check is not None:
            self._check.over |= len(data or b"") > room

    def _look_after(self) -> None:
        check = self._check
        if check is None or not check.children:
            self._between()
        elif check.over:
            self._finish("output")
        elif all(child.finished for child in check.children):
            self._finish("done")
        elif time.monotonic() >= check.deadline:
            self._finish("time")
        elif (ended := self._ended(check)) is not None:
            self._hear(ended)  # its last word may have come in since
            if not all(child.finished for child in check.children):
                self._finish("exit" if (ended.code or 0) >= 0 else "signal", ended.code)

    def _ended(self, check: _Check) -> Child | None:
        """A child that ended before all had finished. Only one with closed pipes can have."""
        for child in check.children:
            if child.status < 0 and self._zygote.ended(child) is not None:
                return child
        return None

    def _finish(self, ended: str, code: int | None = None) -> None:
        """Reply before clearing away, which takes the kernel longer than most checks last."""
        if (check := self._check) is None:
            return
        if ended in ("done", "exit", "signal"):
            self._drain(check)
        if ended != "done":
            for child in check.children:
                child.kill()
        self._reply(check, "output" if check.over else ended, code=code)
        self._clear()

    def _drain(self, check: _Check) -> None:
        """Read what is left in the pipes of children that write no more."""
        for child in check.children:
            for name, held in child.answered.items():
                before = -1
                while before < len(held) and not check.over:
                    before = len(held)
                    self._collect(child, name)

    def _clear(self) -> None:
        children, self._check = self._check.children if self._check else [], None
        self._discard(children)
        self._arm()

    def _discard(self, children: list[Child]) -> None:
        for child in children:
            child.kill()
            child.close()
        for child in children:
            self._zygote.reap(child)


def _job(letter: bytes, body: bytes) -> bytes:
    return protocol.JOB_HEAD.pack(letter, len(body)) + body


def _read_now(descriptor: int) -> bytes | None:
    """The available bytes; empty at the end, None if there is nothing now."""
    if descriptor < 0:
        return None
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
