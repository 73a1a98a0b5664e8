"""How soon the interview answers a hand, beside a bare app with Markdown and an editor.

Real programs in terminals of their own, in one run: opening a mock from home beside the first
paint of the bare app, with peak memory; one key until it is seen, in both editors; and an answer
until the next question or follow-up is on the screen, judged offline. ``own_time.py`` tells which
part of that is ours. Linux only (/proc).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from evals.speed.start_up import COMPILED
from support.terminal import Terminal

BARE_TALK = """
from textual.app import App
from textual.widgets import Footer, Header, Markdown, TextArea
class Bare(App):
    def compose(self):
        yield Header()
        yield Markdown("# A question\\n\\nWhat does the KL term in PPO buy you?")
        yield TextArea()
        yield Footer()
    def on_mount(self):
        self.query_one(TextArea).focus()
Bare().run()
"""
QUESTION = "What does the KL"
MY_TURN = "Your turn"
LOOK = 0.001
"""Seconds between two looks at the screen."""
READING = 0.5
"""Seconds that a question is read before the first key."""
ANSWER = "It keeps the policy close to the reference model, so that rewards stay meaningful."


def seconds_until(terminal: Terminal, holds: Callable[[str], bool]) -> float:
    begun = time.perf_counter()
    terminal.wait_until(holds, every=LOOK)
    return time.perf_counter() - begun


def from_home(terminal: Terminal) -> float:
    """Open a mock from home as a newcomer does; the seconds from the key to my turn."""
    terminal.wait_for("Three-round mock")
    time.sleep(1.0)  # a newcomer reads the card
    terminal.write("\r")
    return seconds_until(terminal, lambda shown: MY_TURN in shown)


def key_times(terminal: Terminal, keys: int) -> list[float]:
    """Milliseconds from each key to its letter on the screen."""
    times = []
    for _ in range(keys):
        seen = terminal.text.count("z")
        terminal.write("z")
        times.append(1000 * seconds_until(terminal, lambda now, n=seen: now.count("z") > n))
        time.sleep(0.02)
    return times


def turn_times(terminal: Terminal, turns: int) -> list[float]:
    """Milliseconds from sending an answer to the next turn."""
    times = []
    for number in range(turns):
        said = f"{ANSWER} That is point {number}."
        terminal.write(said)
        seconds_until(terminal, lambda shown, n=number: f"point {n}." in shown)
        time.sleep(0.5)
        terminal.write("\x13")
        waited = seconds_until(terminal, lambda shown: "Your answer" in shown and MY_TURN in shown)
        times.append(1000 * waited)
        time.sleep(0.5)
    return times


@dataclass
class Seen:
    """Openings in seconds, peaks in MiB, keys and turns in milliseconds; of either program."""

    opened: list[float] = field(default_factory=list)
    painted: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)
    bare_peaks: list[float] = field(default_factory=list)
    keys: list[float] = field(default_factory=list)
    bare_keys: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)


def in_terminals(rounds: int, keys: int) -> Seen:
    """Both programs in turns, each in a terminal of its own."""
    seen = Seen()
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            folders = {"INTERVIEWER_DATA_DIR": folder, "INTERVIEWER_CONFIG_DIR": folder}
            environment = {**COMPILED, **folders}
            with Terminal(environment=environment) as ours:
                seen.opened.append(from_home(ours))
                seen.peaks.append(ours.peak_memory)
                time.sleep(READING)
                seen.keys += key_times(ours, keys // rounds)
                ours.write("\x15")
                seen.turns += turn_times(ours, 3)
            begun = time.perf_counter()
            with Terminal("-c", BARE_TALK, environment=environment) as bare:
                seconds_until(bare, lambda shown: QUESTION in shown)
                seen.painted.append(time.perf_counter() - begun)
                seen.bare_peaks.append(bare.peak_memory)
                time.sleep(READING)
                seen.bare_keys += key_times(bare, keys // rounds)
    return seen


def ninety_nine(times: list[float]) -> float:
    """99 of 100 are no longer."""
    return sorted(times)[int(0.99 * len(times))]
