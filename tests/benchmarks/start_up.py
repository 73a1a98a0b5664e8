"""Start-up and memory beside references of the same kind, measured in one run.

    PYTHONPATH=tests python tests/benchmarks/start_up.py [--rounds N]

Rounds are interleaved. Processor time is given beside wall time: it hardly moves with the load of
the machine. Linux only (/proc).
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from support.terminal import Terminal

BARE_APP = """
from textual.app import App
from textual.widgets import Label
class Bare(App):
    def compose(self):
        yield Label("New mock")
Bare().run()
"""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Figure:
    """One process: wall and processor seconds, peak memory in MiB."""

    wall: float
    cpu: float
    peak: float


def until_painted(*arguments: str) -> Figure:
    """Start, wait for "New mock" on the screen, measure, stop."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"INTERVIEWER_DATA_DIR": folder, "INTERVIEWER_CONFIG_DIR": folder}
        begun = time.perf_counter()
        with Terminal(*arguments, environment=environment) as terminal:
            terminal.wait_for("New mock")
            wall = time.perf_counter() - begun
            return Figure(wall, _processor_seconds(terminal.process.pid), terminal.peak_memory)


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def whole(*arguments: str) -> Figure:
    """Run to the end."""
    before = os.times()
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    cpu = after.children_user + after.children_system
    cpu -= before.children_user + before.children_system
    return Figure(time.perf_counter() - begun, cpu, 0.0)


def compare(
    name: str, rounds: int, ours: Callable[[], Figure], reference: Callable[[], Figure]
) -> None:
    """Print medians and the ratios of the medians."""
    ours(), reference()
    pairs = [(ours(), reference()) for _ in range(rounds)]
    for field in ("wall", "cpu", "peak"):
        a = statistics.median(getattr(mine, field) for mine, _ in pairs)
        b = statistics.median(getattr(theirs, field) for _, theirs in pairs)
        if b:
            print(f"{name:44} {field:5} {a:8.3f} against {b:8.3f}: {a / b:.2f} times")


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    compare(
        "--help, beside a bare interpreter",
        rounds,
        lambda: whole("-m", "interviewer", "--help"),
        lambda: whole("-c", "pass"),
    )
    compare(
        "home screen, beside a bare app with a label",
        rounds,
        until_painted,
        lambda: until_painted("-c", BARE_APP),
    )


if __name__ == "__main__":
    main()
