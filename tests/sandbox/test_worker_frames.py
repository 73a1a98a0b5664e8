"""Frames between the program and its worker, and the filter of system calls, without a worker."""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.sandbox.worker import protocol, walls

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL, EPERM = 0x7FFF0000, 0x80000000, 0x00050001
HEADERS = st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=20), max_size=4)


@given(st.lists(st.tuples(HEADERS, st.binary(max_size=200)), max_size=4), st.integers(1, 50))
def test_frames_come_out_whole_however_they_arrive(
    sent: list[tuple[dict[str, Any], bytes]], step: int
) -> None:
    data = b"".join(protocol.pack_frame(header, body) for header, body in sent)
    buffer = protocol.FrameBuffer(protocol.REQUEST_LIMIT)
    got = []
    for place in range(0, len(data), step):
        got += buffer.feed(data[place : place + step])
    assert got == sent


@given(st.binary(max_size=300))
def test_garbage_is_a_frame_an_error_or_not_yet_anything(data: bytes) -> None:
    with suppress(protocol.FrameError):
        list(protocol.FrameBuffer(1000).feed(data))


def test_a_length_beyond_the_limit_is_refused_before_its_bytes_come() -> None:
    with pytest.raises(protocol.FrameError):
        list(protocol.FrameBuffer(10).feed(struct.pack(">II", 2, 11)))


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_filter_lets_ordinary_calls_through_and_no_others(machine: str) -> None:
    read, write, socket, clone = {
        "x86_64": (0, 1, 41, 56),
        "aarch64": (63, 64, 198, 220),
    }[machine]
    assert verdict(machine, read) == verdict(machine, write) == ALLOW
    assert verdict(machine, socket) == verdict(machine, clone) == EPERM
    assert verdict(machine, 100_000) == EPERM


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_no_file_is_opened_or_looked_at_and_no_page_becomes_code(machine: str) -> None:
    paths = {  # open, openat, stat, lstat, newfstatat, statx, access, faccessat(2), readlink(at)
        "x86_64": (2, 257, 4, 6, 262, 332, 21, 269, 439, 89, 267, 217, 79),
        "aarch64": (56, 79, 291, 48, 439, 78, 61, 17),
    }
    for call in paths[machine]:
        for flags in (0, 0o2000000, 0o10000000, 0o1):
            assert verdict(machine, call, 0, 0, flags) == EPERM
    mmap, mprotect = {"x86_64": (9, 10), "aarch64": (222, 226)}[machine]
    for call in (mmap, mprotect):
        assert verdict(machine, call, 0, 0, 0x3) == ALLOW
        assert verdict(machine, call, 0, 0, 0x5) == EPERM


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_limits_are_asked_for_and_not_set(machine: str) -> None:
    prlimit = {"x86_64": 302, "aarch64": 261}[machine]
    assert verdict(machine, prlimit, 0, 7, 0, 1) == ALLOW
    assert verdict(machine, prlimit, 4321, 7, 0, 1) == EPERM
    assert verdict(machine, prlimit, 0, 7, 1, 0) == EPERM
    assert verdict(machine, prlimit, 0, 7, 1 << 32, 0) == EPERM


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_another_machine_s_calls_and_the_worst_ones_end_the_process(machine: str) -> None:
    ptrace = {"x86_64": 101, "aarch64": 117}[machine]
    assert verdict(machine, ptrace) == KILL
    assert verdict(machine, 0, architecture=0x40000003) == KILL


def test_the_short_pointer_calls_of_x86_end_the_process() -> None:
    assert verdict("x86_64", 0x40000000) == KILL


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
