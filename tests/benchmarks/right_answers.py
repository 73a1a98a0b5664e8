"""What the offline examiner makes of short right answers by people who saw no pattern.

    python tests/benchmarks/right_answers.py [FILE.jsonl] [--details]

Each line of the file is {"rubric": ID, "text": ANSWER, "points": [ids of the criteria it makes],
"may": [ids that it may be granted, too; optional]}. Without a file it takes the answers of
tests/agreement, which are no longer blind. Prints how many of the points made are met or partial,
how many answers carry a contradiction though all they say is right, and how many points are
credited that were not made; with --details each of the three by name.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.right import SHIPPED, Tally, read_right, tally


def percent(part: int, whole: int) -> str:
    return f"{part:4} of {whole:4} ({part / whole:.1%})" if whole else f"{part:4} of    0"


def report(found: Tally) -> None:
    """Print the three figures."""
    print(f"answers                       {found.answers:4}")
    print(f"points made, met              {percent(len(found.met), found.made)}")
    print(f"points made, partial          {percent(len(found.partial), found.made)}")
    print(f"answers read as wrong         {percent(len(found.wrong_answers), found.answers)}")
    print(f"points not made, met          {percent(len(found.granted), found.unmade)}")
    print(f"points not made, partial      {percent(len(found.half_granted), found.unmade)}")


def main() -> None:
    """Print the figures of one file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, default=SHIPPED)
    parser.add_argument("--details", action="store_true", help="name every verdict that is off")
    arguments = parser.parse_args()
    try:
        found = tally(read_right(arguments.file))
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    if arguments.details:
        for title, points in found.off.items():
            for point in points:
                print(f"{title:12} {point.rubric} {point.criterion}: {point.text}")
    report(found)


if __name__ == "__main__":
    main()
