"""Kills the program, and cuts its power, after every single write.

    python -m tests.evals durability.kills [--seed 1] [--course NAME]

Whole courses of which every write is recorded, and the database opened as it was after each of
them, and as a power cut would have left it: without what was not synced, and with sectors of it.
A mock of three rounds to the debrief in each front end, paused, resumed, regraded, copied and
deleted; practice; an earlier version's database, migrated and gone on with. Nothing may be lost
that was acknowledged, and no database damaged. Linux.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evals.figures import Figure
from support.whole_interviews import COURSES, recording
from support.write_log import losses, points


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--course", default="", help="those so named")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    for course in COURSES:
        if asked.course in course:
            with tempfile.TemporaryDirectory() as folder:
                os.environ["INTERVIEWER_CACHE_DIR"] = f"{folder}/cache"
                operations = recording(course, Path(folder))
            everywhere = points(operations, ("killed", "dropped", "torn"))
            lost = list(losses(operations, everywhere, random.Random(asked.seed)))
            yield Figure(f"lost in {course}", len(lost), f"{len(everywhere)} states", lost)
