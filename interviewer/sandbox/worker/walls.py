"""Confinement of a child: limits, Landlock, seccomp. Planned in the worker, applied in the child.

Nothing here is optional: if a wall of the plan cannot be put up, the child reports an error and
exits instead of going on without it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

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


# Limits: amounts only; they do not cover files or the network

MEMORY = 1024 * 1024 * 1024
"""Bytes of address space that a child may take beyond what the worker has."""
CPU_SECONDS = 65
"""Beyond the longest time that a check is given."""
FILES = 32
"""Descriptors; a child needs six."""


def apply_limits(memory: int | None) -> None:
    """Limit this process. ``memory`` bounds the address space, in bytes, if given."""
    _limit("RLIMIT_CPU", CPU_SECONDS)
    for name in ("FSIZE", "CORE", "MEMLOCK", "NPROC", "MSGQUEUE"):
        _limit(f"RLIMIT_{name}", 0)
    _limit("RLIMIT_NOFILE", FILES)
    if memory is not None:
        _limit("RLIMIT_AS", memory)


def address_space() -> int | None:
    """How much this process has mapped, in bytes; None if the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return pages * resource.getpagesize()


def _limit(name: str, amount: int) -> None:
    number = getattr(resource, name, None)
    if number is not None:
        resource.setrlimit(number, (amount, amount))


# Landlock

_CREATE, _RESTRICT = 444, 446
_FILE_RIGHTS = (1 << 13) - 1
_RIGHTS_SINCE = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15), (9, 1 << 16))
_TCP = 0b11
_SCOPES = 0b11


class _Handled(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


def landlock_version() -> int:
    """The version of the kernel's Landlock; 0 if it is missing or switched off."""
    if not LINUX:
        return 0
    try:
        return syscall("landlock_create_ruleset", _CREATE, None, 0, 1)
    except OSError:
        return 0


def build_ruleset() -> int:
    """A ruleset that grants nothing; its descriptor. Raises OSError."""
    known = landlock_version()
    files = _FILE_RIGHTS | sum(right for since, right in _RIGHTS_SINCE if known >= since)
    handled = _Handled(files, _TCP if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    # Older kernels refuse a longer structure only if the rest is not zero, but be exact.
    size = 8 if known < 4 else 16 if known < 6 else 24
    return syscall("landlock_create_ruleset", _CREATE, ctypes.byref(handled), size, 0)


def enter_ruleset(ruleset: int) -> None:
    """Put the ruleset on this process, for good. Raises OSError."""
    syscall("landlock_restrict_self", _RESTRICT, ruleset, 0)


# seccomp

_KILL, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_MODE_FILTER, _SET_SECCOMP = 2, 22
_X32 = 0x40000000
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def _numbers(table: str) -> list[tuple[int, int | None]]:
    """The numbers of system calls on x86-64 and on AArch64; a dash where a call is missing."""
    words = table.split()
    return [
        (int(first), None if second == "-" else int(second))
        for first, second in zip(words[1::3], words[2::3], strict=True)
    ]


_ALLOWED = _numbers("""
read 0 63  write 1 64  futex 202 98  munmap 11 215  brk 12 214  madvise 28 233  close 3 57
fstat 5 80  lseek 8 62  readv 19 65  writev 20 66  pread64 17 67
rt_sigaction 13 134  rt_sigprocmask 14 135  rt_sigreturn 15 139
sigaltstack 131 132  restart_syscall 219 128  dup 32 23  sched_yield 24 124
sched_getaffinity 204 123  getcpu 309 168  getpid 39 172  gettid 186 178  getppid 110 173
getuid 102 174  geteuid 107 175  getgid 104 176  getegid 108 177  uname 63 160  sysinfo 99 179
getrusage 98 165  getrlimit 97 163  times 100 153  clock_gettime 228 113  clock_getres 229 114
clock_nanosleep 230 115  nanosleep 35 101  gettimeofday 96 169  time 201 -  getrandom 318 278
poll 7 -  ppoll 271 73  select 23 -  pselect6 270 72  exit 60 93  exit_group 231 94
""")
_MMAP, _MPROTECT, _MREMAP = (9, 222), (10, 226), (25, 216)
_FCNTL, _IOCTL = (72, 25), (16, 29)
_PRLIMIT, _CLONE3 = (302, 261), (435, 435)
_EXECUTABLE = 0x4
_HARMLESS_FCNTL = (1, 2, 3, 1030)  # descriptor flags, status flags (read), duplicate


def has_seccomp() -> bool:
    """There is a table for this machine, and the kernel knows the action that ends a process."""
    if not LINUX or MACHINE not in _AUDIT or struct.calcsize("P") != 8:
        return False
    number = 317 if MACHINE == "x86_64" else 277
    action = ctypes.c_uint32(_KILL)
    try:
        syscall("seccomp", number, 2, 0, ctypes.byref(action))
    except OSError:
        return False
    return True


def enter_filter(filter_: bytes) -> None:
    """Put the filter on this process, for good. Raises OSError."""
    code = ctypes.create_string_buffer(filter_, len(filter_))
    length = len(filter_) // 8
    head = ctypes.create_string_buffer(struct.pack("=H6xQ", length, ctypes.addressof(code)))
    prctl("PR_SET_SECCOMP", _SET_SECCOMP, _MODE_FILTER, ctypes.byref(head))


def seccomp_filter(machine: str) -> bytes:
    """The filter's instructions for ``x86_64`` or ``aarch64``."""
    column = list(_AUDIT).index(machine)
    code = [_op(_LOAD, _ARCHITECTURE), _op(_EQUAL, _AUDIT[machine], 1, 0), _op(_RETURN, _KILL)]
    code += [_op(_LOAD, _NUMBER)]
    if machine == "x86_64":  # the 32-bit pointer variant shares the architecture
        code += [_op(_AT_LEAST, _X32, 0, 1), _op(_RETURN, _KILL)]
    simple = [
        *((numbers, _ALLOW) for numbers in (*_ALLOWED, _MREMAP)),
        (_CLONE3, _ERRNO | errno.ENOSYS),  # the C library then tries clone, which is refused
        (_IOCTL, _ERRNO | errno.ENOTTY),
    ]
    looked_at = [
        (_MMAP, _unless_bits(2, _EXECUTABLE)),
        (_MPROTECT, _unless_bits(2, _EXECUTABLE)),
        (_FCNTL, _one_of(1, _HARMLESS_FCNTL)),
        (_PRLIMIT, _asking_only()),
    ]
    blocks = [*((numbers, [_op(_RETURN, verdict)]) for numbers, verdict in simple), *looked_at]
    for numbers, block in blocks:
        if (number := numbers[column]) is not None:
            code += [_op(_EQUAL, number, 0, len(block)), *block]
    return b"".join([*code, _REFUSE])


def _unless_bits(argument: int, bits: int) -> list[bytes]:
    """Allowed where none of the bits is set in the argument."""
    test = [_op(_LOAD, _low(argument)), _op(_ANY_BIT, bits, 1, 0)]
    return [*test, _op(_RETURN, _ALLOW), _REFUSE]


def _one_of(argument: int, values: tuple[int, ...]) -> list[bytes]:
    code = [_op(_LOAD, _low(argument))]
    for value in values:
        code += [_op(_EQUAL, value, 0, 1), _op(_RETURN, _ALLOW)]
    return [*code, _REFUSE]


def _asking_only() -> list[bytes]:
    """Of ``prlimit64``: about oneself, and with no new limit (both halves of the pointer 0)."""
    code = []
    for offset in (_low(0), _low(2), _low(2) + 4):
        code += [_op(_LOAD, offset), _op(_EQUAL, 0, 1, 0), _REFUSE]
    return [*code, _op(_RETURN, _ALLOW)]


def _low(argument: int) -> int:
    """Where the lower half of an argument stands; both machines are little-endian."""
    return 16 + 8 * argument


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


_REFUSE = _op(_RETURN, _ERRNO | errno.EPERM)

# The plan

LIMITS, LANDLOCK, SECCOMP = "limits", "landlock", "seccomp"
ALL = (LIMITS, LANDLOCK, SECCOMP)


@dataclass(frozen=True)
class WallPlan:
    """The walls to put up; ``landlock`` is a descriptor, ``memory`` bytes of address space."""

    walls: tuple[str, ...]
    memory: int | None
    landlock: int | None
    seccomp: bytes | None


def plan_walls(wanted: Iterable[str]) -> WallPlan:
    """The wanted walls that this system has. Raises OSError if one exists but fails."""
    walls = [wall for wall in ALL if wall in set(wanted)]
    if LANDLOCK in walls and not landlock_version():
        walls.remove(LANDLOCK)
    if SECCOMP in walls and not has_seccomp():
        walls.remove(SECCOMP)
    mapped = address_space()
    return WallPlan(
        tuple(walls),
        None if mapped is None else mapped + MEMORY,
        build_ruleset() if LANDLOCK in walls else None,
        seccomp_filter(MACHINE) if SECCOMP in walls else None,
    )


def put_up(plan: WallPlan) -> None:
    """Confine this process for good. Raises OSError or ValueError naming the wall that failed."""
    if LIMITS in plan.walls:
        apply_limits(plan.memory)
    if LINUX:  # no program started from here gains any; Landlock and seccomp both require it
        prctl("PR_SET_NO_NEW_PRIVS", _SET_NO_NEW_PRIVS, 1)
    if plan.landlock is not None:
        enter_ruleset(plan.landlock)
        os.close(plan.landlock)
    if plan.seccomp is not None:
        enter_filter(plan.seccomp)
