"""Which walls hold here, found by trying them, and what may run behind them.

A tier is claimed only after every attempt of :mod:`interviewer.sandbox.confinement.probing` was
seen to fail under it; the result is kept for as long as kernel, interpreter, torch and worker stay
the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from interviewer.content.files import put_whole
from interviewer.errors import SandboxError
from interviewer.sandbox.confinement import enclosures
from interviewer.sandbox.confinement.client import (
    ALL_WALLS,
    Greeting,
    Worker,
    checksum,
    worker_files,
)
from interviewer.sandbox.confinement.probing import NAMES, Probe, probe
from interviewer.sandbox.result import Tier

FILE = "sandbox-tier.json"
_FULL: tuple[Tier, ...] = ("strict", "contained", "macos")
_DECIDING = tuple(
    Path(__file__).with_name(f"{name}.py") for name in ("client", "enclosures", "probing", "tiers")
)
_LEAST = {"loop", "flood"}
"""Without an end to these not even expressions are run."""
_ABOUT: dict[Tier, str] = {
    "strict": (
        "Checks run in throw-away processes that the kernel keeps from your files, the network and "
        "other processes; all {count} attempts to get out failed here."
    ),
    "contained": (
        "Checks run inside bubblewrap, without your files, the network or other processes; all "
        "{count} attempts to get out failed here."
    ),
    "macos": (
        "Checks run under a sandbox-exec profile, without your files or the network; all {count} "
        "attempts to get out failed here."
    ),
    "reduced": (
        "Checks are not walled off here (possible for them: {open}). Expressions are checked; a "
        "function of your own runs with your rights, and only after you agree in writing; code "
        "from others is not run. `interviewer sandbox doctor` shows each attempt."
    ),
    "off": "No checks here: {why}",
}


@dataclass(frozen=True)
class TierReport:
    """The tier, one sentence or a few on what it means here, and the attempts behind it.

    ``walls`` and ``prefix`` are what a worker of this tier is started with.
    """

    tier: Tier
    about: str
    probes: tuple[Probe, ...] = ()
    walls: tuple[str, ...] = ALL_WALLS
    prefix: tuple[str, ...] = ()


def may_check_expressions(tier: Tier) -> bool:
    """Lines in the expression language: everywhere but without a worker."""
    return tier != "off"


def may_call_functions(tier: Tier, *, consented: bool = False) -> bool:
    """The candidate's own Python; ``consented`` says that they agreed to it running unwalled."""
    return tier in _FULL or (tier == "reduced" and consented)


def may_run_foreign_code(tier: Tier) -> bool:
    """References, properties and wrong answers of challenges from other people."""
    return tier in _FULL


async def find_tier(
    python: Path, *, cache: Path | None = None, fresh: bool = False
) -> tuple[TierReport, Worker | None]:
    """The best tier that holds here and its running worker (None: the tier is ``off``).

    ``cache`` is the folder where the finding is kept; ``fresh`` tries everything anew. What is
    missing here is no error but told in the report.
    """
    kept = None if fresh else _kept(cache, python)
    if kept is not None:
        worker = Worker(python, walls=kept.walls, prefix=kept.prefix)
        with contextlib.suppress(SandboxError):
            if _fingerprint(python, await worker.start()) == _document(cache)["fingerprint"]:
                return kept, worker
        await worker.aclose()
    return await _found(python, cache)


async def _found(python: Path, cache: Path | None) -> tuple[TierReport, Worker | None]:
    fallback: tuple[TierReport, Worker] | None = None
    trouble = ""
    for tier, prefix in _candidates(python):
        worker = Worker(python, prefix=prefix)
        try:
            report, greeting = await _tried(worker, tier, prefix)
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
    """From the best: the kernel's own walls, then a wall round the worker."""
    if sys.platform == "linux":
        yield "strict", ()
    prefix = enclosures.prefix(python)
    if prefix is not None:
        yield ("macos" if sys.platform == "darwin" else "contained"), prefix
    if sys.platform != "linux":
        yield "reduced", ()


async def _tried(
    worker: Worker, tier: Tier, prefix: tuple[str, ...]
) -> tuple[TierReport, Greeting]:
    greeting = await worker.start()
    probes = await probe(worker)
    reached = _reached(tier, greeting.walls, probes)
    return TierReport(reached, _about(reached, probes), probes, ALL_WALLS, prefix), greeting


def _reached(tier: Tier, walls: Sequence[str], probes: Sequence[Probe]) -> Tier:
    holding = {each.name for each in probes if each.blocked}
    if not holding >= _LEAST:
        return "off"
    complete = tier != "strict" or set(walls) >= set(ALL_WALLS)
    return tier if complete and holding >= set(NAMES) else "reduced"


def _about(tier: Tier, probes: Sequence[Probe]) -> str:
    open_ = ", ".join(each.about for each in probes if not each.blocked)
    return _ABOUT[tier].format(count=len(probes), open=open_, why="not even a time limit holds.")


def _fingerprint(python: Path, greeting: Greeting) -> dict[str, str]:
    return _outside(python) | {"python": greeting.python, "torch": greeting.torch}


def _outside(python: Path) -> dict[str, str]:
    """What a finding depends on, as far as it is known without a worker."""
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
    """Written whole or not at all; a folder that cannot be written only costs time."""
    if cache is None:
        return
    told = {name: asdict(report)[name] for name in ("tier", "about", "probes")}
    text = json.dumps({"fingerprint": fingerprint, "report": told}, indent=1)
    with contextlib.suppress(OSError):
        put_whole(cache / FILE, text.encode())
