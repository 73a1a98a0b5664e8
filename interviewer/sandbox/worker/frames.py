"""Frames between the program and its worker, the same in both directions.

A frame is two big-endian 32-bit lengths, a JSON object of the first length and bytes of the second.
The standard library only: the program reads frames too, and it has no torch.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

PROTOCOL = 1
"""Changed whenever either side would misread the other; both must carry the same number."""
HEADER_LIMIT = 64 * 1024
REQUEST_LIMIT = 4 * 1024 * 1024
REPLY_LIMIT = 16 * 1024 * 1024
RECORDS_LIMIT = 8 * 1024 * 1024
OUTPUT_LIMIT = 64 * 1024
"""Bytes: a header, a body to the worker, a body from it; in that, a child's records and prints."""
MOST_SECONDS = 60.0
"""The longest that a check may be asked to take."""
LENGTHS = struct.Struct(">II")


class FrameError(Exception):
    """Bytes that are no frame; nothing after them can be trusted to start one."""


def pack(header: Mapping[str, object], body: bytes = b"") -> bytes:
    """One frame."""
    text = json.dumps(header, separators=(",", ":")).encode()
    if len(text) > HEADER_LIMIT:
        raise FrameError(f"a header of {len(text)} bytes")
    return LENGTHS.pack(len(text), len(body)) + text + body


def lengths(prefix: bytes, body_limit: int) -> tuple[int, int]:
    """Sizes of header and body. Raises FrameError beyond the limits."""
    header, body = LENGTHS.unpack(prefix)
    if not 2 <= header <= HEADER_LIMIT or body > body_limit:
        raise FrameError(f"a frame of {header} and {body} bytes")
    return header, body


def header(text: bytes) -> dict[str, Any]:
    """The header's fields. Raises FrameError where it is not a JSON object."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FrameError("a header that is not JSON") from error
    if not isinstance(fields, dict):
        raise FrameError("a header that is not an object")
    return fields


class FrameBuffer:
    """Collects bytes as they come and gives out whole frames."""

    def __init__(self, body_limit: int) -> None:
        self._held = bytearray()
        self._limit = body_limit

    def feed(self, data: bytes) -> list[tuple[dict[str, Any], bytes]]:
        """Frames that are complete now. Raises FrameError as soon as a length makes no sense."""
        self._held += data
        frames = []
        while (frame := self._next()) is not None:
            frames.append(frame)
        return frames

    def _next(self) -> tuple[dict[str, Any], bytes] | None:
        held, start = self._held, LENGTHS.size
        if len(held) < start:
            return None
        header_size, body_size = lengths(bytes(held[:start]), self._limit)
        end = start + header_size + body_size
        if len(held) < end:
            return None
        fields = header(bytes(held[start : start + header_size]))
        body = bytes(held[start + header_size : end])
        del held[:end]
        return fields, body
