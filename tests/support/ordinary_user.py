"""What root may not do: work done without the power to override the permissions of files."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest

T = TypeVar("T")
_VERSION_3 = 0x20080522
_SYS_CAPSET = {"x86_64": 126, "aarch64": 91}.get(os.uname().machine, 0)


def as_ordinary_user(work: Callable[[], T]) -> T:
    """Do ``work`` as a user to whom permissions apply: for root, in a thread without its powers.

    Skips the test where root cannot lay them down.
    """
    if os.geteuid() != 0:
        return work()
    if not sys.platform.startswith("linux") or not _SYS_CAPSET:
        pytest.skip("root may write everywhere here")

    def without_powers() -> T:
        _lay_down()
        return work()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(without_powers).result()


def _lay_down() -> None:
    """Empty the capability sets of this thread alone, which is what the bare system call does."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    if libc.syscall(_SYS_CAPSET, header, none):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
