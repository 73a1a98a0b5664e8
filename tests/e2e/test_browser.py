"""A whole mock in a real browser, from the first key to the debrief.

It needs playwright (``pip install playwright``; its own browsers are not used) and the system's
Chromium or Chrome; where either is missing it is skipped. With BROWSER_PICTURES set to a folder, it
leaves pictures of the screens there.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyte
import pytest
from aiohttp.test_utils import unused_port

from tui.keyboard import GRACE

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BROWSER, reason="no Chromium or Chrome is on the PATH"),
]
COLUMNS, ROWS = 300, 100
"""More than any page here has."""
LOOKS = 600
ANSWERS = (
    "Dividing by the root of d keeps the variance at one, so softmax stays soft.",
    "I would first look at the reward and the KL over the steps, then at samples.",
    "Each rank holds a share of the states, and gathers the weights when it needs them.",
)


class Tab:
    """A page of the program: keys go to the browser, and what it was sent is a screen to read."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        page.on("websocket", lambda socket: socket.on("framereceived", self._take))

    def _take(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            self._stream.feed(frame)

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def until(self, holds: Callable[[str], bool]) -> None:
        for _ in range(LOOKS):
            if holds(self.text):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"it never came about; the screen was\n{self.text}")

    def wait_for(self, words: str) -> None:
        self.until(lambda text: words in text)

    def press(self, key: str) -> None:
        """Press a key; not before a person would, who has to read the screen first."""
        self.page.wait_for_timeout(2000 * GRACE)
        self.page.keyboard.press(key)

    def picture(self, name: str) -> None:
        if folder := os.environ.get("BROWSER_PICTURES"):
            self.page.screenshot(path=Path(folder) / f"{name}.png")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    command = (sys.executable, "-m", "interviewer", "--database", str(tmp_path / "sessions.db"))
    with subprocess.Popen(
        (*command, "serve", "--port", str(unused_port())), stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().removeprefix("Open ").strip()
        finally:
            server.terminate()


@pytest.fixture
def tab(address: str) -> Iterator[Tab]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        tab = Tab(browser.new_page(viewport={"width": 1100, "height": 620}))
        tab.page.goto(address, wait_until="load")
        yield tab
        browser.close()


@pytest.mark.timeout(900)
def test_a_whole_mock(tab: Tab, tmp_path: Path) -> None:
    """Each round's first question is answered once, and all the rest is skipped."""
    database = tmp_path / "sessions.db"
    tab.wait_for("New mock")  # in the footer, which waits for the focus
    tab.picture("home")
    tab.press("Enter")
    for number in (1, 2, 3):
        tab.wait_for(f"Round {number}:")
        tab.wait_for("Your turn")
        tab.picture(f"question-{number}")
        tab.page.keyboard.type(ANSWERS[number - 1])
        tab.wait_for(ANSWERS[number - 1][:20])
        tab.press("Control+s")
        tab.until(lambda _, number=number: len(answers(database)) == number)
        tab.wait_for("Your turn")
        tab.press("F6")
        tab.wait_for("End this round?")
        tab.press("y")
    tab.wait_for("Do next")
    tab.picture("debrief")
    assert answers(database) == list(ANSWERS)


def answers(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute(
            "SELECT text FROM turns WHERE author = 'candidate' ORDER BY number"
        )
        return [text for (text,) in found]
