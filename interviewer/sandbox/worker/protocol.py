"""What crosses the worker's pipes: frames both ways, and in a reply the records of one job.

A frame is two big-endian 32-bit lengths, a JSON object of the first length and bytes of the second.
A record is a frame too; tensors are doubles in row-major order. The standard library only: the
program reads both, and it has no torch.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any

PROTOCOL = 4
"""Bumped whenever one side would misread the other; both must have the same number."""
HEADER_LIMIT = 64 * 1024
REQUEST_LIMIT = 4 * 1024 * 1024
REPLY_LIMIT = 16 * 1024 * 1024
RECORDS_LIMIT = 8 * 1024 * 1024
OUTPUT_LIMIT = 64 * 1024
"""Bytes: a header, a body to the worker, a body from it; in that, a child's records and prints."""
MOST_SECONDS = 60.0
"""The longest that a check may be asked to take."""
READY, FINISHED, REFUSED = b"R", b"F", b"X"
"""What a child says about itself."""
JOB_HEAD = struct.Struct(">cI")
"""Before a job on a child's pipe: its letter, and how many bytes it has."""
LENGTHS = struct.Struct(">II")
FORKED = struct.Struct(">cii")
"""Between worker and zygote: a letter and two numbers, and in answer the same letter, or x."""
FORK, LOOK, REAP = b"f", b"l", b"r"
STILL_ALIVE = -(1 << 20)
PIPES = 4
"""Of each child to the worker: its job, what it prints, its records, how far it is."""


class FrameError(Exception):
    """Bytes that are not a frame; nothing after them can be trusted either."""


def pack_frame(header: Mapping[str, object], body: bytes = b"") -> bytes:
    text = json.dumps(header, separators=(",", ":")).encode()
    if len(text) > HEADER_LIMIT:
        raise FrameError(f"a header of {len(text)} bytes")
    return LENGTHS.pack(len(text), len(body)) + text + body


class FrameBuffer:
    """Collects bytes as they come and returns whole frames."""

    def __init__(self, body_limit: int) -> None:
        self._held = bytearray()
        self._limit = body_limit

    def feed(self, data: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The frames complete so far. Raises FrameError as soon as a length makes no sense."""
        self._held += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> tuple[dict[str, Any], bytes] | None:
        held, start = self._held, LENGTHS.size
        if len(held) < start:
            return None
        header, body = LENGTHS.unpack_from(held)
        if not 2 <= header <= HEADER_LIMIT or body > self._limit:
            raise FrameError(f"a frame of {header} and {body} bytes")
        middle = start + header
        end = middle + body
        if len(held) < end:
            return None
        try:
            fields = json.loads(bytes(held[start:middle]))
        except (ValueError, RecursionError) as error:
            raise FrameError("a header that is not JSON") from error
        if not isinstance(fields, dict):
            raise FrameError("a header that is not an object")
        whole = fields, bytes(held[middle:end])
        del held[:end]
        return whole


PROPERTIES, STEPS, VISITS, WRONG_STEPS, LANDMARKS = 1000, 2000, 3000, 4000, 5000
"""First item number of each kind; functions and statements count from 0."""
MOST_ENTRIES = 400_000
LONGEST_TEXT = 400


def pack_record(
    kind: str, draw: int = 0, item: int = 0, part: int = 0, body: bytes = b"", **fields: object
) -> bytes:
    """One record: a frame about a part of an item in a draw. Kinds and their fields:

    ``value`` has a shape and the entries as its body, and where it is the gradient of the value's
    projection ``wrt``, the index of an input; ``error`` says why there is no value by a code and a
    text; ``end`` says that the job ran to its end.
    """
    for name in ("code", "text"):
        if name in fields:
            fields[name] = str(fields[name])[:LONGEST_TEXT].encode(errors="replace").decode()
    return pack_frame({"kind": kind, "draw": draw, "item": item, "part": part, **fields}, body)
