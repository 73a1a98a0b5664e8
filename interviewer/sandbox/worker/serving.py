"""The worker's loop, and its children: one thread, one child ahead, one check at a time.

A request waits until the child that was forked ahead is ready; its pipes are then emptied as they
fill, up to a cap, until the child says that it has finished, ends, or is killed. Whatever a child
wrote is passed on unread.

A child is forked ahead, confined, used for one job and thrown away. Its descriptors: 0 brings the
job, 1 and 2 take what is printed, 3 takes records and 4 says how far it is. There are no others.
Whatever a candidate's code writes to them can only change its own check.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import mmap
import os
import select
import signal
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .job import Write, run_job, touch
from .protocol import (
    MOST_SECONDS,
    OUTPUT_LIMIT,
    RECORDS_LIMIT,
    REQUEST_LIMIT,
    FrameBuffer,
    FrameError,
    pack_frame,
)
from .walls import Plan, die_with_parent, put_up

# Attempts on the walls: what they bring about is looked at from outside


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
    with socket.create_connection(("127.0.0.1", asked["port"]), 2) as connection:
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


# A child

READY, FINISHED, REFUSED = b"R", b"F", b"X"
_RECORDS, _STATUS, _KEPT = 3, 4, 5
_FREE, _HIGHEST = 64, 4096
_CHUNK = 1 << 16
_LENGTH = struct.Struct(">cI")
_KINDS: dict[bytes, Callable[[bytes, Callable[[bytes], None]], None]] = {
    b"c": run_job,
    b"p": run_probe,
}
LETTERS = {"check": b"c", "probe": b"p"}


@dataclass
class Child:
    """A running child as seen by its worker: the near ends of its four non-blocking pipes."""

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
        """Close one pipe; -1 means closed."""
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


def fork(plan: Plan) -> Child:
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


def _live(plan: Plan, worker: int, far: list[int]) -> None:
    """The whole life of a child; never returns."""
    code = 1
    try:
        os.setsid()
        die_with_parent(signal.SIGKILL)
        if os.getppid() == worker:
            code = _serve(_keep_only(plan, *far))
    finally:
        os._exit(code)


def _keep_only(plan: Plan, job_end: int, output: int, records: int, status: int) -> Plan:
    """Move the pipes to their places, the ruleset after them, and close everything else."""
    wanted = [job_end, output, output, records, status]
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
    kind, body = asked
    try:
        _KINDS[kind](body, _write_records)
    except BaseException as error:  # noqa: BLE001 - candidates raise anything
        print(f"{type(error).__name__}: {error}"[:400], file=sys.stderr, flush=True)
        return 1
    with contextlib.suppress(Exception):  # the code may have closed or replaced them
        sys.stdout.flush()
        sys.stderr.flush()
    os.write(_STATUS, FINISHED)
    return 0


def _next_job() -> tuple[bytes, bytes] | None:
    """The next job, once it comes; None if the worker went away instead."""
    head = _read_job(_LENGTH.size)
    if head is None:
        return None
    kind, size = _LENGTH.unpack(head)
    body = _read_job(size)
    return None if body is None else (kind, body)


def _read_job(size: int) -> bytes | None:
    held = bytearray()
    while len(held) < size:
        if not (data := os.read(0, min(size - len(held), _CHUNK))):
            return None
        held += data
    return bytes(held)


def _write_records(data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(_RECORDS, rest) :]


# The loop

Greet = Callable[[str | None], dict[str, object]]
_TICK, _SHORT_TICK = 0.05, 0.002
"""Seconds between two looks whether a child has ended, usually and once its pipes are closed."""
_ARMING_SECONDS = 30.0
_MOST_WAITING = 8


@dataclass
class _Check:
    """A request on its way. ``deadline`` and ``begun`` are 0 until its child has taken it up."""

    id: int
    seconds: float
    unsent: memoryview
    begun: float = 0.0
    deadline: float = 0.0
    records: bytearray = field(default_factory=bytearray)
    output: bytearray = field(default_factory=bytearray)
    over: bool = False


class Server:
    """Serves one client until it goes away.

    ``greet`` makes the first frame, from None or from what kept the first child from being ready.
    """

    def __init__(self, incoming: int, outgoing: int, plan: Plan, greet: Greet) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._plan = plan
        self._greet: Greet | None = greet
        self._frames = FrameBuffer(REQUEST_LIMIT)
        self._waiting: deque[_Check] = deque()
        self._child: Child | None = None
        self._ready = False
        self._armed_by = 0.0
        self._check: _Check | None = None
        self._open = True

    def serve(self) -> None:
        """Serve until the client closes its end or sends an invalid frame."""
        self._arm()
        try:
            while self._open:
                self._step()
        except (FrameError, BrokenPipeError):
            pass
        finally:
            self._discard()

    def _step(self) -> None:
        waited_for = {self._incoming: self._requests, **self._child_ends()}
        poll = select.poll()
        for descriptor in waited_for:
            poll.register(descriptor, select.POLLIN)
        sending = self._child.job if self._child and self._check and self._check.unsent else -1
        if sending >= 0:
            poll.register(sending, select.POLLOUT)
        for descriptor, _ in poll.poll(self._patience()):
            if descriptor == sending:
                self._send()
            else:
                waited_for[descriptor]()
        self._look_after()

    def _child_ends(self) -> dict[int, Callable[[], None]]:
        if (child := self._child) is None:
            return {}
        ends = {child.status: self._hear}
        if self._check is not None:
            ends[child.records] = lambda: self._collect("records")
            ends[child.output] = lambda: self._collect("output")
        return {descriptor: act for descriptor, act in ends.items() if descriptor >= 0}

    def _patience(self) -> float | None:
        """Milliseconds; None where there is nothing to look after."""
        if self._child is None:
            return 0.0 if self._waiting else None
        if self._ready and self._check is None:
            return None
        left = self._until() - time.monotonic()
        tick = _SHORT_TICK if self._child.status < 0 else _TICK
        return max(0.0, min(left, tick)) * 1000

    def _until(self) -> float:
        return self._check.deadline if self._check else self._armed_by

    # -- the client's side

    def _requests(self) -> None:
        data = os.read(self._incoming, _CHUNK)
        if not data:
            self._open = False
        for header, body in self._frames.feed(data):
            self._take(header, body)

    def _take(self, header: dict[str, object], body: bytes) -> None:
        number, do = header.get("id"), header.get("do")
        if type(number) is not int or len(self._waiting) >= _MOST_WAITING:
            raise FrameError("a request without a number, or one too many")
        if do == "cancel":
            self._cancel(number)
            return
        seconds = header.get("seconds")
        if do not in LETTERS or not isinstance(seconds, int | float) or seconds <= 0:
            raise FrameError("a request for something unknown")
        unsent = memoryview(framed(str(do), body))
        self._waiting.append(_Check(number, min(float(seconds), MOST_SECONDS), unsent))

    def _cancel(self, number: int) -> None:
        """Forget a request; it gets no reply."""
        self._waiting = deque(check for check in self._waiting if check.id != number)
        if self._check and self._check.id == number:
            self._check = None
            self._discard()
            self._arm()

    def _reply(
        self, check: _Check, ended: str, *, code: int | None = None, reason: str = ""
    ) -> None:
        taken = time.monotonic() - check.begun if check.begun else 0.0
        header = {
            "id": check.id,
            "ended": ended,
            "signal": -code if code is not None and code < 0 else None,
            "exit": code if code is not None and code >= 0 else None,
            "milliseconds": round(taken * 1000, 3),
            "records": len(check.records),
            "output": len(check.output),
            "reason": reason,
        }
        self._put(pack_frame(header, bytes(check.records + check.output)))

    def _put(self, frame: bytes) -> None:
        rest = memoryview(frame)
        while rest:
            rest = rest[os.write(self._outgoing, rest) :]

    # -- the child's side

    def _arm(self) -> None:
        """Fork the next child; if that fails, refuse whatever waits."""
        self._ready, self._armed_by = False, time.monotonic() + _ARMING_SECONDS
        try:
            self._child = fork(self._plan)
        except OSError as error:
            self._refuse(f"no process could be forked: {error.strerror}")

    def _hear(self) -> None:
        if self._child is None or (said := _read_now(self._child.status)) is None:
            return
        if not said:
            self._child.close_end("status")
        elif self._check is not None:
            if said.startswith(FINISHED):
                self._finish("done")
        elif said == READY:
            self._ready = True
            self._welcome(None)
        elif said.startswith(REFUSED):
            self._refuse(said[1:].decode(errors="replace"))

    def _welcome(self, trouble: str | None) -> None:
        """Send the greeting, once."""
        if self._greet is not None:
            self._put(pack_frame(self._greet(trouble)))
            self._greet = None
            self._open = trouble is None

    def _refuse(self, reason: str) -> None:
        """No child for now; the next request tries again."""
        self._discard()
        self._welcome(reason)
        if self._waiting:
            self._reply(self._waiting.popleft(), "refused", reason=reason)

    def _send(self) -> None:
        if self._child is None or self._check is None or self._child.job < 0:
            return
        try:
            sent = os.write(self._child.job, self._check.unsent[:_CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:
            sent = len(self._check.unsent)
        self._check.unsent = self._check.unsent[sent:]
        if not self._check.unsent:
            self._child.close_end("job")

    def _collect(self, name: str) -> None:
        """Take what there is of one pipe, once; beyond the cap the check is over."""
        if self._child is None or self._check is None:
            return
        data = _read_now(getattr(self._child, name))
        if data == b"":
            self._child.close_end(name)
        held: bytearray = getattr(self._check, name)
        room = (RECORDS_LIMIT if name == "records" else OUTPUT_LIMIT) - len(held)
        held += (data or b"")[:room]
        self._check.over |= len(data or b"") > room

    def _look_after(self) -> None:
        if self._check is None:
            self._between()
        elif self._check.over:
            self._finish("output")
        elif time.monotonic() >= self._check.deadline:
            self._finish("time")
        elif (code := self._ended()) is not None:
            self._hear()  # its last word may have come in since
            self._finish("exit" if code >= 0 else "signal", code)

    def _between(self) -> None:
        """No check under way: see to the child that waits, and give it what waits for it."""
        if self._child is None:
            if self._waiting and self._open:
                self._arm()
        elif self._ready and self._child.status >= 0:
            self._begin()
        elif self._child.status < 0:
            self._refuse("the confined process exited before it was given anything to do")
        elif time.monotonic() >= self._armed_by:
            self._refuse(f"the confined process was not ready within {_ARMING_SECONDS:.0f} s")

    def _begin(self) -> None:
        if self._waiting:
            self._check = self._waiting.popleft()
            self._check.begun = time.monotonic()
            self._check.deadline = self._check.begun + self._check.seconds
            self._send()

    def _ended(self) -> int | None:
        """The child's exit code, or minus its signal; None while it lives."""
        return None if self._child is None else self._child.ended()

    def _finish(self, ended: str, code: int | None = None) -> None:
        """Reply before clearing away, which takes the kernel longer than most checks last."""
        check, child = self._check, self._child
        if check is None or child is None:
            return
        if ended in ("done", "exit", "signal"):
            self._drain(check, child)
        if ended != "done":
            child.kill()
        self._check = None
        self._reply(check, "output" if check.over else ended, code=code)
        self._discard()
        self._arm()

    def _drain(self, check: _Check, child: Child) -> None:
        """Read what is left in the pipes of a child that writes no more."""
        for name in ("records", "output"):
            before = -1
            while before < len(getattr(check, name)) and not check.over:
                before = len(getattr(check, name))
                self._collect(name)

    def _discard(self) -> None:
        """Kill the child and wait for it, so that none is left behind."""
        child, self._child, self._ready = self._child, None, False
        if child is not None:
            child.kill()
            child.close()
            child.reap()


def _read_now(descriptor: int) -> bytes | None:
    """The available bytes; empty at the end, None if there is nothing now."""
    if descriptor < 0:
        return None
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
