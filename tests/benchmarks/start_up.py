"""Start-up, memory and first paints beside references of the same kind, measured in one run.

    PYTHONPATH=tests python tests/benchmarks/start_up.py [--rounds N]

The screens are opened over weeks of practice, beside a screen with as many plain widgets. Rounds
are interleaved. Processor time is given beside wall time: it hardly moves with the load of the
machine. Both sides run compiled. Linux only (/proc).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from support.lived_in import practise
from support.scenes import BY_NAME
from support.terminal import Terminal

from interviewer.store.store import Store
from tui import keyboard

BARE_APP = """
from textual.app import App
from textual.widgets import Label
class Bare(App):
    def compose(self):
        yield Label("New mock")
Bare().run()
"""
BARE_SCREEN = """
import sys
from textual.app import App
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static
class Page(Screen):
    def compose(self):
        yield Static("In sight")
        with VerticalScroll():
            yield from (Static(f"plain {number}") for number in range(int(sys.argv[1])))
class Bare(App):
    def compose(self):
        yield Static("New mock")
    def on_key(self):
        self.push_screen(Page())
Bare().run()
"""
SCREENS = {
    "setup": ("n", "Length"),
    "browser": ("u", "Search in title"),
    "sessions": ("s", "Last used"),
    "debrief": ("s\r", "Do next"),
    "settings": (",", "Looks and keys"),
    "bench": ("b", "Bench · derivations"),
    "interview": ("n\x13", "Your turn"),
}
"""By scene: the keys from home, all but the last pressed before the clock starts, what is seen."""
READING = 0.8
"""Seconds that a screen is looked at before the next key."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Figure:
    """One process: wall and processor seconds, peak memory in MiB."""

    wall: float
    cpu: float
    peak: float


def until_painted(environment: Mapping[str, str], *arguments: str) -> Figure:
    """Start, wait for "New mock" on the screen, measure, stop."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**environment, **_folders(folder)}
        begun = time.perf_counter()
        with Terminal(*arguments, environment=environment) as terminal:
            terminal.wait_for("New mock")
            wall = time.perf_counter() - begun
            return Figure(wall, _processor_seconds(terminal.process.pid), terminal.peak_memory)


def until_opened(environment: Mapping[str, str], keys: str, seen: str, *arguments: str) -> Figure:
    """From the last of the keys until its screen is seen."""
    with Terminal(*arguments, environment=environment) as terminal:
        terminal.wait_for("New mock")
        for key in keys[:-1]:
            time.sleep(READING)
            terminal.write(key)
        time.sleep(READING)
        spent = _processor_seconds(terminal.process.pid)
        begun = time.perf_counter()
        terminal.write(keys[-1])
        terminal.wait_until(lambda shown: seen in shown, seen, every=0.001)
        wall = time.perf_counter() - begun
        return Figure(wall, _processor_seconds(terminal.process.pid) - spent, 0.0)


def widgets_of(scene: str) -> int:
    """How many there are on the screen."""
    keyboard.GRACE = 0.0

    async def count() -> int:
        async with BY_NAME[scene].app().run_test(size=(80, 24)) as pilot:
            await BY_NAME[scene].play(pilot)
            return len(list(pilot.app.screen.walk_children()))

    return asyncio.run(count())


def _folders(folder: str) -> dict[str, str]:
    return {"INTERVIEWER_DATA_DIR": folder, "INTERVIEWER_CONFIG_DIR": folder}


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


def compare_screen(
    scene: str, keys: str, seen: str, count: int, rounds: int, environment: Mapping[str, str]
) -> None:
    """Print how a screen compares with a bare one of ``count`` widgets."""
    compare(
        f"{scene}, beside {count} plain widgets",
        rounds,
        lambda: until_opened(environment, keys, seen),
        lambda: until_opened(environment, "n", "In sight", "-c", BARE_SCREEN, str(count)),
    )


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
    with tempfile.TemporaryDirectory() as folder:
        compiled = {"PYTHONPYCACHEPREFIX": f"{folder}/compiled", "PYTHONDONTWRITEBYTECODE": ""}
        compare(
            "home screen, beside a bare app with a label",
            rounds,
            lambda: until_painted(compiled),
            lambda: until_painted(compiled, "-c", BARE_APP),
        )
        now = datetime.now(UTC)
        asyncio.run(practise(Store(Path(folder) / "sessions.db"), now))
        for scene, (keys, seen) in SCREENS.items():
            count = widgets_of(scene)
            compare_screen(scene, keys, seen, count, rounds, {**compiled, **_folders(folder)})


if __name__ == "__main__":
    main()
