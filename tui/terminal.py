"""Repairs to how Textual deals with its terminal.

One without the Kitty protocol sends Alt+Enter as an escape and a carriage return, which Textual
takes for Enter. After an escape inside a bracketed paste Textual reads the rest as single keys, so
that a pasted line end or control character could send an answer. And when its terminal goes away
without a signal, it reads nothing for ever, at full speed, and stops once nobody takes what it
writes.
"""

from __future__ import annotations

import select
import sys
import threading
from collections.abc import Callable, Iterable, Iterator

from textual._xterm_parser import XTermParser
from textual.drivers import linux_driver
from textual.drivers._writer_thread import WriterThread
from textual.message import Message

from interviewer.report.plain import printable

PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_LEGACY_ALT_ENTER, _KITTY_ALT_ENTER = "\x1b\r", "\x1b[13;3u"
_ESCAPE = "\x1b"


class CarefulParser(XTermParser):
    """Rewrites the input before it is parsed; a marker may be split between two reads."""

    _pasting = False
    _passed = ""
    """The last characters outside a paste: a marker may have begun in them."""
    _held_back = ""
    """Possibly the beginning of the marker that ends a paste."""

    def feed(self, data: str) -> Iterable[Message]:
        if not data:  # the end of the input
            return super().feed(data)
        rewritten = "".join(self._rewritten(data))
        return super().feed(rewritten) if rewritten else ()

    def _rewritten(self, data: str) -> Iterator[str]:
        while data:
            keys_or_paste, data = self._paste(data) if self._pasting else self._keys(data)
            yield keys_or_paste

    def _keys(self, data: str) -> tuple[str, str]:
        """The keys up to and including the marker of a paste, and the rest."""
        before, marker, rest = (self._passed + data).partition(PASTE_BEGINS)
        keys = (before + marker)[len(self._passed) :]
        self._pasting = bool(marker)
        self._passed = "" if marker else (self._passed + keys)[1 - len(PASTE_BEGINS) :]
        return keys.replace(_LEGACY_ALT_ENTER, _KITTY_ALT_ENTER), rest

    def _paste(self, data: str) -> tuple[str, str]:
        """The pasted text, made harmless, up to and including its end marker, and the rest."""
        text, marker, rest = (self._held_back + data).partition(PASTE_ENDS)
        self._pasting = not marker
        self._held_back = "" if marker else _begun(PASTE_ENDS, text)
        text = text.removesuffix(self._held_back)
        return text.replace(_ESCAPE, printable(_ESCAPE)) + marker, rest


class CarefulWriter(WriterThread):
    """Goes on taking what is written to a terminal that is gone: a full queue stops the program."""

    def run(self) -> None:
        try:
            super().run()
        except OSError:
            while self._queue.get() is not None:
                pass


def install() -> None:
    """Make Textual's driver use this parser and this writer."""
    linux_driver.XTermParser = CarefulParser  # type: ignore[attr-defined]
    linux_driver.WriterThread = CarefulWriter  # type: ignore[attr-defined]


def watch(gone: Callable[[], object]) -> None:
    """Call ``gone``, in a thread of its own, when the terminal of the standard input goes away."""
    keyboard = sys.__stdin__
    if keyboard is not None and keyboard.isatty():
        arguments = (keyboard.fileno(), gone)
        threading.Thread(target=_await_end, args=arguments, name="terminal", daemon=True).start()


def _await_end(file: int, gone: Callable[[], object]) -> None:
    poll = select.poll()
    poll.register(file, 0)  # to hang up is told in any case
    if any(event & select.POLLHUP for _, event in poll.poll()):
        gone()


def _begun(marker: str, text: str) -> str:
    """The beginning of the marker with which the text ends, or ""."""
    lengths = range(len(marker) - 1, 0, -1)
    return next((marker[:n] for n in lengths if text.endswith(marker[:n])), "")
