"""``interviewer sandbox doctor``: tests the confinement of the derivation bench by attacking it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import json_option, pass_settings, say, say_json

if TYPE_CHECKING:
    from interviewer.sandbox.confinement.client import Greeting
    from interviewer.sandbox.confinement.tiers import TierReport
    from interviewer.settings import Settings


@dataclass(frozen=True)
class Examined:
    """What was found; without a working interpreter there is no ``greeting``."""

    python: Path | None
    greeting: Greeting | None
    report: TierReport


@click.command()
@json_option
@pass_settings
def doctor(settings: Settings, as_json: bool) -> None:
    """Try every known way out of the bench and report which are blocked.

    This takes some seconds. Exit code 1 means that nothing can be run here.
    """
    from interviewer.report.plain import printable

    found = examine(settings, fresh=True)
    if as_json:
        say_json(_as_json_value(found))
    else:
        for line in _lines(found):
            say(line)
    if found.report.tier == "off":
        raise click.ClickException(printable(found.report.about))


def examine(settings: Settings, *, fresh: bool) -> Examined:
    """Start the bench and inspect it; ``fresh`` ignores the cached result of the attacks."""
    from interviewer.composition import NO_TORCH, sandbox_python
    from interviewer.sandbox.confinement.tiers import TierReport

    python = sandbox_python(settings)
    if python is None:
        return Examined(None, None, TierReport("off", NO_TORCH))
    return asyncio.run(_examined(python, settings.cache_folder, fresh=fresh))


async def _examined(python: Path, cache: Path, *, fresh: bool) -> Examined:
    from interviewer.sandbox.confinement.tiers import find_tier

    report, worker = await find_tier(python, cache=cache, fresh=fresh)
    if worker is None:
        return Examined(python, None, report)
    try:
        return Examined(python, await worker.start(), report)
    finally:
        await worker.aclose()


def may_run(found: Examined) -> dict[str, bool | str]:
    """What this tier may run, by kind of code."""
    from interviewer.sandbox.confinement import tiers

    tier = found.report.tier
    agreed = tiers.may_call_functions(tier, consented=True)
    return {
        "expressions": tiers.may_check_expressions(tier),
        "functions": tiers.may_call_functions(tier) or ("after you agree" if agreed else False),
        "challenges_of_others": tiers.may_run_foreign_code(tier),
    }


def _lines(found: Examined) -> Iterator[str]:
    yield f"interpreter: {found.python or 'none'}"
    if found.greeting:
        yield f"torch: {found.greeting.torch}, under Python {found.greeting.python}"
    for probe in found.report.probes:
        yield f"{'blocked' if probe.blocked else 'open'}: {probe.about} ({probe.says})"
    yield f"tier: {found.report.tier}"
    for kind, allowed in may_run(found).items():
        answer = allowed if isinstance(allowed, str) else "yes" if allowed else "no"
        yield f"may run {kind.replace('_', ' ')}: {answer}"
    if found.report.tier != "off":
        yield found.report.about


def _as_json_value(found: Examined) -> dict[str, Any]:
    return {
        "python": str(found.python) if found.python else None,
        "torch": found.greeting.torch if found.greeting else None,
        "walls": found.greeting.walls if found.greeting else (),
        "tier": found.report.tier,
        "about": found.report.about,
        "may_run": may_run(found),
        "probes": [asdict(probe) for probe in found.report.probes],
    }
