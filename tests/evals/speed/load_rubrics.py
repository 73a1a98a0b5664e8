"""What loading the rubrics costs: alone, beside broken files of every kind, from the index.

Rounds are interleaved. A file that cannot be used must not hold up the others, and the index should
take no longer than a few files.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from support.broken_files import CASES, write_broken

from interviewer.rubric.library import load_library


def seconds(folders: Sequence[Path], index: Path | None = None) -> float:
    """Processor time of one loading."""
    begun = time.process_time()
    load_library(folders, index)
    return time.process_time() - begun


def with_generated(folder: Path) -> Path:
    """The broken files, and what no repository can hold."""
    for name in CASES["rubrics"]:
        write_broken("rubrics", name, folder / "broken")
    (folder / "large.yaml").write_bytes(b"# filler\n" * 1_200_000)
    (folder / "folder.yaml").mkdir()
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.yaml")
    return folder


def medians(rounds: int) -> tuple[float, float, float, float]:
    """Milliseconds: alone, beside broken files, from the index, and one file's share."""
    with tempfile.TemporaryDirectory() as folder:
        broken = with_generated(Path(folder))
        index = Path(folder) / "rubrics.json"
        files = len(load_library([], index).entries)
        seconds([broken])
        taken = [(seconds([]), seconds([broken]), seconds([], index)) for _ in range(rounds)]
    alone, beside, indexed = (1000 * statistics.median(each) for each in zip(*taken, strict=True))
    return alone, beside, indexed, alone / files
