"""Kills the program hundreds of times, and cuts its power after every single write.

    python tests/benchmarks/durability.py [--kills 150] [--seed 1] [--only WHAT]

``kills``: an interview that goes on and on, killed while somebody types, in each front end.
``boundaries``: a whole interview killed before and after each of its commits, in each front end,
and resumed. ``writes``: a whole interview of which every write is recorded; the database is opened
as it was after each of them, and as a power cut would have left it: without what was not synced,
and with sectors of it (three draws). ``interviews``: the same with whole courses, with one draw: a
mock of three rounds to the debrief in each front end, paused, resumed, regraded, copied and
deleted; practice with retries; an earlier version's database, migrated and gone on with. Prints
what was lost, which must be nothing: acknowledged turns, words typed more than a second before,
databases that are damaged. Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from e2e.test_terminal import PLAN
from support.crash_runs import (
    PLAN_ID,
    AnyFront,
    Findings,
    FullScreen,
    Killed,
    Plain,
    at_boundary,
    scripted,
)
from support.crashed import Hooks
from support.disk import Cutting, Operation, recorded
from support.typing_robot import endless
from support.whole_interviews import COURSES, recording
from support.write_log import losses, points

FRONTS: tuple[type[AnyFront], ...] = (Plain, FullScreen)


def main() -> int:
    """Print the report; 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=150, help="in each front end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["kills", "boundaries", "writes", "interviews"])
    parser.add_argument("--course", default="", help="of the interviews, those so named")
    asked = parser.parse_args()
    defects: list[str] = []
    with tempfile.TemporaryDirectory() as cache:
        os.environ["INTERVIEWER_CACHE_DIR"] = cache
        for front in FRONTS:
            if asked.only in (None, "kills"):
                defects += _told(f"{front.__name__}, random kills", _kills(front, asked))
            if asked.only in (None, "boundaries"):
                defects += _told(f"{front.__name__}, commits", _boundaries(front))
            if asked.only in (None, "writes"):
                defects += _writes(front, asked.seed)
        for course in COURSES:
            if asked.only in (None, "interviews") and asked.course in course:
                defects += _interviews(course, asked.seed)
    for defect in defects:
        print(f"  LOST: {defect}")
    print("something was lost" if defects else "nothing lost")
    return bool(defects)


def _told(what: str, found: Findings) -> list[str]:
    ages = sorted(found.ages)
    print(
        f"{what}: {found.kills} kills, {found.acknowledged} answers acknowledged, {found.stored} "
        f"stored; acknowledged turns lost {len(found.lost_turns)}, drafts older than a second "
        f"lost {len(found.lost_drafts)}, corrupt databases {len(found.corrupt)}"
    )
    if ages:
        print(
            f"  first key lost, before the kill: median {median(ages):.2f} s, 95 % within "
            f"{ages[int(0.95 * (len(ages) - 1))]:.2f} s, at most {ages[-1]:.2f} s "
            f"({len(ages)} kills lost keys)"
        )
    sys.stdout.flush()
    return found.defects


def _kills(front: type[AnyFront], asked: argparse.Namespace) -> Findings:
    with _folder() as folder:
        asyncio.run(endless(folder / "sessions.db"))
        killed = Killed(front, folder, asked.seed)
        for _ in range(asked.kills):
            killed.once()
        return killed.findings


def _boundaries(front: type[AnyFront]) -> Findings:
    total = Findings()
    for after in (False, True):
        commit = 1
        while True:
            with _folder() as folder:
                found = at_boundary(front, folder, commit, after=after)
            if found is None:
                break
            commit += 1
            total.kills += found.kills
            total.acknowledged += found.acknowledged
            total.stored += found.stored
            total.lost_turns += found.lost_turns
            total.corrupt += found.corrupt
    return total


def _writes(front: type[AnyFront], seed: int) -> list[str]:
    with _folder() as folder:
        scripted(front(), folder, Hooks(record=folder / "log"))
        operations = list(recorded(folder / "log"))
    cuttings: tuple[Cutting, ...] = ("killed", "dropped", "torn", "torn", "torn")
    return _replayed(f"{front.__name__}, writes", operations, cuttings, seed)


def _interviews(course: str, seed: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        operations = recording(course, Path(folder))
    return _replayed(course, operations, ("killed", "dropped", "torn"), seed)


def _replayed(
    what: str, operations: list[Operation], cuttings: tuple[Cutting, ...], seed: int
) -> list[str]:
    everywhere = points(operations, cuttings)
    lost = list(losses(operations, everywhere, random.Random(seed)))
    damaged = sum("damaged" in each for each in lost)
    print(
        f"{what}: {len(everywhere)} states after {len(everywhere) // len(cuttings)} operations, "
        f"{len(lost)} with a loss, {damaged} of them corrupt",
        flush=True,
    )
    return lost


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "config" / "plans").mkdir(parents=True)
        (folder / "config" / "plans" / f"{PLAN_ID}.yaml").write_text(PLAN, encoding="utf-8")
        yield folder


if __name__ == "__main__":
    raise SystemExit(main())
