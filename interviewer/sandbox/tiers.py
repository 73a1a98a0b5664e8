"""Which confinement holds on this machine, found by trying to escape, and what may run in it.

A tier is claimed only after every escape attempt was seen to fail under it, each time a bench
starts. Bubblewrap and sandbox-exec, which enclose the whole worker, are the second choice. The
macOS profile has not been run on a Mac by us: there, too, the probes decide.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.errors import SandboxError
from interviewer.sandbox.children import Ended
from interviewer.sandbox.client import ALL_WALLS, START, WORDINGS, Worker, WorkerReply
from interviewer.sandbox.result import Tier
from interviewer.sandbox.worker.protocol import GarbledError, read_line

_PROGRAM = Path(__file__).parents[1]
_SYSTEM = ("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")


def enclosure(python: Path) -> tuple[str, ...] | None:
    """The command to start the worker through; None if the system has none."""
    mac = sys.platform == "darwin"
    if (command := shutil.which("sandbox-exec" if mac else "bwrap")) is None:
        return None
    return _seatbelt(command, python) if mac else _bubblewrap(command, python)


def _bubblewrap(command: str, python: Path) -> tuple[str, ...]:
    roots = [*(Path(each) for each in _SYSTEM if Path(each).exists()), *_trees(python)]
    shown = [part for root in roots for part in ("--ro-bind", str(root), str(root))]
    masked = [part for folder in _own(roots) for part in ("--tmpfs", str(folder))]
    worker = str(START.parent)
    return (
        *(command, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *(*shown, *masked, "--ro-bind", worker, worker),
        *("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/", "--chdir", "/", "--"),
    )


def _seatbelt(command: str, python: Path) -> tuple[str, ...]:
    roots = [*_trees(python), START.parent]
    hidden = "".join(f'(deny file-read-data (subpath "{folder}"))\n' for folder in _own(roots))
    shown = f'(allow file-read* (subpath "{START.parent}"))' if hidden else ""
    profile = WORDINGS["profile"].format(
        interpreters=" ".join(f'(literal "{link}")' for link in _links(python)),
        trees=" ".join(f'(subpath "{root}")' for root in roots),
        hidden=hidden + shown,
    )
    return (command, "-p", profile)


def _trees(python: Path) -> list[Path]:
    """The interpreter's environment, and every installation that its links pass through."""
    return sorted({link.parent.parent for link in _links(python)})


def _links(python: Path) -> list[Path]:
    links = [python]
    while links[-1].is_symlink() and len(links) < 10:
        links.append(links[-1].parent / links[-1].readlink())
    return [*links, python.resolve()]


def _own(roots: list[Path]) -> list[Path]:
    """Folders of this program below one of the roots: they hold the answers."""
    folders = (_PROGRAM, _PROGRAM.parent / "rubrics")
    return [
        folder
        for folder in folders
        if folder.is_dir() and any(folder.is_relative_to(root) for root in roots)
    ]


MEGABYTES = 4096
"""Asked for by the memory probe; reserved only, never filled."""


_ATTEMPTS: dict[str, str] = WORDINGS["attempts"]
PROBES = tuple(_ATTEMPTS)


@dataclass(frozen=True)
class Probe:
    """One attempt. ``blocked`` only if it was made and seen to have no effect."""

    name: str
    about: str
    blocked: bool
    says: str


@dataclass(frozen=True)
class _Bait:
    """The targets of the attempts: a folder, and sockets that listen."""

    folder: Path
    token: str
    sockets: dict[str, socket.socket]

    def asked(self, name: str) -> dict[str, object]:
        """What an attempt is told to try."""
        files = {"read": "canary", "write": "written", "unix": "socket"}
        known: dict[str, object] = {"mode": "probe", "probe": name, "token": self.token}
        if name in files:
            known["path"] = str(self.folder / files[name])
        elif name in self.sockets:
            known["port"] = self.sockets[name].getsockname()[1]
        return known | {"megabytes": MEGABYTES, "seconds": 60, "kilobytes": 1024}

    def harmed(self, name: str, reply: WorkerReply, found: dict[str, object]) -> bool:
        """The attempt got out: seen from here, where it would leave something here."""
        if name == "read":
            return self.token.encode() in reply.records
        if name == "write":
            return (self.folder / "written").exists()
        if name in self.sockets:
            return self.token.encode() in self._heard(self.sockets[name])
        died = name == "kill" and reply.ended is Ended.WORKER_DIED
        return died or found.get("open") is True

    def _heard(self, listening: socket.socket) -> bytes:
        try:
            if listening.type is socket.SOCK_DGRAM:
                return listening.recv(64)
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(0.1)
                return connection.recv(64)
        except OSError:
            return b""


async def probe(worker: Worker) -> tuple[Probe, ...]:
    """Make every attempt through this worker. Raises SandboxError if it cannot be started."""
    with _bait() as bait:
        return tuple([await _tried(worker, bait, name) for name in _ATTEMPTS])


async def _tried(worker: Worker, bait: _Bait, name: str) -> Probe:
    body = json.dumps(bait.asked(name)).encode()
    reply = await worker.run(body, seconds=0.5 if name == "loop" else 5.0)
    await asyncio.sleep(0.02)  # what was sent on its last breath arrives
    found: dict[str, Any] = {}
    with suppress(GarbledError):  # empty where it did not get that far
        found = read_line(reply.records)
    made = bool(found) or reply.ended in (Ended.TIME, Ended.OUTPUT)
    says = str(found.get("says", "")) or reply.message
    blocked = made and not bait.harmed(name, reply, found)
    return Probe(name, _ATTEMPTS[name], blocked, says[:200])


@contextmanager
def _bait() -> Iterator[_Bait]:
    with tempfile.TemporaryDirectory(prefix="mock-bench-") as name, ExitStack() as opened:
        folder, token = Path(name), secrets.token_hex(16)
        (folder / "canary").write_text(token)
        try:
            tcp = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
            udp = opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            udp.bind(("127.0.0.1", 0))
            unix = opened.enter_context(socket.socket(socket.AF_UNIX))
            unix.bind(str(folder / "socket"))
            unix.listen()
        except OSError as error:
            raise SandboxError(
                f"The confinement of checks cannot be tested here: {error.strerror}."
            ) from error
        sockets = {"tcp": tcp, "udp": udp, "unix": unix}
        for each in sockets.values():
            each.setblocking(False)
        yield _Bait(folder, token, sockets)


_FULL: tuple[Tier, ...] = ("strict", "contained", "macos")
_LEAST = {"loop", "flood"}
"""Unless these are stopped, not even expressions are run."""
_ABOUT: dict[Tier, str] = WORDINGS["tiers"]


@dataclass(frozen=True)
class TierReport:
    """The tier, what it means here in a sentence or two, and the attempts behind it."""

    tier: Tier
    about: str
    probes: tuple[Probe, ...] = ()


def may_call_functions(tier: Tier, *, consented: bool = False) -> bool:
    """The candidate's own Python; ``consented`` means they agreed to run it unconfined."""
    return tier in _FULL or (tier == "reduced" and consented)


def may_run_foreign_code(tier: Tier) -> bool:
    """References, properties and wrong answers of challenges from other people."""
    return tier in _FULL


async def find_tier(python: Path) -> tuple[TierReport, Worker | None]:
    """The best tier that holds here and its running worker; that none holds is no error."""
    fallback: tuple[TierReport, Worker] | None = None
    trouble = ""
    for tier, prefix in _candidates(python):
        worker = Worker(python, prefix=prefix)
        try:
            report = await _tried_tier(worker, tier)
        except SandboxError as error:
            trouble = trouble or str(error)
            await worker.aclose()
            continue
        if report.tier == tier:
            if fallback is not None:
                await fallback[1].aclose()
            return report, worker
        if fallback is None and report.tier == "reduced":
            fallback = report, worker
        else:
            await worker.aclose()
    why = trouble or "not even a time limit held; `interviewer sandbox doctor` shows more."
    return fallback or (TierReport("off", _ABOUT["off"].format(why=why)), None)


def _candidates(python: Path) -> Iterator[tuple[Tier, tuple[str, ...]]]:
    """Best first: the kernel's own walls, then an enclosure round the worker."""
    if sys.platform == "linux":
        yield "strict", ()
    prefix = enclosure(python)
    if prefix is not None:
        yield ("macos" if sys.platform == "darwin" else "contained"), prefix
    if sys.platform != "linux":
        yield "reduced", ()


async def _tried_tier(worker: Worker, tier: Tier) -> TierReport:
    walls = (await worker.start()).walls
    probes = await probe(worker)
    holding = {each.name for each in probes if each.blocked}
    missing = [wall for wall in ALL_WALLS if wall not in walls]
    reached = tier
    if not holding >= _LEAST:
        reached = "off"
    elif (tier == "strict" and missing) or holding < set(PROBES):
        reached = "reduced"
    can = ", ".join(each.about for each in probes if not each.blocked)
    lacks = f"they can: {can}" if can else f"this system lacks: {', '.join(missing)}"
    why = "not even a time limit holds."
    about = _ABOUT[reached].format(count=len(probes), open=lacks, why=why)
    return TierReport(reached, about, probes)
