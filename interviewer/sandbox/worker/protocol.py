"""What is said in the worker: between client and zygote, by a job, and between two children.

Records of a job and calls between children are lines of JSON; the numbers of a tensor are doubles
in row-major order, as base64. The standard library only: the program reads them without torch.
"""

from __future__ import annotations

import json
import struct
from array import array
from base64 import b64decode, b64encode
from math import prod
from typing import Any

MESSAGE_LIMIT = 16 * 1024 * 1024
RECORDS_LIMIT = 12 * 1024 * 1024
OUTPUT_LIMIT = 64 * 1024
"""Bytes that come from a child: a message to the other one, all records, all prints."""
READY, FINISHED, REFUSED = b"R", b"F", b"X"
"""What a child says about itself."""
ASKED = struct.Struct(">cii")
"""Between client and zygote: a letter and two numbers, and in answer the same letter, or x."""
FORK, END = b"f", b"e"
DERIVATIVES = frozenset({"grad", "autograd", "backward"})
"""Names that forbid every way to a derivative."""
PIPES = 4
"""Of each child to the client: its job, what it prints, its records, how far it is."""


class GarbledError(Exception):
    """Bytes that make no sense; nothing after them can be trusted either."""


PROPERTIES, STEPS, VISITS, WRONG_STEPS, LANDMARKS = 1000, 2000, 3000, 4000, 5000
"""First item number of each kind; functions and statements count from 0."""
MOST_ENTRIES = 400_000
LONGEST_TEXT = 400


MOST_AXES = 8


def pack_line(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def read_line(line: bytes) -> dict[str, Any]:
    """Raises GarbledError."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise GarbledError("a line that is not JSON") from error
    if not isinstance(fields, dict):
        raise GarbledError("a line without fields")
    return fields


def pack_record(kind: str, draw: int = 0, item: int = 0, part: int = 0, **fields: Any) -> bytes:
    """One record: a line about a part of an item in a draw. Kinds and their fields:

    ``value`` has a shape and entries, and ``gradients`` of its projection, one for each input or
    None; ``error`` says why there is no value by a code and a text; ``end`` says that the job ran
    to its end.
    """
    if "text" in fields:
        fields["text"] = str(fields["text"])[:LONGEST_TEXT]
    return pack_line({"kind": kind, "draw": draw, "item": item, "part": part, **fields})


def pack_numbers(shape: tuple[int, ...], entries: list[Any]) -> dict[str, Any]:
    """The fields of a tensor."""
    return {"shape": list(shape), "entries": b64encode(array("d", entries)).decode()}


def read_numbers(fields: dict[str, Any]) -> tuple[tuple[int, ...], array[float]]:
    """Shape and entries. Raises GarbledError for anything else: who sent it may lie."""
    sizes = tuple(read_counts(fields.get("shape")))
    if len(sizes) > MOST_AXES or prod(sizes) > MOST_ENTRIES:
        raise GarbledError("a tensor that is too large")
    try:
        entries = array("d", b64decode(fields["entries"], validate=True))
    except (KeyError, TypeError, ValueError) as error:
        raise GarbledError("a tensor without its entries") from error
    if len(entries) != prod(sizes):
        raise GarbledError("a tensor with other entries than its shape says")
    return sizes, entries


def read_counts(values: Any) -> list[int]:
    """Numbers from 0 up. Raises GarbledError for anything else."""
    if not isinstance(values, list) or not all(type(each) is int and each >= 0 for each in values):
        raise GarbledError("numbers that make no sense")
    return list(values)
