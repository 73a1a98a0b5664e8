"""The few calls to the kernel that Python has no name for, by way of the C library."""

from __future__ import annotations

import ctypes
import os
import platform
import sys

LINUX = sys.platform == "linux"
MACHINE = platform.machine()
_SET_PDEATHSIG, _SET_DUMPABLE, _SET_NO_NEW_PRIVS = 1, 4, 38
_library = ctypes.CDLL(None, use_errno=True)


def checked(what: str, result: int) -> int:
    """The result of a call; raises OSError with the call's name where it is negative."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(what: str, number: int, *arguments: object) -> int:
    """A call by number; integers are passed as 64-bit values. Raises OSError."""
    passed = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return checked(what, int(_library.syscall(ctypes.c_long(number), *passed)))


def prctl(what: str, option: int, *arguments: object) -> int:
    """Raises OSError."""
    passed = [ctypes.c_ulong(each) if isinstance(each, int) else each for each in arguments]
    padding = [ctypes.c_ulong(0)] * (4 - len(passed))
    return checked(what, int(_library.prctl(ctypes.c_int(option), *passed, *padding)))


def hide() -> None:
    """Close this process's memory and environment to others of the same user (Linux only)."""
    if LINUX:
        prctl("PR_SET_DUMPABLE", _SET_DUMPABLE, 0)


def die_with_parent(signal: int) -> None:
    """Have this process killed when the one that started it ends (Linux only)."""
    if LINUX:
        prctl("PR_SET_PDEATHSIG", _SET_PDEATHSIG, signal)


def give_up_privileges() -> None:
    """No program started from here gains rights; both walls of the kernel ask for it."""
    prctl("PR_SET_NO_NEW_PRIVS", _SET_NO_NEW_PRIVS, 1)
