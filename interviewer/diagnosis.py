"""What works here, and how to fix what does not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from interviewer.errors import SettingsError
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from interviewer.content.collection import Collection
    from interviewer.sandbox.tiers import TierReport
    from interviewer.settings import Settings

T = TypeVar("T")
Status = Literal["ok", "warning", "failed"]

_CAN_DO_WITHOUT = frozenset({"structured output", "streaming"})


@dataclass(frozen=True)
class Check:
    """One thing checked, with the result in a sentence."""

    name: str
    status: Status
    message: str


def checks(settings: Settings) -> Iterator[Check]:
    """Everything but the terminal, one by one as it is found; the endpoint may take its time."""
    from interviewer.composition import load_challenges, load_library, load_plans

    yield from endpoint_checks(settings)
    yield _database(settings)
    yield _loaded("rubrics", load_library(settings), "rubrics lint")
    yield _loaded("plans", load_plans(settings), "plans lint")
    yield _loaded("challenges", load_challenges(settings), "check lint")
    yield from _bench(settings)


def endpoint_checks(settings: Settings) -> Iterator[Check]:
    """What works at the endpoint, step by step."""
    from interviewer.examiner.llm.check import check
    from interviewer.examiner.llm.endpoint import endpoint_of

    if not settings.endpoint_configured:
        yield Check("endpoint", "ok", "None is configured; the offline examiner is used.")
        return
    try:
        endpoint = endpoint_of(settings, needs_model=False)
    except SettingsError as error:
        yield Check("endpoint", "failed", str(error))
        return
    for line in _as_they_come(check(endpoint)):
        unwell: Status = "warning" if line.name in _CAN_DO_WITHOUT else "failed"
        yield Check(line.name, "ok" if line.ok else unwell, line.message)


def _as_they_come(lines: AsyncGenerator[T]) -> Iterator[T]:
    """The same without an event loop around it."""

    async def following() -> T | None:
        return await anext(lines, None)

    with asyncio.Runner() as runner:
        while (line := runner.run(following())) is not None:
            yield line


def _database(settings: Settings) -> Check:
    from interviewer.store.reader import home_view

    place, owner = settings.database, settings.owner
    seen = home_view(place, owner)
    fault = (seen and seen.problem) or (isinstance(place, Path) and _fault_in_file(place))
    if fault:
        return Check("database", "failed", fault)
    if seen is None:
        made = "will be created" if isinstance(place, Path) else "will get its tables"
        return Check("database", "ok", f"{place} {made} with the first session.")
    held = f"{pluralize(seen.sessions, 'session')}{f' of user {owner}' if owner else ''}"
    return Check("database", "ok", f"{place} holds {held}.")


def _fault_in_file(path: Path) -> str:
    from interviewer.store.backup import find_damage
    from interviewer.store.failures import obstacle

    if not path.exists():
        folder = next(parent for parent in path.absolute().parents if parent.exists())
        usable = os.access(folder, os.W_OK | os.X_OK)
        return "" if usable else f"{path} cannot be created: {folder} is read-only."
    return find_damage(path) or obstacle(path)


def _bench(settings: Settings) -> Iterator[Check]:
    """What may run at the bench, and each known way out of it that is open.

    Interviews work without it, so none of this is a failure.
    """
    from interviewer.composition import sandbox_python
    from interviewer.sandbox.bench import NO_TORCH

    python = sandbox_python(settings)
    if python is None:
        yield Check("derivation bench", "warning", NO_TORCH)
        return
    report, torch = asyncio.run(_inspected(python))
    status: Status = "warning" if report.tier in ("reduced", "off") else "ok"
    told = f"{report.tier}: {report.about} {python} has torch {torch}." if torch else report.about
    yield Check("derivation bench", status, told)
    for probe in report.probes:
        if not probe.blocked:
            yield Check("way out of the bench", "warning", f"{probe.about} ({probe.says}).")


async def _inspected(python: Path) -> tuple[TierReport, str]:
    """What holds there, and the version of torch, "" if the bench does not start."""
    from interviewer.sandbox.tiers import find_tier

    report, worker = await find_tier(python)
    if worker is None:
        return report, ""
    async with aclosing(worker):
        return report, (await worker.start()).torch


def _loaded(name: str, found: Collection[Any, Any], lint: str) -> Check:
    count = f"{len(found.entries)} can be used"
    if not found.problems:
        return Check(name, "ok", f"{count}.")
    first, *more = found.problems
    others = f" (and {len(more)} more; see 'interviewer {lint}')" if more else ""
    return Check(name, "warning", f"{count}, but {first}{others}.")
