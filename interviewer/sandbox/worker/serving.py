"""The worker's loop: one thread, children ready ahead of need, one check at a time.

A request waits until the children for it are ready: one for its job, and the other of its pair
where a referee is to test properties of it. Their pipes are emptied as they fill, up to a cap,
until they say that they have finished, end, or are killed. What they wrote is passed on unread.
"""

from __future__ import annotations

import os
import select
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from .protocol import (
    FINISHED,
    JOB_HEAD,
    MOST_SECONDS,
    OUTPUT_LIMIT,
    READY,
    RECORDS_LIMIT,
    REFUSED,
    REQUEST_LIMIT,
    FrameBuffer,
    FrameError,
    pack_frame,
)
from .zygote import Child, Zygote, ZygoteDiedError

LETTERS = {"check": b"c", "probe": b"p"}
_REFEREE = b"r"
_CHUNK = 1 << 16

Greet = Callable[[str | None], dict[str, object]]
_TICK, _SHORT_TICK = 0.05, 0.002
"""Seconds between two looks whether a child has ended, usually and once its pipes are closed."""
_ARMING_SECONDS = 30.0
_MOST_WAITING = 8


@dataclass
class _Run:
    """One child at work on a check, and what it has answered so far."""

    child: Child
    unsent: memoryview
    records: bytearray = field(default_factory=bytearray)
    output: bytearray = field(default_factory=bytearray)


@dataclass
class _Check:
    """A request on its way. ``deadline`` and ``begun`` are 0 until children have taken it up."""

    id: int
    seconds: float
    jobs: list[bytes]
    begun: float = 0.0
    deadline: float = 0.0
    runs: list[_Run] = field(default_factory=list)
    over: bool = False


class Server:
    """Serves one client until it goes away.

    ``greet`` makes the first frame, from None or from what kept the first child from being ready.
    """

    def __init__(self, incoming: int, outgoing: int, zygote: Zygote, greet: Greet) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._zygote = zygote
        self._greet: Greet | None = greet
        self._frames = FrameBuffer(REQUEST_LIMIT)
        self._waiting: deque[_Check] = deque()
        self._ahead: list[Child] = []
        self._check: _Check | None = None
        self._open = True

    def serve(self) -> None:
        """Serve until the client closes its end or sends an invalid frame."""
        try:
            self._arm()
            while self._open:
                self._step()
            self._discard(self._everyone())
        except (FrameError, BrokenPipeError):
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
        """The children's pipes that something may come or go through, and what is then done."""
        for child in self._everyone():
            yield child.status, select.POLLIN, partial(self._hear, child)
        for run in self._check.runs if self._check else ():
            child = run.child
            yield child.records, select.POLLIN, partial(self._collect, run, "records")
            yield child.output, select.POLLIN, partial(self._collect, run, "output")
            if run.unsent:
                yield child.job, select.POLLOUT, partial(self._send, run)

    def _everyone(self) -> list[Child]:
        return [*self._ahead, *(run.child for run in (self._check.runs if self._check else ()))]

    def _patience(self) -> float | None:
        """Milliseconds; None where there is nothing to look after."""
        children = self._everyone()
        waits = [child.armed_by for child in self._ahead if not child.ready]
        if self._check is not None:
            waits.append(self._check.deadline)
        if not waits:
            return 0.0 if self._waiting else None
        tick = _SHORT_TICK if any(child.status < 0 for child in children) else _TICK
        return max(0.0, min(min(waits) - time.monotonic(), tick)) * 1000

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
        seconds, second = header.get("seconds"), header.get("referee", 0)
        if do not in LETTERS or not isinstance(seconds, int | float) or seconds <= 0:
            raise FrameError("a request for something unknown")
        if type(second) is not int or not 0 <= second <= len(body):
            raise FrameError("a request whose parts do not add up")
        first = len(body) - second
        jobs = [_job(LETTERS[str(do)], body[:first])]
        if second:
            jobs.append(_job(_REFEREE, body[first:]))
        self._waiting.append(_Check(number, min(float(seconds), MOST_SECONDS), jobs))

    def _cancel(self, number: int) -> None:
        """Forget a request; it gets no reply."""
        self._waiting = deque(check for check in self._waiting if check.id != number)
        if self._check and self._check.id == number:
            self._clear()

    def _reply(
        self, check: _Check, ended: str, *, code: int | None = None, reason: str = ""
    ) -> None:
        taken = time.monotonic() - check.begun if check.begun else 0.0
        parts = [part for run in check.runs for part in (run.records, run.output)][:3]
        parts += [bytearray()] * (3 - len(parts))
        header = {
            "id": check.id,
            "ended": ended,
            "signal": -code if code is not None and code < 0 else None,
            "exit": code if code is not None and code >= 0 else None,
            "milliseconds": round(taken * 1000, 3),
            "parts": [len(part) for part in parts],
            "reason": reason,
        }
        self._put(pack_frame(header, b"".join(parts)))

    def _put(self, frame: bytes) -> None:
        rest = memoryview(frame)
        while rest:
            rest = rest[os.write(self._outgoing, rest) :]

    # -- children that wait

    def _arm(self) -> None:
        """See to it that a pair waits; if none can be forked, refuse what waits for it."""
        if any(child.peer for child in self._ahead):
            return
        try:
            pair = self._zygote.fork()
        except OSError as error:
            self._refuse(f"no process could be forked: {error.strerror}")
            return
        for child in pair:
            child.armed_by = time.monotonic() + _ARMING_SECONDS
        self._ahead += pair

    def _hear(self, child: Child) -> None:
        if (said := _read_now(child.status)) is None:
            return
        if not said:
            child.close_end("status")
        elif child not in self._ahead:
            child.finished |= said.startswith(FINISHED)
        elif said == READY:
            child.ready = True
            self._welcome(None)
        elif said.startswith(REFUSED):
            self._drop(child, said[1:].decode(errors="replace"))

    def _welcome(self, trouble: str | None) -> None:
        """Send the greeting, once."""
        if self._greet is not None:
            self._put(pack_frame(self._greet(trouble)))
            self._greet = None
            self._open = trouble is None

    def _drop(self, child: Child, reason: str) -> None:
        """A child that waited is of no use."""
        self._leave(child)
        self._discard([child])
        self._refuse(reason)

    def _leave(self, child: Child) -> None:
        """It waits no more; the other of its pair is left alone."""
        self._ahead.remove(child)
        if child.peer is not None:
            child.peer.peer = None
            child.peer = None

    def _refuse(self, reason: str) -> None:
        """There are too few children for now; the next request tries again."""
        self._welcome(reason)
        if self._check is None and self._waiting and not self._fit(self._waiting[0]):
            self._reply(self._waiting.popleft(), "refused", reason=reason)

    def _fit(self, check: _Check) -> list[Child]:
        """Children that wait and could take the check, whether ready or not; empty if too few."""
        if len(check.jobs) > 1:
            return next(([child, child.peer] for child in self._ahead if child.peer), [])
        return sorted(self._ahead, key=lambda child: child.peer is not None)[:1]

    def _between(self) -> None:
        """No check under way: see to the children that wait, and give them what waits for them."""
        for child in list(self._ahead):
            if child.status < 0:
                self._drop(child, "the confined process exited before it was given anything to do")
            elif not child.ready and time.monotonic() >= child.armed_by:
                self._drop(
                    child, f"the confined process was not ready within {_ARMING_SECONDS:.0f} s"
                )
        if not (self._waiting and self._open):
            return
        children = self._fit(self._waiting[0])
        if not children:
            self._arm()
        elif all(child.ready for child in children):
            self._begin(self._waiting.popleft(), children)

    # -- a check under way

    def _begin(self, check: _Check, children: list[Child]) -> None:
        for child, job in zip(children, check.jobs, strict=True):
            self._leave(child)
            check.runs.append(_Run(child, memoryview(job)))
        check.begun = time.monotonic()
        check.deadline = check.begun + check.seconds
        self._check = check
        for run in check.runs:
            self._send(run)

    def _send(self, run: _Run) -> None:
        if run.child.job < 0:
            return
        try:
            sent = os.write(run.child.job, run.unsent[:_CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:
            sent = len(run.unsent)
        run.unsent = run.unsent[sent:]
        if not run.unsent:
            run.child.close_end("job")

    def _collect(self, run: _Run, name: str) -> None:
        """Take what there is of one pipe, once; beyond the cap the check is over."""
        data = _read_now(getattr(run.child, name))
        if data == b"":
            run.child.close_end(name)
        held: bytearray = getattr(run, name)
        room = (RECORDS_LIMIT if name == "records" else OUTPUT_LIMIT) - len(held)
        held += (data or b"")[:room]
        if self._check is not None:
            self._check.over |= len(data or b"") > room

    def _look_after(self) -> None:
        if (check := self._check) is None:
            self._between()
        elif check.over:
            self._finish("output")
        elif all(run.child.finished for run in check.runs):
            self._finish("done")
        elif time.monotonic() >= check.deadline:
            self._finish("time")
        elif (ended := self._ended(check)) is not None:
            self._hear(ended)  # its last word may have come in since
            if not all(run.child.finished for run in check.runs):
                self._finish("exit" if (ended.code or 0) >= 0 else "signal", ended.code)

    def _ended(self, check: _Check) -> Child | None:
        """A child that ended before all had finished. Only one with closed pipes can have."""
        for run in check.runs:
            if run.child.status < 0 and self._zygote.ended(run.child) is not None:
                return run.child
        return None

    def _finish(self, ended: str, code: int | None = None) -> None:
        """Reply before clearing away, which takes the kernel longer than most checks last."""
        if (check := self._check) is None:
            return
        if ended in ("done", "exit", "signal"):
            self._drain(check)
        if ended != "done":
            for run in check.runs:
                run.child.kill()
        self._reply(check, "output" if check.over else ended, code=code)
        self._clear()

    def _drain(self, check: _Check) -> None:
        """Read what is left in the pipes of children that write no more."""
        for run in check.runs:
            for name in ("records", "output"):
                before = -1
                while before < len(getattr(run, name)) and not check.over:
                    before = len(getattr(run, name))
                    self._collect(run, name)

    def _clear(self) -> None:
        """Throw the children of the check away and make others ready."""
        runs, self._check = self._check.runs if self._check else [], None
        self._discard([run.child for run in runs])
        self._arm()

    def _discard(self, children: list[Child]) -> None:
        """Kill them and wait for them, so that none is left behind."""
        for child in children:
            child.kill()
            child.close()
        for child in children:
            self._zygote.reap(child)


def _job(letter: bytes, body: bytes) -> bytes:
    """A job as the child reads it from its pipe."""
    return JOB_HEAD.pack(letter, len(body)) + body


def _read_now(descriptor: int) -> bytes | None:
    """The available bytes; empty at the end, None if there is nothing now."""
    if descriptor < 0:
        return None
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
