"""Commands at a terminal of their own, with something typed into them."""

from __future__ import annotations

import os
import pty
import subprocess
import sys


def typed_at_a_terminal(keys: str, *arguments: str) -> str:
    """What the program prints when these keys are typed ahead."""
    return in_terminal("-m", "interviewer", *arguments, keys=keys)


def in_terminal(*arguments: str, keys: str = "") -> str:
    """What Python prints with these arguments when a terminal is all around it."""
    master, slave = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        close_fds=True,
    )
    os.close(slave)
    if keys:
        os.write(master, keys.encode())
    printed = b""
    try:
        while chunk := os.read(master, 4096):
            printed += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    finally:
        os.close(master)
        child.wait()
    return printed.decode()
