"""Resource limits of a child: amounts only, they say nothing of files or the network."""

from __future__ import annotations

import resource
from pathlib import Path

from .frames import MOST_SECONDS

MEMORY = 1024 * 1024 * 1024
"""Bytes of address space that a child may take beyond what the worker has."""
FILES = 32
"""Descriptors; a child needs six."""


def apply(memory: int | None) -> None:
    """Put the limits on this process. ``memory`` bounds the address space where given, in bytes."""
    _set("RLIMIT_CPU", int(MOST_SECONDS) + 5)
    for name in ("FSIZE", "CORE", "MEMLOCK", "NPROC", "MSGQUEUE"):
        _set(f"RLIMIT_{name}", 0)
    _set("RLIMIT_NOFILE", FILES)
    if memory is not None:
        _set("RLIMIT_AS", memory)


def address_space() -> int | None:
    """How much this process has mapped, in bytes; None where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return pages * resource.getpagesize()


def _set(name: str, amount: int) -> None:
    number = getattr(resource, name, None)
    if number is not None:
        resource.setrlimit(number, (amount, amount))
