"""Kills the program at every commit, and cuts its power after every single write.

    python -m tests.evals durability.kills [--seed 1] [--only WHAT]

``boundaries``: a whole interview killed before and after each of its commits, in each front end,
and resumed. ``interviews``: whole courses of which every write is recorded, and the database opened
as it was after each of them, and as a power cut would have left it: without what was not synced,
and with sectors of it. A mock of three rounds to the debrief in each front end, paused, resumed,
regraded, copied and deleted; practice with retries; an earlier version's database, migrated and
gone on with. Nothing may be lost that was acknowledged, and no database damaged. Linux.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from e2e.test_terminal import PLAN
from evals.figures import Figure
from support.crash_runs import PLAN_ID, AnyFront, Findings, FullScreen, Plain, at_boundary
from support.whole_interviews import COURSES, recording
from support.write_log import losses, points

FRONTS: tuple[type[AnyFront], ...] = (Plain, FullScreen)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["boundaries", "interviews"])
    parser.add_argument("--course", default="", help="of the interviews, those so named")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as cache:
        os.environ["INTERVIEWER_CACHE_DIR"] = cache
        for front in FRONTS:
            if asked.only in (None, "boundaries"):
                found = _boundaries(front)
                beside = f"{found.kills} kills, {found.acknowledged} answers acknowledged"
                what = f"lost at commits, {front.__name__}"
                yield Figure(what, len(found.defects), beside, found.defects)
        for course in COURSES:
            if asked.only in (None, "interviews") and asked.course in course:
                yield _interviews(course, asked.seed)


def _boundaries(front: type[AnyFront]) -> Findings:
    total = Findings()
    for after in (False, True):
        for commit in count(1):
            with _folder() as folder:
                found = at_boundary(front, folder, commit, after=after)
            if found is None:
                break
            total.kills += found.kills
            total.acknowledged += found.acknowledged
            total.defects += found.defects
    return total


def _interviews(course: str, seed: int) -> Figure:
    with tempfile.TemporaryDirectory() as folder:
        operations = recording(course, Path(folder))
    everywhere = points(operations, ("killed", "dropped", "torn"))
    lost = list(losses(operations, everywhere, random.Random(seed)))
    return Figure(f"lost in {course}", len(lost), f"{len(everywhere)} states", lost)


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "config" / "plans").mkdir(parents=True)
        (folder / "config" / "plans" / f"{PLAN_ID}.yaml").write_text(PLAN, encoding="utf-8")
        yield folder
