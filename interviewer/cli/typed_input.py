"""Standard input, line by line, while other things go on."""

from __future__ import annotations

import asyncio
import codecs
import os
import threading
from collections.abc import AsyncIterator

_CHUNK = 65536


async def stdin_lines(descriptor: int = 0) -> AsyncIterator[str]:
    """The lines of standard input without line ends; bytes that are not UTF-8 become U+FFFD.

    A thread reads: an event loop cannot watch a regular file, and a read that never returns must
    not keep the process alive.
    """
    loop = asyncio.get_running_loop()
    chunks: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        data = b"?"
        while data:
            # The bare descriptor: a thread that dies inside sys.stdin would take its lock along.
            try:
                data = os.read(descriptor, _CHUNK)
            except OSError:  # the terminal is gone: the end of the input
                data = b""
            try:
                loop.call_soon_threadsafe(chunks.put_nowait, data)
            except RuntimeError:  # the loop is closed: nobody listens any more
                return

    threading.Thread(target=read, daemon=True, name="stdin").start()
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    rest = ""
    while data := await chunks.get():
        *lines, rest = (rest + decoder.decode(data)).split("\n")
        for line in lines:
            yield line.removesuffix("\r")
    rest += decoder.decode(b"", final=True)
    if rest:
        yield rest
