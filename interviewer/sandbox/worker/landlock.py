"""Landlock: which files a child may see. Built once in the worker, put on by each child.

Everything that the kernel's version can handle is handled, and the only thing granted is reading
below a few folders. Versions add: 2 moving between folders, 3 truncating, 4 TCP, 5 device controls,
6 abstract sockets and signals, 9 sockets with a path.
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from pathlib import Path

from . import kernel

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_FIRST = (1 << 13) - 1
_SINCE = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15), (9, 1 << 16))
_TCP = 0b11
_SCOPES = 0b11


@dataclass(frozen=True)
class Readable:
    """What may be read: folders whose names may be listed, and files and folders with contents."""

    listed: tuple[Path, ...]
    read: tuple[Path, ...]


class _Handled(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """The version of the kernel's Landlock; 0 where there is none or it is switched off."""
    if not kernel.LINUX:
        return 0
    try:
        return kernel.syscall("landlock_create_ruleset", _CREATE, None, 0, 1)
    except OSError:
        return 0


def build(readable: Readable) -> int:
    """A ruleset that grants this and nothing else; its descriptor. Raises OSError."""
    handled = _handled(version())
    ruleset = kernel.syscall(
        "landlock_create_ruleset", _CREATE, ctypes.byref(handled), _size(version()), 0
    )
    for path in readable.listed:
        _grant(ruleset, path, _READ_FOLDER)
    for path in readable.read:
        _grant(ruleset, path, _READ_FILE | _READ_FOLDER)
    return ruleset


def enter(ruleset: int) -> None:
    """Put the ruleset on this process, for good. Raises OSError."""
    kernel.syscall("landlock_restrict_self", _RESTRICT, ruleset, 0)


def _handled(known: int) -> _Handled:
    files = _FIRST
    for since, right in _SINCE:
        files |= right if known >= since else 0
    return _Handled(files, _TCP if known >= 4 else 0, _SCOPES if known >= 6 else 0)


def _size(known: int) -> int:
    """An older kernel refuses a longer structure only if the rest is not zero, but be exact."""
    return 8 if known < 4 else 16 if known < 6 else 24


def _grant(ruleset: int, path: Path, allowed: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        rule = _Beneath(allowed if path.is_dir() else _READ_FILE, descriptor)
        kernel.syscall("landlock_add_rule", _ADD, ruleset, 1, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)
