"""The client of the confined worker: starts, asks and stops it; it may die at any time.

Nothing here blocks the event loop. The worker has a clean environment, no descriptor but its
connection, and it ends when this program does, however that happens.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from pydantic import TypeAdapter

from interviewer.errors import SandboxError
from interviewer.rubric.text import table
from interviewer.sandbox.children import Ended, RefusedError, Zygote
from interviewer.sandbox.worker import walls

WORDINGS = table("wordings", "interviewer.sandbox")
START = Path(__file__).parent / "worker" / "start.py"
ALL_WALLS = walls.ALL
START_SECONDS = 90.0
"""How long a worker may take to load torch; a cold disk may need most of it."""


@dataclass(frozen=True)
class Greeting:
    """What a worker reports about itself once its first confined child is ready."""

    python: str
    torch: str
    walls: tuple[str, ...]
    pid: int


@dataclass(frozen=True)
class WorkerReply:
    """The result of one run, in untrusted bytes; ``message`` is for people, "" if it finished."""

    ended: Ended
    records: bytes = b""
    output: bytes = b""
    referee: bytes = b""
    message: str = ""


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
        self._python = python
        self._command = [*prefix, str(python), "-I", "-B", "-W", "ignore", str(script), *walls]
        self._start_seconds = start_seconds
        self._turn = asyncio.Lock()
        self._running: tuple[Zygote, Greeting] | None = None
        self._renewing: asyncio.Future[None] | None = None

    async def start(self) -> Greeting:
        """Start the worker unless it is ready. Raises SandboxError."""
        async with self._turn:
            return (await self._ready())[1]

    async def run(self, body: bytes, *, seconds: float, referee: bytes = b"") -> WorkerReply:
        """Run a job in a fresh confined process. Raises SandboxError if none can be started.

        ``referee`` is a second job, run beside the first in a process of its own, which may call
        the function of the first. Cancelling this kills the processes; the worker stays.
        """
        jobs = [body, referee] if referee else [body]
        async with self._turn:
            zygote, _ = await self._ready()
            try:
                return await self._in_thread(zygote, jobs, seconds)
            except RefusedError as error:
                message = _message(Ended.REFUSED, seconds, detail=str(error))
                return WorkerReply(Ended.REFUSED, message=message)
            except (EOFError, OSError):
                await self._stop()
                message = _message(Ended.WORKER_DIED, seconds)
                return WorkerReply(Ended.WORKER_DIED, message=message)

    async def aclose(self) -> None:
        """Stop the worker and whatever it runs; it can be started again."""
        async with self._turn:
            await self._stop()

    async def _in_thread(self, zygote: Zygote, jobs: list[bytes], seconds: float) -> WorkerReply:
        """In a thread; clearing away takes longer than most checks and waits until after it."""
        stopped = Event()
        running = asyncio.ensure_future(asyncio.to_thread(zygote.run, jobs, seconds, stopped))
        try:
            ended, code, children = await asyncio.shield(running)
        finally:
            stopped.set()
            await asyncio.wait([running])
            self._renewing = asyncio.ensure_future(asyncio.to_thread(zygote.renew))
        answers = [bytes(child.answered["records"]) for child in children]
        output = bytes(children[0].answered["output"])
        return WorkerReply(
            ended, answers[0], output, b"".join(answers[1:]), _message(ended, seconds, -code)
        )

    async def _ready(self) -> tuple[Zygote, Greeting]:
        if self._renewing is not None:
            await asyncio.wait([self._renewing])
        if self._running is None or not self._running[0].alive:
            await self._stop()
            self._running = await self._started()
        return self._running

    async def _stop(self) -> None:
        running, self._running = self._running, None
        if self._renewing is not None:
            await asyncio.wait([self._renewing])
        if running is not None:
            await asyncio.to_thread(running[0].close)

    async def _started(self) -> tuple[Zygote, Greeting]:
        with contextlib.suppress(OSError):  # it has keys; where the kernel refuses, so be it
            walls.hide()
        try:
            zygote = Zygote(self._command)
        except OSError as error:
            raise SandboxError(
                f"{self._command[0]} cannot be started ({error.strerror}); "
                "run `interviewer sandbox install` to set the check worker up."
            ) from error
        try:
            return zygote, await asyncio.to_thread(self._greeted, zygote)
        except TimeoutError:
            await asyncio.to_thread(zygote.close)
            raise SandboxError(
                f"The check worker under {self._python} was not ready within "
                f"{self._start_seconds:.0f} s; try again, or see `interviewer sandbox doctor`."
            ) from None
        except (ValueError, EOFError, OSError) as error:
            await asyncio.to_thread(zygote.close)
            raise SandboxError(
                f"{self._python} exited before the check worker was ready (exit status "
                f"{zygote.exit_code}); run `interviewer sandbox install` to set it up again."
            ) from error
        except BaseException:
            await asyncio.to_thread(zygote.close)
            raise

    def _greeted(self, zygote: Zygote) -> Greeting:
        """What it says about itself, once its first children have put their walls up."""
        said = zygote.greeting(self._start_seconds)
        if "error" not in said:
            try:
                zygote.arm()
            except RefusedError as refused:
                said |= {"error": "walls", "detail": str(refused)}
        if (error := said.get("error")) is not None:
            troubles = WORDINGS["troubles"]
            known = {"version": said.get("python"), **dict.fromkeys(("torch", "detail")), **said}
            sentence = troubles.get(str(error), troubles["walls"])
            raise SandboxError(sentence.format_map(known | {"python": self._python}))
        return _GREETING.validate_python(said)


_GREETING = TypeAdapter(Greeting)


def _message(ended: Ended, seconds: float, signal_number: int = 0, detail: str = "") -> str:
    with contextlib.suppress(ValueError):
        detail = signal.Signals(signal_number).name
    sentence: str = WORDINGS["ended"].get(ended.value, "")
    return sentence.format(detail=detail, seconds=seconds)
