"""Whatever was written when the power failed, an interview has lost nothing acknowledged.

Some writes of one course; ``tests/evals/durability/kills.py`` looks at every one of all courses.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.disk import reachable
from support.whole_interviews import recording
from support.write_log import losses, points


@pytest.mark.skipif(not reachable(), reason="SQLite is built into this interpreter")
def test_a_migration_and_what_follows_lose_nothing_at_any_write(tmp_path: Path) -> None:
    operations = recording("a migration, resumed", tmp_path)
    dice = random.Random(8)
    chosen = sorted(dice.sample(points(operations, ("killed", "dropped", "torn")), 24))
    assert list(losses(operations, chosen, dice)) == []
