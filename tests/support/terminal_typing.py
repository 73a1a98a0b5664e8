"""A command at a terminal of its own, with something typed into it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys


def typed_at_a_terminal(keys: str, *arguments: str) -> str:
    """What the command prints when these keys are typed ahead."""
    master, slave = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "interviewer", *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        close_fds=True,
    )
    os.close(slave)
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
