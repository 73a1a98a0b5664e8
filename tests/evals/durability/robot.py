"""A robot types at the real program, in a terminal of its own, for minutes.

    python -m tests.evals durability.robot [--minutes 10] [--rate 200] [--seed 1]

Half of the time it answers an interview, and the stored answers and drafts must be exactly what it
typed; the other half it presses anything on all screens of a program with weeks of use, which must
not crash. Linux and macOS.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evals.figures import Figure
from support.typing_robot import Typist, Wanderer


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rate", type=float, default=200.0, help="keys a second")
    parser.add_argument("--seed", type=int, default=1)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    for kind in (Typist, Wanderer):
        with tempfile.TemporaryDirectory() as folder:
            robot = kind(Path(folder) / "data", asked.seed, asked.rate)
            try:
                robot.work(asked.minutes * 30)
            finally:
                robot.close()
        found = robot.figures
        beside = f"{found.keys.total()} keys, checked {found.checks} times"
        notes = [*found.lost, f"seen: {', '.join(f'{k} {n}' for k, n in found.seen.most_common())}"]
        yield Figure(f"{kind.__name__}: lost", len(found.lost), beside, notes)
