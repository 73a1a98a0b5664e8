"""The walls round a child: planned once in the worker, put up by each child before it does a thing.

Nothing here is optional for a child: a wall of the plan that cannot be put up is an error, and the
child says so and ends instead of going on without it.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from . import kernel, landlock, limits, seccomp

LIMITS, LANDLOCK, SECCOMP = "limits", "landlock", "seccomp"
ALL = (LIMITS, LANDLOCK, SECCOMP)
_PACKAGE_FOLDERS = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Plan:
    """The walls that stand; ``landlock`` is a descriptor, ``memory`` bytes of address space."""

    walls: tuple[str, ...]
    memory: int | None
    landlock: int | None
    seccomp: seccomp.Program | None


def plan(wanted: Iterable[str]) -> Plan:
    """What of the wanted walls this system has. Raises OSError where one is there and fails."""
    walls = [wall for wall in ALL if wall in set(wanted)]
    if LANDLOCK in walls and not landlock.version():
        walls.remove(LANDLOCK)
    if SECCOMP in walls and not seccomp.supported():
        walls.remove(SECCOMP)
    mapped = limits.address_space()
    return Plan(
        tuple(walls),
        None if mapped is None else mapped + limits.MEMORY,
        landlock.build(readable()) if LANDLOCK in walls else None,
        seccomp.build() if SECCOMP in walls else None,
    )


def put_up(plan: Plan) -> None:
    """Confine this process for good. Raises OSError or ValueError naming the wall that failed."""
    if LIMITS in plan.walls:
        limits.apply(plan.memory)
    if kernel.LINUX:
        kernel.give_up_privileges()
    if plan.landlock is not None:
        landlock.enter(plan.landlock)
        os.close(plan.landlock)
    if plan.seccomp is not None:
        seccomp.enter(plan.seccomp)


def readable() -> landlock.Readable:
    """The interpreter's library, and of the installed packages only what torch has loaded.

    Never a whole folder of packages: the program itself, with the challenges' answers, may be
    installed beside torch.
    """
    paths = sysconfig.get_paths()
    libraries = {Path(paths[name]) for name in ("stdlib", "platstdlib")}
    packages = {Path(paths[name]) for name in ("purelib", "platlib")}
    packages |= {Path(folder) for folder in site.getsitepackages()}
    parts = {
        part
        for library in libraries
        for part in library.iterdir()
        if part not in packages and part.name not in _PACKAGE_FOLDERS
    }
    return landlock.Readable(tuple(sorted(libraries)), tuple(sorted(parts | _loaded(packages))))


def _loaded(packages: AbstractSet[Path]) -> set[Path]:
    files = (
        Path(file)
        for name, module in list(sys.modules.items())
        if "." not in name and (file := getattr(module, "__file__", None))
    )
    tops = {file.parent if file.name == "__init__.py" else file for file in files}
    return {top for top in tops if top.parent in packages}
