"""What crosses the worker's pipes: frames both ways, and in a reply the records of one job.

A frame is two big-endian 32-bit lengths, a JSON object of the first length and bytes of the second.
A record is a head, ``ndim`` sizes and the entries as little-endian doubles in row-major order. The
standard library only: the program reads both, and it has no torch.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

PROTOCOL = 2
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


class FrameError(Exception):
    """Bytes that are not a frame; nothing after them can be trusted either."""


def pack_frame(header: Mapping[str, object], body: bytes = b"") -> bytes:
    """One frame."""
    text = json.dumps(header, separators=(",", ":")).encode()
    if len(text) > HEADER_LIMIT:
        raise FrameError(f"a header of {len(text)} bytes")
    return LENGTHS.pack(len(text), len(body)) + text + body


def frame_lengths(prefix: bytes, body_limit: int) -> tuple[int, int]:
    """Sizes of header and body. Raises FrameError beyond the limits."""
    header, body = LENGTHS.unpack(prefix)
    if not 2 <= header <= HEADER_LIMIT or body > body_limit:
        raise FrameError(f"a frame of {header} and {body} bytes")
    return header, body


def frame_header(text: bytes) -> dict[str, Any]:
    """The header's fields. Raises FrameError where it is not a JSON object."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FrameError("a header that is not JSON") from error
    if not isinstance(fields, dict):
        raise FrameError("a header that is not an object")
    return fields


class FrameBuffer:
    """Collects bytes as they come and returns whole frames."""

    def __init__(self, body_limit: int) -> None:
        self._held = bytearray()
        self._limit = body_limit

    def feed(self, data: bytes) -> list[tuple[dict[str, Any], bytes]]:
        """The frames complete so far. Raises FrameError as soon as a length makes no sense."""
        self._held += data
        frames = []
        while (frame := self._next()) is not None:
            frames.append(frame)
        return frames

    def _next(self) -> tuple[dict[str, Any], bytes] | None:
        held, start = self._held, LENGTHS.size
        if len(held) < start:
            return None
        header_size, body_size = frame_lengths(bytes(held[:start]), self._limit)
        end = start + header_size + body_size
        if len(held) < end:
            return None
        fields = frame_header(bytes(held[start : start + header_size]))
        body = bytes(held[start + header_size : end])
        del held[:end]
        return fields, body


VALUE, ERROR, BRANCH, END, NOTE = 1, 2, 3, 4, 5
ITSELF = 0xFFFF
""""With respect to" of a record that holds a value, not a gradient."""
PROPERTIES, STEPS, VISITS, WRONG_STEPS, LANDMARKS = 1000, 2000, 3000, 4000, 5000
"""First item number of each kind; functions and statements count from 0."""
MOST_ENTRIES = 400_000
LONGEST_TEXT = 400
_HEAD = struct.Struct("<BHHHHB")
_TWO = struct.Struct("<II")
_MOST_AXES = 8


@dataclass(frozen=True)
class Record:
    """One record. ``wrt`` is ITSELF, or the index of the input whose gradient this is.

    ``shape`` and ``numbers`` belong to VALUE; ``code`` and ``text`` to ERROR and NOTE; ``counts``
    to BRANCH: how many entries took the one side and the other.
    """

    kind: int
    draw: int
    item: int
    part: int
    wrt: int = ITSELF
    shape: tuple[int, ...] = ()
    numbers: array[float] = field(default_factory=lambda: array("d"))
    code: str = ""
    text: str = ""
    counts: tuple[int, int] = (0, 0)


class MalformedError(ValueError):
    """Bytes that are not records."""


def value_record(
    draw: int, item: int, part: int, wrt: int, shape: Sequence[int], numbers: Iterable[float]
) -> bytes:
    """A tensor, or the gradient of its projection with respect to an input."""
    head = _HEAD.pack(VALUE, draw, item, part, wrt, len(shape))
    return head + struct.pack(f"<{len(shape)}I", *shape) + array("d", numbers).tobytes()


def error_record(draw: int, item: int, part: int, code: str, text: str) -> bytes:
    """Why there is no value."""
    return _words(ERROR, draw, item, part, code, text)


def note_record(draw: int, item: int, part: int, code: str, text: str) -> bytes:
    """Something about a value that is there."""
    return _words(NOTE, draw, item, part, code, text)


def branch_record(draw: int, item: int, part: int, first: int, other: int) -> bytes:
    """How many entries took which side of a piecewise function."""
    return _HEAD.pack(BRANCH, draw, item, part, ITSELF, 0) + _TWO.pack(first, other)


def end_record() -> bytes:
    """The job ran to its end."""
    return _HEAD.pack(END, 0, 0, 0, ITSELF, 0)


def _words(kind: int, draw: int, item: int, part: int, code: str, text: str) -> bytes:
    coded = code.encode("ascii", "replace")[:40]
    worded = text[:LONGEST_TEXT].encode("utf-8", "replace")
    head = _HEAD.pack(kind, draw, item, part, ITSELF, 0)
    return head + struct.pack("<HH", len(coded), len(worded)) + coded + worded


def unpack_records(data: bytes) -> Iterator[Record]:
    """The records one by one; raises MalformedError at the first that is malformed."""
    at = 0
    while at < len(data):
        try:
            record, at = _record_at(data, at)
        except (struct.error, ValueError) as bad:
            raise MalformedError(f"byte {at}") from bad
        yield record


def _record_at(data: bytes, at: int) -> tuple[Record, int]:
    # No match statement: an interpreter that is too old for one must still be able to say so.
    kind, draw, item, part, wrt, axes = _HEAD.unpack_from(data, at)
    at += _HEAD.size
    head = Record(kind, draw, item, part, wrt)
    if kind == VALUE:
        return _value_of(data, at, head, axes)
    if kind in (ERROR, NOTE):
        coded, worded = struct.unpack_from("<HH", data, at)
        middle, stop = at + 4 + coded, at + 4 + coded + worded
        if stop > len(data):
            raise ValueError
        code = data[at + 4 : middle].decode("ascii", "replace")
        return replace(head, code=code, text=data[middle:stop].decode("utf-8", "replace")), stop
    if kind == BRANCH:
        return replace(head, counts=_TWO.unpack_from(data, at)), at + _TWO.size
    if kind == END:
        return head, at
    raise ValueError


def _value_of(data: bytes, at: int, head: Record, axes: int) -> tuple[Record, int]:
    if axes > _MOST_AXES:
        raise ValueError
    shape = struct.unpack_from(f"<{axes}I", data, at)
    at += 4 * axes
    entries = prod(shape)
    stop = at + 8 * entries
    if entries > MOST_ENTRIES or stop > len(data):
        raise ValueError
    return replace(head, shape=shape, numbers=array("d", data[at:stop])), stop
