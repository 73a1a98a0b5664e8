"""Start-up and first paints beside references of the same kind, measured in one run.

The screens are opened over weeks of practice, beside a bare screen of like content: Textual's own
lists, tables, fields and lines, as many and as long. (A label would be an unfair floor for a list
of all questions.) Rounds are interleaved. All is in seconds of processor time, which hardly moves
with the load of the machine. Both sides run compiled. Linux only (/proc).
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from support.lived_in import practise
from support.scenes import BY_NAME
from support.terminal import Terminal
from textual.widget import Widget
from textual.widgets import (
    Button,
    DataTable,
    Footer,
    Input,
    OptionList,
    RadioSet,
    Select,
    Static,
    TextArea,
)

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
import json, sys
from textual import widgets
from textual.app import App
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static
WIDE = "a line as long as most of ours are in a list"
def made(kind, rows):
    match kind:
        case "Static":
            return Static(WIDE)
        case "OptionList":
            return widgets.OptionList(*[f"{WIDE} {row}" for row in range(rows)])
        case "DataTable":
            table = widgets.DataTable()
            table.add_columns("one", "two", "three")
            table.add_rows([("a", WIDE, str(row)) for row in range(rows)])
            return table
        case "Select":
            return widgets.Select([("one", 1), ("two", 2)])
        case "RadioSet":
            return widgets.RadioSet(*[f"choice {row}" for row in range(rows)])
        case _:
            return getattr(widgets, kind)()
class Page(Screen):
    def compose(self):
        yield Static("In sight")
        with VerticalScroll():
            yield from (made(*each) for each in json.loads(sys.argv[1]))
class Bare(App):
    def compose(self):
        yield Static("New mock")
    def on_key(self):
        self.push_screen(Page())
Bare().run()
"""
SCREENS = {
    "setup": [("n", "Length")],
    "browser": [("u", "Search in title")],
    "sessions": [("s", "Frontier loop")],
    "debrief": [("s", "Frontier loop"), ("j", "Frontier loop"), ("\r", "Do next")],
    "settings": [(",", "Looks and keys")],
    "bench": [("b", "Bench · derivations")],
    "interview": [("n", "Length"), ("\x13", "Your turn")],
}
"""By scene: the keys from home, each with what is seen after it; the last one is timed."""
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Each program keeps its bytecode, as an installed one does."""
READING = 0.8
"""Seconds that a screen is looked at before the next key."""
AT_REST = 0.03
"""Processor seconds that a program may use in that time, for its clock."""
TICKS = os.sysconf("SC_CLK_TCK")


def until_painted(environment: Mapping[str, str], *arguments: str) -> float:
    """From the start until "New mock" is on the screen."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Terminal(*arguments, environment={**environment, **_folders(folder)}) as terminal,
    ):
        terminal.wait_for("New mock")
        return processor_seconds(terminal.process.pid)


def until_opened(
    environment: Mapping[str, str], keys: Sequence[tuple[str, str]], *arguments: str
) -> float:
    """From the last of the keys until its screen is seen."""
    with Terminal(*arguments, environment=environment) as terminal:
        terminal.wait_for("New mock")
        *before, (last, seen) = keys
        for key, reached in before:
            _settled(terminal)
            terminal.write(key)
            terminal.wait_for(reached)
        spent = _settled(terminal)
        terminal.write(last)
        terminal.wait_until(lambda shown: seen in shown, seen, every=0.001)
        return processor_seconds(terminal.process.pid) - spent


def _settled(terminal: Terminal) -> float:
    """Its processor seconds, once it has loaded ahead what it may need and is at rest."""
    before = -1.0
    while (spent := processor_seconds(terminal.process.pid)) > before + AT_REST:
        before = spent
        time.sleep(READING)
    return spent


def content_of(scene: str) -> list[tuple[str, int]]:
    """What is on the screen, as Textual's own widgets and how many rows each has."""
    keyboard.GRACE = 0.0

    async def look() -> list[tuple[str, int]]:
        async with BY_NAME[scene].app().run_test(size=(80, 24)) as pilot:
            await BY_NAME[scene].play(pilot)
            return list(_plain(pilot.app.screen))

    return asyncio.run(look())


def _plain(widget: Widget) -> Iterator[tuple[str, int]]:
    """The widget where Textual has it, or what it contains."""
    for child in widget.children:
        match child:
            case OptionList():
                yield "OptionList", child.option_count
            case DataTable():
                yield "DataTable", child.row_count
            case RadioSet():
                yield "RadioSet", len(child.children)
            case Select() | Input() | TextArea() | Button() | Footer() | Static():
                kinds = (Select, Input, TextArea, Button, Footer, Static)
                yield next(kind.__name__ for kind in kinds if isinstance(child, kind)), 0
            case _:
                yield from _plain(child)


def _folders(folder: str) -> dict[str, str]:
    return {"INTERVIEWER_DATA_DIR": folder, "INTERVIEWER_CONFIG_DIR": folder}


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def whole(*arguments: str) -> float:
    """Of a process that runs to its end."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    spent = after.children_user + after.children_system
    return spent - before.children_user - before.children_system


def medians(
    rounds: int, ours: Callable[[], float], reference: Callable[[], float]
) -> tuple[float, float]:
    """Of either side, measured in turns."""
    ours(), reference()
    mine, theirs = zip(*((ours(), reference()) for _ in range(rounds)), strict=True)
    return statistics.median(mine), statistics.median(theirs)


def screens(rounds: int, environment: Mapping[str, str]) -> Iterator[tuple[str, int, float, float]]:
    """By scene: how many widgets, and its opening beside that of a bare screen of like content."""
    for scene, keys in SCREENS.items():
        content = content_of(scene)
        bare = ("-c", BARE_SCREEN, json.dumps(content))
        ours, theirs = medians(
            rounds,
            partial(until_opened, environment, keys),
            partial(until_opened, environment, [("n", "In sight")], *bare),
        )
        yield scene, len(content), ours, theirs


@contextmanager
def lived_in() -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(practise(Store(Path(folder) / "sessions.db"), datetime.now(UTC)))
        yield {**COMPILED, **_folders(folder)}
