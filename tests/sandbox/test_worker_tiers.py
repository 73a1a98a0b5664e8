"""Which tier holds here, found by real attempts, and what it allows."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from sandbox.hostile.targets import attempted, snippets, victim

from interviewer.sandbox import client, tiers
from interviewer.sandbox.client import ALL_WALLS, Worker
from interviewer.sandbox.result import Tier
from interviewer.sandbox.worker import walls

HERE = Path(sys.executable)
pytest.importorskip("torch", reason="the worker needs torch")
walled = pytest.mark.skipif(
    not (walls.landlock_version() and walls.has_seccomp()), reason="this kernel lacks a wall"
)


async def found() -> tiers.TierReport:
    report, worker = await tiers.find_tier(HERE)
    assert worker is not None
    await worker.aclose()
    return report


@walled
async def test_strict_is_claimed_after_every_attempt_failed() -> None:
    report = await found()
    assert report.tier == "strict"
    assert [each.name for each in report.probes if each.blocked] == list(tiers.PROBES)
    assert "10 escape attempts" in report.about


@pytest.mark.parametrize("lacking", ["landlock", "seccomp"])
async def test_a_wall_less_is_never_called_strict(
    lacking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker is told not to use it, as on a kernel without; there is no bubblewrap either."""
    kept = tuple(wall for wall in ALL_WALLS if wall != lacking)
    monkeypatch.setattr(client, "ALL_WALLS", kept)
    monkeypatch.setattr(tiers, "enclosure", lambda python: None)
    report = await found()
    assert report.tier == "reduced"
    told = {"landlock": "this system lacks: landlock", "seccomp": "they can: "}
    assert told[lacking] in report.about


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
async def test_bubblewrap_with_a_filter_is_contained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "ALL_WALLS", ("limits", "seccomp"))
    report = await found()
    if report.tier == "reduced":
        pytest.skip(f"bubblewrap does not work here: {report.about}")
    assert report.tier == "contained"


async def test_without_an_interpreter_the_bench_is_off() -> None:
    report, worker = await tiers.find_tier(Path("/nowhere/python"))
    assert worker is None
    assert report.tier == "off"
    assert "/nowhere/python" in report.about


@pytest.mark.parametrize(
    ("tier", "own", "consented"),
    [
        *((tier, True, True) for tier in ("strict", "contained", "macos")),
        ("reduced", False, True),
        ("off", False, False),
    ],
)
def test_what_a_tier_allows(tier: Tier, own: bool, consented: bool) -> None:
    assert tiers.may_call_functions(tier) is tiers.may_run_foreign_code(tier) is own
    assert tiers.may_call_functions(tier, consented=True) is consented


async def test_the_evidence_shows_where_a_wall_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else "nothing got out" would hold for a target that notices nothing."""
    monkeypatch.setattr(client, "ALL_WALLS", ("limits",))
    worker = Worker(HERE)
    for snippet in snippets():
        if snippet["id"] not in (1, 3, 6, 9, 10, 11, 12, 34):
            continue
        with victim(tmp_path) as (targets, bystander):
            outcome = await attempted(worker, snippet, targets)
            assert targets.harmed(snippet, outcome, bystander), snippet["title"]
    await worker.aclose()
