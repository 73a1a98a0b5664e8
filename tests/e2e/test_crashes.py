"""Killed at a commit, the program has lost nothing that was acknowledged, and goes on.

One commit of each front end, and some writes of one interview; ``tests/evals/durability/kills.py``
looks at all.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from e2e.test_terminal import PLAN
from support.crash_runs import PLAN_ID, AnyFront, FullScreen, Plain, at_boundary
from support.disk import reachable
from support.whole_interviews import recording
from support.write_log import losses, points


@pytest.mark.parametrize(
    ("front", "commit", "after"),
    [(Plain, 10, False), (FullScreen, 7, True)],
)
def test_a_kill_at_a_commit_loses_nothing_acknowledged(
    tmp_path: Path, front: type[AnyFront], commit: int, after: bool
) -> None:
    plans = tmp_path / "config" / "plans"
    plans.mkdir(parents=True)
    (plans / f"{PLAN_ID}.yaml").write_text(PLAN, encoding="utf-8")
    found = at_boundary(front, tmp_path, commit, after=after)
    assert found is not None
    assert found.defects == []
    assert found.stored >= found.acknowledged


@pytest.mark.skipif(not reachable(), reason="SQLite is built into this interpreter")
def test_a_migration_and_what_follows_lose_nothing_at_any_write(tmp_path: Path) -> None:
    operations = recording("a migration, resumed", tmp_path)
    dice = random.Random(8)
    chosen = sorted(dice.sample(points(operations, ("killed", "dropped", "torn")), 24))
    assert list(losses(operations, chosen, dice)) == []
