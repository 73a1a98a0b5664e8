"""What loading the rubrics costs: alone, beside broken files of every kind, from the index.

    PYTHONPATH=tests python tests/benchmarks/load_rubrics.py [--rounds N]

Rounds are interleaved. Prints the median processor time of each and two ratios: beside broken files
to alone, which should stay under two, since a file that cannot be used must not hold up the others;
and from the index to one file's share of the whole, which should stay under three.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from interviewer.rubric.library import load_library

BROKEN = Path(__file__).parents[1] / "rubric" / "broken" / "rubrics"
MOST = 2.0
MOST_SHARES = 3.0


def seconds(folders: Sequence[Path], index: Path | None = None) -> float:
    """Processor time of one loading."""
    begun = time.process_time()
    load_library(folders, index)
    return time.process_time() - begun


def with_generated(folder: Path) -> Path:
    """The broken files, and what no repository can hold."""
    shutil.copytree(BROKEN, folder / "broken")
    (folder / "large.yaml").write_bytes(b"# filler\n" * 1_200_000)
    (folder / "folder.yaml").mkdir()
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.yaml")
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        broken = with_generated(Path(folder))
        index = Path(folder) / "rubrics.json"
        files = len(load_library([], index).entries)
        seconds([broken])
        taken = [(seconds([]), seconds([broken]), seconds([], index)) for _ in range(rounds)]
    alone, beside, indexed = (statistics.median(times) for times in zip(*taken, strict=True))
    share = alone / files
    print(f"alone                {alone * 1000:6.0f} ms")
    print(f"beside broken files  {beside * 1000:6.0f} ms")
    print(f"ratio                {beside / alone:6.2f}")
    print(f"from the index       {indexed * 1000:6.1f} ms")
    print(f"one of {files} files     {share * 1000:6.1f} ms")
    print(f"ratio                {indexed / share:6.2f}")
    if indexed > MOST_SHARES * share:
        raise SystemExit(f"more than {MOST_SHARES:g} shares")
    if beside > MOST * alone:
        raise SystemExit(f"more than {MOST:g} times")


if __name__ == "__main__":
    main()
