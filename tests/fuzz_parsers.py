"""Coverage-guided fuzzing of everything that reads text from outside.

    python tests/fuzz_parsers.py [-max_total_time=60] [-seed=1] …

Needs atheris; options are libFuzzer's. It begins from the seeds of ``support/parsers.py`` and ends
with exit code 0 unless a reader raises what its callers do not expect, hangs or takes 2 GB. The
input is then left in a file; a find belongs into the tests of its reader.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["interviewer"]):
    from support.parsers import READERS, SEEDS, read

NAMES = tuple(READERS)
LIMITS = ("-timeout=60", "-rss_limit_mb=2048", "-max_len=1000", "-print_final_stats=1")


def one_input(data: bytes) -> None:
    """The first byte says which reader gets the rest."""
    if data:
        read(NAMES[data[0] % len(NAMES)], data[1:].decode("utf-8", "surrogateescape"))


def main() -> None:
    """Fuzz until the time is over, which ends the process."""
    with tempfile.TemporaryDirectory() as folder:
        for place, name in enumerate(NAMES):
            for number, seed in enumerate(SEEDS[name]):
                Path(folder, f"{place}-{number}").write_bytes(bytes([place]) + seed.encode())
        atheris.Setup([sys.argv[0], *LIMITS, *sys.argv[1:], folder], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
