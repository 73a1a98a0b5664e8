"""The program in a terminal of its own: keys in, a screen to look at."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyte

from tui.keyboard import GRACE

PATIENCE = 60.0
"""Seconds to wait for something to appear before a test fails; it is rarely more than one."""


class Terminal:
    """``python ARGUMENTS``, by default the program itself, in a terminal of the given size."""

    def __init__(
        self,
        *arguments: str,
        environment: Mapping[str, str],
        columns: int = 80,
        rows: int = 24,
    ) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._lock = threading.Lock()
        self._master, slave = pty.openpty()
        self._set_size(columns, rows)
        colours = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.process = self._start(arguments, slave, {**os.environ, **colours, **environment})
        os.close(slave)
        self._is_open = True
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _start(
        self, arguments: tuple[str, ...], terminal: int, environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, *(arguments or ("-m", "interviewer"))],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            start_new_session=True,
        )

    def _read(self) -> None:
        while self._is_open:
            if not select.select([self._master], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return
            if not data:
                return
            with self._lock:
                self._feed(data)

    def _feed(self, data: bytes) -> None:
        self._stream.feed(data)

    @property
    def text(self) -> str:
        with self._lock:
            return "\n".join(self._screen.display)

    def colours(self) -> set[str]:
        """The names of all colours on the screen, or six hexadecimal digits for others."""
        with self._lock:
            return {each for cell in self._cells() for each in (cell.fg, cell.bg)}

    def invisible(self) -> str:
        """The characters in the colour of their own background."""
        with self._lock:
            return "".join(
                cell.data for cell in self._cells() if cell.data.strip() and cell.fg == cell.bg
            )

    def _cells(self) -> Iterator[pyte.screens.Char]:
        for row in range(self._screen.lines):
            for column in range(self._screen.columns):
                yield self._screen.buffer[row][column]

    def press(self, keys: str) -> None:
        """Type these characters; not before a person would, who has to read the screen first."""
        time.sleep(2 * GRACE)
        self.write(keys)

    def write(self, keys: str) -> None:
        """Type these characters at once."""
        os.write(self._master, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal, and tell the program as a terminal does."""
        with self._lock:
            self._screen.resize(rows, columns)
        self._set_size(columns, rows)
        self.process.send_signal(signal.SIGWINCH)

    def _set_size(self, columns: int, rows: int) -> None:
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)

    def wait_for(self, *texts: str) -> str:
        return self.wait_until(lambda shown: all(text in shown for text in texts), texts)

    def wait_until(
        self, holds: Callable[[str], bool], what: object = "", *, every: float = 0.03
    ) -> str:
        """Wait until the screen fulfils the condition, looking so often, and return it."""
        deadline = time.monotonic() + PATIENCE
        while not holds(shown := self.text):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError(f"not seen: {what}; the screen was\n{shown}")
            time.sleep(every)
        return shown

    @property
    def peak_memory(self) -> float:
        """The most that the process has had, in MiB. Linux only."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024

    def kill(self) -> None:
        """As a power cut does it."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def hang_up(self) -> None:
        """Close the window. It is not the one that controls the process: no signal says so."""
        self._is_open = False
        self._reader.join()
        os.close(self._master)

    def wait(self) -> int:
        return self.process.wait(timeout=PATIENCE)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()
        if self._is_open:
            self.hang_up()
