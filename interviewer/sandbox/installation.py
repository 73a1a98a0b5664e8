"""An interpreter with torch for the derivation bench: installed, adopted, found again.

A record in the data folder names it. That is written last and atomically, so an interrupted
installation leaves none and can be repeated.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from interviewer.content.files import put_whole
from interviewer.errors import SandboxError

TORCH = "torch==2.13.0"
"""The same pin as in the extra ``sandbox`` and in constraints.txt."""
CPU_BUILD_SIZE = "200 MB to download, 900 MB on disk"
"""As measured on Linux, with all that it depends on."""
GPU_BUILD_SIZE = "2.7 GB to download, 5 GB on disk"
"""As measured for the build that the usual package index has for Linux."""

Command = tuple[str, ...]

_PIP_SOURCES = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS")
_UV = "uv>=0.7.14"
"""Knows PyTorch's own index of CPU builds."""


@dataclass(frozen=True)
class Installed:
    """The interpreter on record; ``version`` is that of its torch."""

    python: Path
    version: str


_RECORD = TypeAdapter(Installed)


class Installation:
    """What ``sandbox install`` keeps below a data folder. Methods may raise SandboxError."""

    def __init__(self, data_folder: Path) -> None:
        self.folder = data_folder.absolute() / "sandbox"
        self.environment = self.folder / "environment"
        self._record = self.folder / "sandbox.json"

    @property
    def python(self) -> Path:
        """The interpreter of the environment that is installed here."""
        return self.environment / "bin" / "python"

    def recorded(self) -> Installed | None:
        """The interpreter on record if it still exists; a damaged record counts as none."""
        found = self._read_record()
        return found if found and found.python.exists() else None

    def commands(self, index: str | None = None) -> tuple[Command, ...]:
        """The commands that build the environment, in order.

        pip installs torch from ``index``, else from where pip's environment variables point, else
        on Linux uv does, from PyTorch's index of CPU builds.
        """
        # Isolated: a torch that PYTHONPATH shows to pip would not be there for the worker.
        python = (str(self.python), "-I", "-m")
        make = (sys.executable, "-I", "-m", "venv", str(self.environment))
        if index or sys.platform != "linux" or any(map(os.environ.get, _PIP_SOURCES)):
            source = ("--index-url", index) if index else ()
            return make, (*python, "pip", "install", *source, torch_requirement())
        into = ("--python", str(self.python), "--torch-backend", "cpu", torch_requirement())
        by_uv = (*python, "uv", "pip", "install", *into)
        return make, (*python, "pip", "install", _UV), by_uv

    def install(
        self, index: str | None = None, report: Callable[[str], None] | None = None
    ) -> Installed:
        """Build the environment, in place of one built before, and put it on record.

        What the commands print goes to ``report``, a line at a time, else to stderr. If anything
        fails or interrupts it, nothing of the environment stays.
        """
        self._remove_environment()
        try:
            for command in self.commands(index):
                _run(command, report)
            return self.adopt(self.python)
        except BaseException:
            self._remove_environment()
            raise

    def adopt(self, python: Path) -> Installed:
        """Put an interpreter on record that already has torch."""
        kept = inspect_interpreter(python.absolute())
        with _changing(self.folder):
            put_whole(self._record, _RECORD.dump_json(kept))
        return kept

    def _read_record(self) -> Installed | None:
        with suppress(OSError, ValueError):
            return _RECORD.validate_json(self._record.read_bytes())
        return None

    def _remove_environment(self) -> None:
        """Remove the environment, and before it a record that names it."""
        with _changing(self.folder):
            known = self._read_record()
            if known and known.python.is_relative_to(self.environment):
                self._record.unlink()
            if self.environment.exists():
                shutil.rmtree(self.environment)


def torch_requirement() -> str:
    """What is installed: on Linux only the CPU build will do.

    The usual index has GPU libraries with it for Linux; "+cpu" makes an index that has no other
    fail at once instead of delivering gigabytes.
    """
    return f"{TORCH}+cpu" if sys.platform == "linux" else TORCH


def inspect_interpreter(python: Path) -> Installed:
    """Start a worker under the interpreter, which takes some seconds. Raises SandboxError."""
    from interviewer.sandbox.client import Worker  # not needed to read the record

    async def version() -> str:
        async with aclosing(Worker(python)) as worker:
            return (await worker.start()).torch

    return Installed(python, asyncio.run(version()))


def _run(command: Command, report: Callable[[str], None] | None = None) -> None:
    out, err = (subprocess.PIPE, subprocess.STDOUT) if report else (2, None)
    try:
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, text=True, errors="replace"
        ) as running:
            for line in running.stdout or ():
                assert report
                report(line.strip())
    except OSError as error:
        raise SandboxError(f"{command[0]} cannot be run ({error.strerror}).") from error
    if running.returncode:
        where = "" if report else "; its output is above"
        raise SandboxError(
            f"The command '{shlex.join(command)}' ended with code {running.returncode}{where}. "
            f"Try again, name an index that has {torch_requirement()} with --index URL "
            "(PyTorch's installation page gives the address for its CPU build), or use an "
            "interpreter that already has torch with --python PATH."
        )


@contextmanager
def _changing(folder: Path) -> Iterator[None]:
    """Say what keeps the folder from being changed."""
    try:
        yield
    except OSError as error:
        raise SandboxError(
            f"{folder} cannot be changed ({error.strerror or error}); check its permissions and "
            "the disk."
        ) from error
