"""The bench's own environment: made, adopted, found again and removed.

The application does without torch. What runs the worker is an interpreter elsewhere; a record in
the data folder says which. The record is written last and whole, so that an interrupted
installation leaves none and can be repeated.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from interviewer.errors import SandboxError
from interviewer.rubric.writing import put_whole
from interviewer.sandbox.confinement.client import checksum, worker_files
from interviewer.sandbox.installation.interpreters import Interpreter, look_at

TORCH = "torch==2.13.0"
"""What is installed; the extra ``sandbox`` of the package and constraints.txt name the same."""
BYTES_ON_DISK = 900 * 1024**2
"""What the environment takes without GPU libraries."""

Command = tuple[str, ...]

_RECORD = "sandbox.json"
_ENVIRONMENT = "environment"


@dataclass(frozen=True)
class Installed:
    """The interpreter on record.

    ``version`` is that of its torch. ``worker`` is the checksum of the worker's files at the time.
    """

    python: Path
    version: str
    worker: str


class Installation:
    """What ``sandbox install`` makes below a data folder. Every method may raise SandboxError."""

    def __init__(self, data_folder: Path) -> None:
        self.folder = data_folder.absolute() / "sandbox"
        self.environment = self.folder / _ENVIRONMENT
        self._record = self.folder / _RECORD

    @property
    def python(self) -> Path:
        """The interpreter of the environment made here."""
        return self.environment / "bin" / "python"

    def recorded(self) -> Installed | None:
        """The interpreter on record, if it is still there; a damaged record counts as none."""
        found = self._read()
        return found if found and found.python.exists() else None

    def commands(self, index: str | None = None) -> tuple[Command, ...]:
        """What makes the environment, in order. ``index`` is where packages are looked for."""
        place, python = str(self.environment), str(self.python)
        further = ("--index-url", index) if index else ()
        if uv := shutil.which("uv"):
            return (
                (uv, "venv", "--python", sys.executable, place),
                (uv, "pip", "install", "--python", python, *further, TORCH),
            )
        # Isolated: a torch that PYTHONPATH shows to pip would be none for the worker.
        return (
            (sys.executable, "-I", "-m", "venv", place),
            (python, "-I", "-m", "pip", "install", *further, TORCH),
        )

    def install(self, index: str | None = None) -> Installed:
        """Make the environment and put it on record; the commands print to stderr.

        An environment made before goes first. Where this ends early, an interrupt included,
        nothing of the new one stays.
        """
        self.require_room()
        self._clear()
        try:
            for command in self.commands(index):
                _run(command)
            return self.adopt(self.python)
        except BaseException:
            self._clear()
            raise

    def adopt(self, python: Path) -> Installed:
        """Put an interpreter on record that has torch already."""
        return self._keep(look_at(python.absolute()))

    def require_room(self) -> None:
        """Refuse where the disk is known to be too full."""
        place = next(each for each in (self.folder, *self.folder.parents) if each.exists())
        free = shutil.disk_usage(place).free
        if free < BYTES_ON_DISK * 1.5:
            raise SandboxError(
                f"{place} has {in_megabytes(free)} free and the installation needs "
                f"{in_megabytes(int(BYTES_ON_DISK * 1.5))}; make room, or adopt an interpreter "
                "that has torch with --python."
            )

    def remove(self) -> int:
        """Take away what was made here, and tell how many bytes that was.

        An adopted interpreter stays; only the record of it goes.
        """
        size = self.size()
        self._clear()
        try:
            self._record.unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                self.folder.rmdir()
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        return size

    def anything(self) -> bool:
        """There is something that :meth:`remove` would take away."""
        return self._record.exists() or os.path.lexists(self.environment)

    def size(self) -> int:
        """The bytes on disk of the environment made here."""
        return sum(_blocks(self.environment))

    def _read(self) -> Installed | None:
        try:
            told = json.loads(self._record.read_text("utf-8"))
            return Installed(Path(told["python"]), str(told["version"]), str(told["worker"]))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _keep(self, found: Interpreter) -> Installed:
        kept = Installed(found.python, found.torch, worker_checksum())
        told = asdict(kept) | {"python": str(kept.python)}
        try:
            put_whole(self._record, (json.dumps(told) + "\n").encode())
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        return kept

    def _clear(self) -> None:
        """Take the environment away, and a record of it before."""
        try:
            known = self._read()
            if known and known.python.is_relative_to(self.environment):
                self._record.unlink()
            if self.environment.is_symlink():
                self.environment.unlink()
            elif self.environment.exists():
                shutil.rmtree(self.environment)
        except OSError as error:
            raise _unwritable(self.folder, error) from error


def worker_checksum() -> str:
    """Of the files that run under the sandbox's interpreter; it changes with the program."""
    return checksum(worker_files())[:16]


def in_megabytes(size: int) -> str:
    """The size as people read it."""
    return f"{size / 1024**2:,.0f} MB"


def _run(command: Command) -> None:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=2, check=False)
    except OSError as error:
        raise SandboxError(f"{command[0]} cannot be run ({error.strerror}).") from error
    if done.returncode:
        raise SandboxError(
            f"The command '{' '.join(command)}' ended with code {done.returncode}; mend what it "
            "names above and try again, or adopt an interpreter that has torch with --python."
        )


def _blocks(folder: Path) -> Iterator[int]:
    """Bytes on disk of each file; one that several names share counts once."""
    seen: set[tuple[int, int]] = set()
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                found = (Path(place) / name).lstat()
                if (found.st_dev, found.st_ino) not in seen:
                    seen.add((found.st_dev, found.st_ino))
                    yield found.st_blocks * 512


def _unwritable(folder: Path, error: OSError) -> SandboxError:
    reason = error.strerror or str(error)
    return SandboxError(f"{folder} cannot be changed ({reason}); check its rights and the disk.")
