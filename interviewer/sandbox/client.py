"""The client of the confined worker: starts, asks and stops it; it may die at any time.

Nothing here blocks the event loop. The worker has a clean environment, no descriptors but its
pipes, and it ends when this program does, however that happens.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from interviewer.errors import SandboxError
from interviewer.sandbox.worker import protocol, walls
from interviewer.yaml_tables import table

WORDINGS = table("wordings", "interviewer.sandbox")
START = Path(__file__).parent / "worker" / "start.py"
ALL_WALLS = ("limits", "landlock", "seccomp")
START_SECONDS = 90.0
"""How long a worker may take to load torch; a cold disk may need most of it."""
_GRACE = 5.0
"""Seconds beyond a check's own limit before the worker itself counts as hung."""
_ARMING = 35.0
"""Seconds that may pass before a check begins, while its process is made ready."""
_LEAVING = 2.0
_CHUNK = 1 << 16
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


Frames: TypeAlias = AsyncIterator[tuple[dict[str, Any], bytes]]


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


@dataclass(frozen=True)
class Greeting:
    """What a worker reports about itself once its first confined child is ready."""

    python: str
    torch: str
    walls: tuple[str, ...]
    pid: int


@dataclass(frozen=True)
class WorkerReply:
    """The result of one run. ``records`` and ``output`` are untrusted bytes, ``referee`` records.

    ``message`` is a sentence for a person, empty if the run finished.
    """

    ended: Ended
    records: bytes = b""
    output: bytes = b""
    referee: bytes = b""
    signal: int | None = None
    message: str = ""


_GREETING = TypeAdapter(Greeting)


class Worker:
    """One worker process, restarted as needed; it handles one run at a time.

    ``walls`` are those to use where the system has them, ``prefix`` is a command that the
    interpreter is started through, and ``script`` the file it runs.
    """

    def __init__(
        self,
        python: Path,
        *,
        walls: Sequence[str] = ALL_WALLS,
        prefix: Sequence[str] = (),
        script: Path = START,
        start_seconds: float = START_SECONDS,
    ) -> None:
        self.python = python
        self.walls = tuple(walls)
        self._command = [*prefix, str(python), "-I", "-B", "-W", "ignore", str(script), *walls]
        self._start_seconds = start_seconds
        self._turn = asyncio.Lock()
        self._running: _Running | None = None

    async def start(self) -> Greeting:
        """Start the worker unless it is ready. Raises SandboxError."""
        async with self._turn:
            return (await self._ready()).greeting

    async def run(
        self,
        body: bytes,
        *,
        seconds: float,
        do: Literal["check", "probe"] = "check",
        referee: bytes = b"",
    ) -> WorkerReply:
        """Run a job in a fresh confined process. Raises SandboxError if none can be started.

        ``referee`` is a second job, run beside the first in a process of its own, which may call
        the function of the first. Cancelling this kills the processes; the worker stays.
        """
        if len(body) + len(referee) > protocol.REQUEST_LIMIT:
            too_large = _message(Ended.REFUSED, "the check is too large to send", seconds)
            return WorkerReply(Ended.REFUSED, message=too_large)
        async with self._turn:
            running = await self._ready()
            reply = await running.ask(do, body, referee, min(seconds, protocol.MOST_SECONDS))
            if reply.ended is Ended.WORKER_DIED:
                await self._stop()
            return reply

    async def aclose(self) -> None:
        """Stop the worker and whatever it runs; it can be started again."""
        async with self._turn:
            await self._stop()

    async def _ready(self) -> _Running:
        if self._running is not None and self._running.alive:
            return self._running
        await self._stop()
        self._running = await self._started()
        return self._running

    async def _stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            await running.end()

    async def _started(self) -> _Running:
        process = await self._spawned()
        frames = _frames(process)
        try:
            async with asyncio.timeout(self._start_seconds):
                fields, _ = await anext(frames)
            return _Running(process, frames, _greeting(fields, self.python))
        except TimeoutError:
            await _end(process)
            raise SandboxError(
                f"The check worker under {self.python} was not ready within "
                f"{self._start_seconds:.0f} s; try again, or see `interviewer sandbox doctor`."
            ) from None
        except (protocol.FrameError, EOFError, OSError) as error:
            await _end(process)
            raise SandboxError(
                f"{self.python} exited before the check worker was ready (exit status "
                f"{process.returncode}); run `interviewer sandbox install` to set it up again."
            ) from error
        except BaseException:
            await _end(process)
            raise

    async def _spawned(self) -> asyncio.subprocess.Process:
        with contextlib.suppress(OSError):  # it has keys; where the kernel refuses, so be it
            walls.hide()
        try:
            return await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_ENVIRONMENT,
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxError(
                f"{self._command[0]} cannot be started ({error.strerror}); "
                "run `interviewer sandbox install` to set the check worker up."
            ) from error


class _Running:
    """A worker that has greeted. One task reads its replies, so that no caller gets another's."""

    def __init__(
        self, process: asyncio.subprocess.Process, frames: Frames, greeting: Greeting
    ) -> None:
        self.greeting = greeting
        self._frames = frames
        self._process = process
        self._number = 0
        self._answer: asyncio.Future[tuple[dict[str, Any], bytes]] | None = None
        self._reading = asyncio.create_task(self._read())

    @property
    def alive(self) -> bool:
        """It can be asked."""
        return self._process.returncode is None and not self._reading.done()

    async def ask(self, do: str, body: bytes, referee: bytes, seconds: float) -> WorkerReply:
        """One request and its reply."""
        self._number += 1
        number, self._answer = self._number, asyncio.get_running_loop().create_future()
        try:
            asked = {"id": number, "do": do, "seconds": seconds, "referee": len(referee)}
            self._send(asked, body + referee)
            async with asyncio.timeout(seconds + _GRACE + _ARMING):
                fields, records = await self._answer
                return _reply(fields, records, seconds)
        except asyncio.CancelledError:
            self._send({"id": number, "do": "cancel"})
            raise
        except (TimeoutError, EOFError, OSError, protocol.FrameError):
            return WorkerReply(Ended.WORKER_DIED, message=_message(Ended.WORKER_DIED, "", seconds))
        finally:
            self._answer = None

    async def end(self) -> None:
        """Stop reading, stop the process."""
        self._reading.cancel()
        await asyncio.wait([self._reading])
        await _end(self._process)

    def _send(self, header: Mapping[str, object], body: bytes = b"") -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(protocol.pack_frame(header, body))

    async def _read(self) -> None:
        try:
            async for fields, body in self._frames:
                answer = self._answer
                if answer and fields.get("id") == self._number and not answer.done():
                    answer.set_result((fields, body))
        except (protocol.FrameError, EOFError, OSError) as error:
            if self._answer and not self._answer.done():
                self._answer.set_exception(error)


async def _frames(process: asyncio.subprocess.Process) -> Frames:
    """The frames that come; raises FrameError, or EOFError at the end."""
    assert process.stdout is not None
    buffer = protocol.FrameBuffer(protocol.REPLY_LIMIT)
    while data := await process.stdout.read(_CHUNK):
        for frame in buffer.feed(data):
            yield frame
    raise EOFError


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let the worker exit by itself, which cleans up its child; kill it if it does not."""
    assert process.stdin is not None
    process.stdin.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LEAVING):
            await process.wait()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    assert process.stdout is not None
    with contextlib.suppress(TimeoutError):  # at its end the transport closes, not in some __del__
        async with asyncio.timeout(_LEAVING):
            while await process.stdout.read(_CHUNK):
                pass


def _greeting(fields: dict[str, Any], python: Path) -> Greeting:
    if fields.get("protocol") != protocol.PROTOCOL:
        raise SandboxError(
            "The check worker and this program differ in version; restart the program."
        )
    if (error := fields.get("error")) is not None:
        known = {"version": fields.get("python"), **dict.fromkeys(("torch", "detail")), **fields}
        troubles = WORDINGS["troubles"]
        sentence = troubles.get(str(error), troubles["walls"])
        raise SandboxError(sentence.format_map(known | {"python": python}))
    try:
        return _GREETING.validate_python(fields)
    except ValidationError as error:
        raise protocol.FrameError("a greeting without its fields") from error


def _reply(fields: dict[str, Any], body: bytes, seconds: float) -> WorkerReply:
    try:
        ended = Ended(fields["ended"])
        records, output, referee = (int(each) for each in fields["parts"])
    except (KeyError, TypeError, ValueError) as error:
        raise protocol.FrameError("a reply without its fields") from error
    if min(records, output, referee) < 0 or records + output + referee != len(body):
        raise protocol.FrameError("a reply whose parts do not add up")
    reason = str(fields.get("reason") or fields.get("signal") or "")
    return WorkerReply(
        ended=ended,
        records=body[:records],
        output=body[records : records + output],
        referee=body[records + output :],
        signal=fields.get("signal"),
        message=_message(ended, reason, seconds),
    )


def _message(ended: Ended, detail: str, seconds: float) -> str:
    sentence: str = WORDINGS["ended"].get(ended.value, "")
    return sentence.format(detail=detail, seconds=seconds, name=_signal_name(detail))


def _signal_name(number: str) -> str:
    try:
        name = signal.Signals(int(number))
    except ValueError:
        return ""
    if name is signal.SIGSYS:
        return " (it made a system call that no check may make)"
    return f" ({name.name})"
