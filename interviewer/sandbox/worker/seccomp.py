"""A list of the system calls that a child may make; all others fail, and a few end it.

Plain BPF, put together here for x86-64 and AArch64: a program that looks at the architecture, then
at the call's number, then, for some, at an argument. What is not on the list answers "operation not
permitted", so that Python can say so; calls that no honest check makes end the child.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from dataclasses import dataclass

from . import kernel

_KILL, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_MODE_FILTER, _SET_SECCOMP = 2, 22
_X32 = 0x40000000
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# Name: number on x86-64, number on AArch64 (None: not there).
_ALLOWED: dict[str, tuple[int, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "futex": (202, 98),
    "munmap": (11, 215),
    "brk": (12, 214),
    "madvise": (28, 233),
    "close": (3, 57),
    "fstat": (5, 80),
    "newfstatat": (262, 79),
    "stat": (4, None),
    "lstat": (6, None),
    "statx": (332, 291),
    "lseek": (8, 62),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    "getdents64": (217, 61),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "getcwd": (79, 17),
    "dup": (32, 23),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "getcpu": (309, 168),
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getrusage": (98, 165),
    "getrlimit": (97, 163),
    "times": (100, 153),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "getrandom": (318, 278),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "exit": (60, 93),
    "exit_group": (231, 94),
}
_FATAL: dict[str, tuple[int, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
}
_MMAP, _MPROTECT, _MREMAP = (9, 222), (10, 226), (25, 216)
_OPENAT, _OPEN, _FCNTL, _IOCTL = (257, 56), (2, None), (72, 25), (16, 29)
_PRLIMIT, _CLONE3 = (302, 261), (435, 435)
_EXECUTABLE = 0x4
_OPEN_WRITING = 0o3 | 0o100 | 0o1000  # not read-only; create; truncate
_HARMLESS_FCNTL = (1, 2, 3, 1030)  # descriptor flags, status flags (read), duplicate


@dataclass(frozen=True)
class Program:
    """A filter as the kernel takes it; ``code`` holds 8 bytes for each instruction."""

    code: bytes


def supported() -> bool:
    """There is a table for this machine, and the kernel knows the action that ends a process."""
    if not kernel.LINUX or kernel.MACHINE not in _AUDIT or struct.calcsize("P") != 8:
        return False
    number = 317 if kernel.MACHINE == "x86_64" else 277
    action = ctypes.c_uint32(_KILL)
    try:
        kernel.syscall("seccomp", number, 2, 0, ctypes.byref(action))
    except OSError:
        return False
    return True


def build() -> Program:
    """The filter for this machine."""
    return Program(program(kernel.MACHINE))


def enter(filter_: Program) -> None:
    """Put the filter on this process, for good. Raises OSError."""
    code = ctypes.create_string_buffer(filter_.code, len(filter_.code))
    length = len(filter_.code) // 8
    head = ctypes.create_string_buffer(struct.pack("=H6xQ", length, ctypes.addressof(code)))
    kernel.prctl("PR_SET_SECCOMP", _SET_SECCOMP, _MODE_FILTER, ctypes.byref(head))


def program(machine: str) -> bytes:
    """The filter's instructions for ``x86_64`` or ``aarch64``."""
    column = list(_AUDIT).index(machine)
    code = [_op(_LOAD, _ARCHITECTURE), _op(_EQUAL, _AUDIT[machine], 1, 0), _op(_RETURN, _KILL)]
    code += [_op(_LOAD, _NUMBER)]
    if machine == "x86_64":  # the 32-bit pointer variant shares the architecture
        code += [_op(_AT_LEAST, _X32, 0, 1), _op(_RETURN, _KILL)]
    for numbers, verdict in _simple():
        if (number := numbers[column]) is not None:
            code += [_op(_EQUAL, number, 0, 1), _op(_RETURN, verdict)]
    for numbers, block in _looked_at():
        if (number := numbers[column]) is not None:
            code += [_op(_EQUAL, number, 0, len(block)), *block]
    return b"".join([*code, _op(_RETURN, _refusal(errno.EPERM))])


def _simple() -> list[tuple[tuple[int, int | None], int]]:
    return [
        *((numbers, _ALLOW) for numbers in _ALLOWED.values()),
        (_MREMAP, _ALLOW),
        (_CLONE3, _refusal(errno.ENOSYS)),  # the C library then tries clone, which is refused
        (_IOCTL, _refusal(errno.ENOTTY)),
        *((numbers, _KILL) for numbers in _FATAL.values()),
    ]


def _looked_at() -> list[tuple[tuple[int, int | None], list[bytes]]]:
    return [
        (_MMAP, _unless_bits(2, _EXECUTABLE)),
        (_MPROTECT, _unless_bits(2, _EXECUTABLE)),
        (_OPENAT, _unless_bits(2, _OPEN_WRITING)),
        (_OPEN, _unless_bits(1, _OPEN_WRITING)),
        (_FCNTL, _one_of(1, _HARMLESS_FCNTL)),
        (_PRLIMIT, _asking_only()),
    ]


def _unless_bits(argument: int, bits: int) -> list[bytes]:
    """Allowed where none of the bits is set in the argument."""
    return [
        _op(_LOAD, _low(argument)),
        _op(_ANY_BIT, bits, 1, 0),
        _op(_RETURN, _ALLOW),
        _op(_RETURN, _refusal(errno.EPERM)),
    ]


def _one_of(argument: int, values: tuple[int, ...]) -> list[bytes]:
    code = [_op(_LOAD, _low(argument))]
    for value in values:
        code += [_op(_EQUAL, value, 0, 1), _op(_RETURN, _ALLOW)]
    return [*code, _op(_RETURN, _refusal(errno.EPERM))]


def _asking_only() -> list[bytes]:
    """Of ``prlimit64``: about oneself, and with no new limit (both halves of the pointer 0)."""
    code = []
    for offset in (_low(0), _low(2), _low(2) + 4):
        code += [
            _op(_LOAD, offset),
            _op(_EQUAL, 0, 1, 0),
            _op(_RETURN, _refusal(errno.EPERM)),
        ]
    return [*code, _op(_RETURN, _ALLOW)]


def _low(argument: int) -> int:
    """Where the lower half of an argument stands; both machines are little-endian."""
    return 16 + 8 * argument


def _refusal(number: int) -> int:
    return _ERRNO | number


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
