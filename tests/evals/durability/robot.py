"""A robot types at the real program, in a terminal of its own, for minutes.

    python tests/benchmarks/typing_robot.py [--minutes 10] [--rate 200] [--seed 1]

Half of the time it answers an interview, and the stored answers and drafts must be exactly what it
typed; the other half it presses anything on all screens of a program with weeks of use, which must
not crash. Prints what was typed where, and fails with what was lost. Linux and macOS.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.typing_robot import Robot, Typist, Wanderer


def main() -> int:
    """Print the report; 1 if something was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rate", type=float, default=200.0, help="keys a second")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    lost = 0
    for kind in (Typist, Wanderer):
        with tempfile.TemporaryDirectory() as folder:
            robot = kind(Path(folder) / "data", asked.seed, asked.rate)
            try:
                robot.work(asked.minutes * 30)
            finally:
                robot.close()
            lost += len(robot.figures.lost)
            print(report(kind, robot))
    return bool(lost)


def report(kind: type[Robot], robot: Robot) -> str:
    """A few lines on what was done and found."""
    figures = robot.figures
    typed = figures.keys.total()
    rate = typed / figures.typing if figures.typing else 0.0
    lines = [
        f"{kind.__name__}: {typed} keys in {figures.typing:.0f} s of typing ({rate:.0f} a second), "
        f"{figures.keys['text']} of them characters; {figures.starts} starts",
        f"  answers: {figures.answers}, checked against the keys {figures.checks} times",
        f"  commands: {', '.join(f'{k} {n}' for k, n in figures.keys.most_common(12)[1:])}",
    ]
    if figures.seen:
        lines.append(f"  seen: {', '.join(f'{k} {n}' for k, n in figures.seen.most_common())}")
    lines += [f"  LOST: {each}" for each in figures.lost] or ["  nothing lost"]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
