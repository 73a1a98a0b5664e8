"""Numbers on their way out of a child: packed here, unpacked by whoever does not trust them.

A record is a head, ``ndim`` sizes and the entries as little-endian doubles in row-major order. The
standard library only, since the app reads records without torch.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

VALUE, ERROR, BRANCH, END, NOTE = 1, 2, 3, 4, 5
ITSELF = 0xFFFF
""""With respect to" of a record that holds a value, not a gradient."""
PROPERTIES, STEPS, VISITS, WRONG_STEPS = 1000, 2000, 3000, 4000
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
    """Bytes that are no records."""


def value(
    draw: int, item: int, part: int, wrt: int, shape: Sequence[int], numbers: Iterable[float]
) -> bytes:
    """A tensor, or the gradient of its projection with respect to an input."""
    head = _HEAD.pack(VALUE, draw, item, part, wrt, len(shape))
    return head + struct.pack(f"<{len(shape)}I", *shape) + array("d", numbers).tobytes()


def error(draw: int, item: int, part: int, code: str, text: str) -> bytes:
    """Why there is no value."""
    return _words(ERROR, draw, item, part, code, text)


def note(draw: int, item: int, part: int, code: str, text: str) -> bytes:
    """Something about a value that is there."""
    return _words(NOTE, draw, item, part, code, text)


def branch(draw: int, item: int, part: int, first: int, other: int) -> bytes:
    """How many entries took which side of a piecewise function."""
    return _HEAD.pack(BRANCH, draw, item, part, ITSELF, 0) + _TWO.pack(first, other)


def end() -> bytes:
    """The job was carried out to its end."""
    return _HEAD.pack(END, 0, 0, 0, ITSELF, 0)


def _words(kind: int, draw: int, item: int, part: int, code: str, text: str) -> bytes:
    coded = code.encode("ascii", "replace")[:40]
    worded = text[:LONGEST_TEXT].encode("utf-8", "replace")
    head = _HEAD.pack(kind, draw, item, part, ITSELF, 0)
    return head + struct.pack("<HH", len(coded), len(worded)) + coded + worded


def unpack(data: bytes) -> Iterator[Record]:
    """The records one by one; raises MalformedError at the first that is none."""
    at = 0
    while at < len(data):
        try:
            record, at = _one(data, at)
        except (struct.error, ValueError) as bad:
            raise MalformedError(f"byte {at}") from bad
        yield record


def _one(data: bytes, at: int) -> tuple[Record, int]:
    kind, draw, item, part, wrt, axes = _HEAD.unpack_from(data, at)
    at += _HEAD.size
    match kind:
        case 1:
            return _value(data, at, Record(kind, draw, item, part, wrt), axes)
        case 2 | 5:
            coded, worded = struct.unpack_from("<HH", data, at)
            at += 4
            middle, stop = at + coded, at + coded + worded
            if stop > len(data):
                raise ValueError
            code = data[at:middle].decode("ascii", "replace")
            text = data[middle:stop].decode("utf-8", "replace")
            return Record(kind, draw, item, part, wrt, code=code, text=text), stop
        case 3:
            counts = _TWO.unpack_from(data, at)
            return Record(kind, draw, item, part, wrt, counts=counts), at + _TWO.size
        case 4:
            return Record(kind, draw, item, part, wrt), at
        case _:
            raise ValueError


def _value(data: bytes, at: int, head: Record, axes: int) -> tuple[Record, int]:
    if axes > _MOST_AXES:
        raise ValueError
    shape = struct.unpack_from(f"<{axes}I", data, at)
    at += 4 * axes
    entries = prod(shape)
    stop = at + 8 * entries
    if entries > MOST_ENTRIES or stop > len(data):
        raise ValueError
    numbers = array("d", data[at:stop])
    record = Record(
        head.kind, head.draw, head.item, head.part, head.wrt, shape=shape, numbers=numbers
    )
    return record, stop
