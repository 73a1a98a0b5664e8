"""Ten attempts to get out of a check's process, made for real and looked at from outside."""

from __future__ import annotations

import asyncio
import json
import secrets
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from interviewer.errors import SandboxError
from interviewer.sandbox.confinement.client import Ended, Reply, Worker

MEGABYTES = 4096
"""Asked for by the memory probe; reserved only, never filled."""


@dataclass(frozen=True)
class Probe:
    """One attempt. ``blocked`` only where it was made and seen to have no effect."""

    name: str
    about: str
    blocked: bool
    says: str


@dataclass
class _Bait:
    """What the attempts are aimed at, and what arrived there."""

    folder: Path
    token: str
    tcp: int = 0
    udp: int = 0
    heard: dict[str, bytes] = field(default_factory=dict)

    def reached(self, name: str) -> bool:
        return self.token.encode() in self.heard.get(name, b"")


@dataclass(frozen=True)
class _Attempt:
    name: str
    about: str
    asks: Callable[[_Bait], dict[str, object]]
    got_out: Callable[[_Bait, Reply, dict[str, object]], bool]
    seconds: float = 5.0


def _claims(bait: _Bait, reply: Reply, found: dict[str, object]) -> bool:
    return found.get("open") is True


_ATTEMPTS = (
    _Attempt(
        "read",
        "read a file of yours",
        lambda bait: {"path": str(bait.folder / "canary")},
        lambda bait, reply, found: bait.token.encode() in reply.records,
    ),
    _Attempt(
        "write",
        "write a file",
        lambda bait: {"path": str(bait.folder / "written")},
        lambda bait, reply, found: (bait.folder / "written").exists(),
    ),
    _Attempt(
        "tcp",
        "connect by TCP",
        lambda bait: {"port": bait.tcp},
        lambda bait, reply, found: bait.reached("tcp"),
    ),
    _Attempt(
        "udp",
        "send by UDP",
        lambda bait: {"port": bait.udp},
        lambda bait, reply, found: bait.reached("udp"),
    ),
    _Attempt(
        "unix",
        "reach a local socket",
        lambda bait: {"path": str(bait.folder / "socket")},
        lambda bait, reply, found: bait.reached("unix"),
    ),
    _Attempt("fork", "start another process", lambda bait: {}, _claims),
    _Attempt(
        "kill",
        "kill the worker",
        lambda bait: {},
        lambda bait, reply, found: reply.ended is Ended.WORKER_DIED or found.get("open") is True,
    ),
    _Attempt("memory", "take 4 GB of memory", lambda bait: {"megabytes": MEGABYTES}, _claims),
    _Attempt("loop", "run without end", lambda bait: {"seconds": 60}, _claims, 0.5),
    _Attempt("flood", "print without end", lambda bait: {"kilobytes": 1024}, _claims),
)
NAMES = tuple(attempt.name for attempt in _ATTEMPTS)


async def probe(worker: Worker) -> tuple[Probe, ...]:
    """Make every attempt through this worker. Raises SandboxError where none can be started."""
    async with _bait() as bait:
        return tuple([await _tried(worker, bait, attempt) for attempt in _ATTEMPTS])


async def _tried(worker: Worker, bait: _Bait, attempt: _Attempt) -> Probe:
    asked = {"probe": attempt.name, "token": bait.token, **attempt.asks(bait)}
    reply = await worker.run(json.dumps(asked).encode(), seconds=attempt.seconds, do="probe")
    await asyncio.sleep(0.02)  # what was sent on its last breath arrives
    found = _found(reply)
    made = bool(found) or reply.ended in (Ended.TIME, Ended.OUTPUT) or reply.signal == signal.SIGSYS
    got_out = attempt.got_out(bait, reply, found)
    says = str(found.get("says", "")) or reply.message
    return Probe(attempt.name, attempt.about, made and not got_out, says[:200])


def _found(reply: Reply) -> dict[str, object]:
    """The child's own report; empty where it did not get that far."""
    try:
        found = json.loads(reply.records)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


@asynccontextmanager
async def _bait() -> AsyncIterator[_Bait]:
    with tempfile.TemporaryDirectory(prefix="mock-bench-") as name:
        bait = _Bait(Path(name), secrets.token_hex(16))
        (bait.folder / "canary").write_text(bait.token)
        loop = asyncio.get_running_loop()
        try:
            tcp = await asyncio.start_server(_listener(bait, "tcp"), "127.0.0.1", 0)
            unix = await asyncio.start_unix_server(_listener(bait, "unix"), bait.folder / "socket")
            udp, _ = await loop.create_datagram_endpoint(
                lambda: _Datagrams(bait), local_addr=("127.0.0.1", 0)
            )
        except OSError as error:
            raise SandboxError(
                f"The walls round checks cannot be tried out here: {error.strerror}."
            ) from error
        bait.tcp = tcp.sockets[0].getsockname()[1]
        bait.udp = udp.get_extra_info("sockname")[1]
        try:
            yield bait
        finally:
            udp.close()
            for server in (tcp, unix):
                server.close()


def _listener(
    bait: _Bait, name: str
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        bait.heard[name] = await reader.read(64)
        writer.close()

    return hear


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, bait: _Bait) -> None:
        self._bait = bait

    def datagram_received(self, data: bytes, addr: object) -> None:
        self._bait.heard["udp"] = data[:64]
