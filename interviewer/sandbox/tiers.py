"""Which confinement holds on this machine, found by trying to escape, and what may run in it.

A tier is claimed only after every escape attempt was seen to fail under it; the finding is cached
for as long as kernel, interpreter, torch and worker stay the same. Bubblewrap and sandbox-exec,
which enclose the whole worker, are the second choice. The macOS profile has not been run on a Mac
by us: there, too, the probes decide.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import platform
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from interviewer.content.files import put_whole
from interviewer.errors import SandboxError
from interviewer.sandbox.client import (
    ALL_WALLS,
    START,
    Ended,
    Greeting,
    Reply,
    Worker,
    checksum,
    worker_files,
)
from interviewer.sandbox.result import Tier

_PROGRAM = Path(__file__).parents[1]
_SYSTEM = ("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")
_PROFILE = """\
(version 1)
(deny default)
(allow process-fork)
(allow process-exec {interpreters})
(allow signal (target self) (target children))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read* {trees}
  (subpath "/usr/lib") (subpath "/System/Library") (subpath "/private/var/db/dyld")
  (literal "/") (literal "/dev/null") (literal "/dev/random") (literal "/dev/urandom"))
(allow file-write-data (literal "/dev/null"))
{hidden}
"""


def enclosure(python: Path) -> tuple[str, ...] | None:
    """The command to start the worker through; None if the system has none."""
    name = "sandbox-exec" if sys.platform == "darwin" else "bwrap"
    if (command := shutil.which(name)) is None:
        return None
    return _seatbelt(command, python) if name == "sandbox-exec" else _bubblewrap(command, python)


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
    profile = _PROFILE.format(
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


@dataclass(frozen=True)
class Probe:
    """One attempt. ``blocked`` only if it was made and seen to have no effect."""

    name: str
    about: str
    blocked: bool
    says: str


@dataclass
class _Bait:
    """The targets of the attempts, and what arrived there."""

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
PROBES = tuple(attempt.name for attempt in _ATTEMPTS)


async def probe(worker: Worker) -> tuple[Probe, ...]:
    """Make every attempt through this worker. Raises SandboxError if it cannot be started."""
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
                f"The confinement of checks cannot be tested here: {error.strerror}."
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


FILE = "sandbox-tier.json"
_FULL: tuple[Tier, ...] = ("strict", "contained", "macos")
_DECIDING = tuple(Path(__file__).with_name(f"{name}.py") for name in ("client", "tiers"))
_LEAST = {"loop", "flood"}
"""Unless these are stopped, not even expressions are run."""
_ABOUT: dict[Tier, str] = {
    "strict": (
        "Checks run in throw-away processes that the kernel cuts off from your files, the network "
        "and other processes; all {count} escape attempts failed here."
    ),
    "contained": (
        "Checks run inside bubblewrap, without your files, the network or other processes; all "
        "{count} escape attempts failed here."
    ),
    "macos": (
        "Checks run under a sandbox-exec profile, without your files or the network; all {count} "
        "escape attempts failed here."
    ),
    "reduced": (
        "Checks are not fully confined here ({open}). Expressions are checked; your own "
        "functions run with your rights, and only after you consent in writing; code from "
        "others is not run. `interviewer sandbox doctor` shows each attempt."
    ),
    "off": "Nothing can be checked here: {why}",
}


@dataclass(frozen=True)
class TierReport:
    """The tier, what it means here in a sentence or two, and the attempts behind it.

    ``walls`` and ``prefix`` are what a worker of this tier is started with.
    """

    tier: Tier
    about: str
    probes: tuple[Probe, ...] = ()
    walls: tuple[str, ...] = ALL_WALLS
    prefix: tuple[str, ...] = ()


def may_check_expressions(tier: Tier) -> bool:
    """Lines in the expression language: wherever there is a worker."""
    return tier != "off"


def may_call_functions(tier: Tier, *, consented: bool = False) -> bool:
    """The candidate's own Python; ``consented`` means they agreed to run it unconfined."""
    return tier in _FULL or (tier == "reduced" and consented)


def may_run_foreign_code(tier: Tier) -> bool:
    """References, properties and wrong answers of challenges from other people."""
    return tier in _FULL


async def find_tier(
    python: Path, *, cache: Path | None = None, fresh: bool = False
) -> tuple[TierReport, Worker | None]:
    """The best tier that holds here and its running worker (None if the tier is ``off``).

    The finding is cached in the folder ``cache``; ``fresh`` ignores it. Missing confinement is not
    an error but part of the report.
    """
    kept = None if fresh else _kept(cache, python)
    if kept is not None:
        worker = Worker(python, walls=kept.walls, prefix=kept.prefix)
        with contextlib.suppress(SandboxError):
            if _fingerprint(python, await worker.start()) == _document(cache)["fingerprint"]:
                return kept, worker
        await worker.aclose()
    return await _search(python, cache)


async def _search(python: Path, cache: Path | None) -> tuple[TierReport, Worker | None]:
    fallback: tuple[TierReport, Worker] | None = None
    trouble = ""
    for tier, prefix in _candidates(python):
        worker = Worker(python, prefix=prefix)
        try:
            report, greeting = await _tried_tier(worker, tier, prefix)
        except SandboxError as error:
            trouble = trouble or str(error)
            await worker.aclose()
            continue
        if report.tier == tier:
            if fallback is not None:
                await fallback[1].aclose()
            _keep(cache, report, _fingerprint(python, greeting))
            return report, worker
        if fallback is None and report.tier == "reduced":
            fallback = report, worker
        else:
            await worker.aclose()
    if fallback is None:
        why = trouble or "not even a time limit held; `interviewer sandbox doctor` shows more."
        return TierReport("off", _ABOUT["off"].format(why=why)), None
    report, worker = fallback
    if not report.prefix:
        _keep(cache, report, _fingerprint(python, await worker.start()))
    return fallback


def _candidates(python: Path) -> Iterator[tuple[Tier, tuple[str, ...]]]:
    """Best first: the kernel's own walls, then an enclosure round the worker."""
    if sys.platform == "linux":
        yield "strict", ()
    prefix = enclosure(python)
    if prefix is not None:
        yield ("macos" if sys.platform == "darwin" else "contained"), prefix
    if sys.platform != "linux":
        yield "reduced", ()


async def _tried_tier(
    worker: Worker, tier: Tier, prefix: tuple[str, ...]
) -> tuple[TierReport, Greeting]:
    greeting = await worker.start()
    probes = await probe(worker)
    reached = _reached(tier, greeting.walls, probes)
    return TierReport(
        reached, _about(reached, greeting.walls, probes), probes, ALL_WALLS, prefix
    ), greeting


def _reached(tier: Tier, walls: Sequence[str], probes: Sequence[Probe]) -> Tier:
    holding = {each.name for each in probes if each.blocked}
    if not holding >= _LEAST:
        return "off"
    complete = tier != "strict" or set(walls) >= set(ALL_WALLS)
    return tier if complete and holding >= set(PROBES) else "reduced"


def _about(tier: Tier, walls: Sequence[str], probes: Sequence[Probe]) -> str:
    can = ", ".join(each.about for each in probes if not each.blocked)
    missing = ", ".join(wall for wall in ALL_WALLS if wall not in walls)
    open_ = f"they can: {can}" if can else f"this system lacks: {missing}"
    return _ABOUT[tier].format(count=len(probes), open=open_, why="not even a time limit holds.")


def _fingerprint(python: Path, greeting: Greeting) -> dict[str, str]:
    return _outside(python) | {"python": greeting.python, "torch": greeting.torch}


def _outside(python: Path) -> dict[str, str]:
    """What a finding depends on, as far as known without a worker."""
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "user": str(os.getuid()),
        "interpreter": str(python),
        "worker": checksum([*worker_files(), *_DECIDING]),
    }


def _document(cache: Path | None) -> dict[str, Any]:
    try:
        found = json.loads((cache / FILE).read_text(encoding="utf-8")) if cache else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _kept(cache: Path | None, python: Path) -> TierReport | None:
    document = _document(cache)
    fingerprint, report = document.get("fingerprint"), document.get("report")
    if not isinstance(fingerprint, dict) or not isinstance(report, dict):
        return None
    if any(fingerprint.get(name) != value for name, value in _outside(python).items()):
        return None
    try:
        probes = tuple(Probe(**each) for each in report["probes"])
        tier, about = report["tier"], str(report["about"])
    except (KeyError, TypeError):
        return None
    prefix = () if tier == "reduced" else dict(_candidates(python)).get(tier)
    return None if prefix is None else TierReport(tier, about, probes, prefix=prefix)


def _keep(cache: Path | None, report: TierReport, fingerprint: dict[str, str]) -> None:
    """Cache the finding; a folder that cannot be written only costs time."""
    if cache is None:
        return
    told = {name: asdict(report)[name] for name in ("tier", "about", "probes")}
    text = json.dumps({"fingerprint": fingerprint, "report": told}, indent=1)
    with contextlib.suppress(OSError):
        put_whole(cache / FILE, text.encode())
