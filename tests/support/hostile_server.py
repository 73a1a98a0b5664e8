"""A server on this machine that behaves as badly as a test wants: over a real socket."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

Writer = asyncio.StreamWriter
Behaviour = Callable[["Line"], Awaitable[None]]
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


@dataclass
class Line:
    """One connection: what a hostile server was asked there, what it has sent, and how."""

    writer: Writer
    sent: int = 0
    asked: bytes = b""
    """The body of the request; b"" if it has none, or nobody listened."""

    @property
    def request(self) -> dict[str, Any]:
        """The body of a chat request; {} if there is none."""
        body: dict[str, Any] = json.loads(self.asked or b"{}")
        return body

    async def head(self, *fields: str, status: str = "200 OK") -> None:
        lines = (f"HTTP/1.1 {status}", *fields, "Connection: close", "", "")
        await self.send("\r\n".join(lines).encode())

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()
        self.sent += len(data)


@asynccontextmanager
async def serving(
    behaviour: Behaviour, *, listens: bool = True
) -> AsyncIterator[tuple[str, list[Line]]]:
    """A server on this machine that behaves so; its address, and a line for each connection.

    Unless it ``listens``, it does so before anything is asked.
    """
    lines: list[Line] = []

    async def answer(reader: asyncio.StreamReader, writer: Writer) -> None:
        line = Line(writer)
        lines.append(line)
        try:
            if listens:
                head = await reader.readuntil(b"\r\n\r\n")
                length = _LENGTH.search(head)
                line.asked = await reader.readexactly(int(length[1])) if length else b""
            async with asyncio.timeout(60):
                await behaviour(line)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        yield f"http://127.0.0.1:{port}/v1", lines
