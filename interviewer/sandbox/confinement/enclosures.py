"""Commands that put a wall round the whole worker: bubblewrap on Linux, sandbox-exec on macOS.

Only the second choice of :mod:`interviewer.sandbox.confinement.tiers`, and never believed without
probes. The macOS profile has not been run by us on a Mac: there, too, the probes decide.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from interviewer.sandbox.confinement.client import START

_PROGRAM = Path(__file__).parents[2]
_SYSTEM = ("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")
_PROFILE = """\
(version 1)
(deny default)
(allow process-fork)
(allow process-exec {interpreters})
(allow signal (target self) (target children))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read* {trees}
  (subpath "/usr/lib") (subpath "/System/Library") (subpath "/private/var/db/dyld")
  (literal "/") (literal "/dev/null") (literal "/dev/random") (literal "/dev/urandom"))
(allow file-write-data (literal "/dev/null"))
{hidden}
"""


def prefix(python: Path) -> tuple[str, ...] | None:
    """The command to start the worker through here; None where the system has none."""
    name = "sandbox-exec" if sys.platform == "darwin" else "bwrap"
    if (command := shutil.which(name)) is None:
        return None
    return _seatbelt(command, python) if name == "sandbox-exec" else _bubblewrap(command, python)


def _bubblewrap(command: str, python: Path) -> tuple[str, ...]:
    roots = [*(Path(each) for each in _SYSTEM if Path(each).exists()), *_trees(python)]
    shown = [part for root in roots for part in ("--ro-bind", str(root), str(root))]
    masked = [part for folder in _own(roots) for part in ("--tmpfs", str(folder))]
    worker = str(START.parent)
    return (
        *(command, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *(*shown, *masked, "--ro-bind", worker, worker),
        *("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/", "--chdir", "/", "--"),
    )


def _seatbelt(command: str, python: Path) -> tuple[str, ...]:
    roots = [*_trees(python), START.parent]
    hidden = "".join(f'(deny file-read-data (subpath "{folder}"))\n' for folder in _own(roots))
    shown = f'(allow file-read* (subpath "{START.parent}"))' if hidden else ""
    profile = _PROFILE.format(
        interpreters=" ".join(f'(literal "{link}")' for link in _links(python)),
        trees=" ".join(f'(subpath "{root}")' for root in roots),
        hidden=hidden + shown,
    )
    return (command, "-p", profile)


def _trees(python: Path) -> list[Path]:
    """The environment of the interpreter, and every installation that its links lead through."""
    return sorted({link.parent.parent for link in _links(python)})


def _links(python: Path) -> list[Path]:
    links = [python]
    while links[-1].is_symlink() and len(links) < 10:
        links.append(links[-1].parent / links[-1].readlink())
    return [*links, python.resolve()]


def _own(roots: list[Path]) -> list[Path]:
    """Folders of this program that lie below one of the roots: they hold the answers."""
    folders = (_PROGRAM, _PROGRAM.parent / "rubrics")
    return [
        folder
        for folder in folders
        if folder.is_dir() and any(folder.is_relative_to(root) for root in roots)
    ]
