"""The filter of system calls, without a worker."""

from __future__ import annotations

import struct

import pytest

from interviewer.sandbox.worker import walls

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL, EPERM = 0x7FFF0000, 0x80000000, 0x00050001

CALLS = {  # no file is opened or looked at: open, openat, stat, statx, access, readlink, …
    "x86_64": {
        **{"allowed": (0, 1), "refused": (41, 56, 100_000), "mapping": (9, 10)},
        "paths": (2, 257, 4, 6, 262, 332, 21, 269, 439, 89, 267, 217, 79),
        "prlimit": (302,),
    },
    "aarch64": {
        **{"allowed": (63, 64), "refused": (198, 220, 100_000), "mapping": (222, 226)},
        "paths": (56, 79, 291, 48, 439, 78, 61, 17),
        "prlimit": (261,),
    },
}


@pytest.mark.parametrize("machine", CALLS)
def test_the_filter_lets_ordinary_calls_through_and_no_others(machine: str) -> None:
    calls = CALLS[machine]
    assert {verdict(machine, call) for call in calls["allowed"]} == {ALLOW}
    assert {verdict(machine, call) for call in calls["refused"]} == {EPERM}
    flags = (0, 0o2000000, 0o10000000, 0o1)
    opened = {verdict(machine, call, 0, 0, flag) for call in calls["paths"] for flag in flags}
    assert opened == {EPERM}
    for call in calls["mapping"]:  # no page becomes code
        assert verdict(machine, call, 0, 0, 0x3) == ALLOW
        assert verdict(machine, call, 0, 0, 0x5) == EPERM
    (prlimit,) = calls["prlimit"]  # limits are asked for and not set
    assert verdict(machine, prlimit, 0, 7, 0, 1) == ALLOW
    others = [(4321, 7, 0, 1), (0, 7, 1, 0), (0, 7, 1 << 32, 0)]
    assert {verdict(machine, prlimit, *other) for other in others} == {EPERM}
    assert verdict(machine, 0, architecture=0x40000003) == KILL
    assert verdict("x86_64", 0x40000000) == KILL, "the short pointer calls of x86"


def verdict(machine: str, number: int, *arguments: int, architecture: int = 0) -> int:
    """What the filter answers, worked out step by step as the kernel does."""
    call = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, architecture or ARCHITECTURES[machine], 0, *call)
    code = list(struct.iter_unpack("=HBBI", walls.seccomp_filter(machine)))
    place = held = 0
    while True:
        operation, if_true, if_false, value = code[place]
        place += 1
        if operation == 0x06:
            return int(value)
        if operation == 0x20:
            (held,) = struct.unpack_from("<I", data, value)
            continue
        met = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[operation]
        place += if_true if met else if_false
