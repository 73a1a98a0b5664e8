"""An interpreter with torch for the derivation bench: installed, adopted, found again.

The application runs without torch; the check worker runs under an interpreter that has it. A
record in the data folder names that interpreter. It is written last and atomically, so an
interrupted installation leaves no record and can be repeated.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from interviewer.content.files import put_whole
from interviewer.errors import SandboxError

TORCH = "torch==2.13.0"
"""The same pin as in the extra ``sandbox`` and in constraints.txt."""
DOWNLOAD_BYTES = 200 * 1024**2
BYTES_ON_DISK = 900 * 1024**2
"""Both as measured for the CPU build on Linux with all that it depends on."""
GPU_BUILD_SIZE = "2.7 GB to download, 5 GB on disk"
"""As measured for the build that the usual package index has for Linux."""
OLDEST_TORCH = (2, 4)
OLDEST_PYTHON = (3, 11)

Command = tuple[str, ...]

_PIP_SOURCES = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS")
_CPU_BACKEND = ("--torch-backend", "cpu")
"""uv (0.7.14 or later) takes torch from PyTorch's own index of CPU builds."""
_INSPECTION_SECONDS = 120.0
_INSPECTION = """
import json, sys
answer = {"python": list(sys.version_info[:2]), "path": sys.executable, "torch": "", "trouble": ""}
try:
    import torch
    answer["torch"] = str(torch.__version__)
except ModuleNotFoundError as missing:
    answer["trouble"] = "" if missing.name == "torch" else str(missing)
except Exception as broken:
    answer["trouble"] = f"{type(broken).__name__}: {broken}"
print()
print(json.dumps(answer))
"""


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

        pip installs torch from ``index`` if one is given, or from where pip's environment
        variables point. Otherwise uv does, from PyTorch's index of CPU builds, which uv knows.
        """
        place, python = str(self.environment), str(self.python)
        wanted = torch_requirement()
        pip_knows = any(os.environ.get(name) for name in _PIP_SOURCES)
        uv = shutil.which("uv")
        by_uv = ("pip", "install", "--python", python, *_CPU_BACKEND, wanted)
        if uv and not (index or pip_knows):
            return (uv, "venv", "--python", sys.executable, place), (uv, *by_uv)
        # Isolated: a torch that PYTHONPATH shows to pip would not be there for the worker.
        make = (sys.executable, "-I", "-m", "venv", place)
        pip = (python, "-I", "-m", "pip", "install")
        if index or pip_knows or wanted == TORCH:
            return make, (*pip, *(("--index-url", index) if index else ()), wanted)
        return make, (*pip, "uv>=0.7.14"), (python, "-I", "-m", "uv", *by_uv)

    def install(self, index: str | None = None) -> Installed:
        """Build the environment and put it on record; the commands print to stderr.

        It replaces an environment built before. If anything fails or interrupts it, nothing of
        the new environment stays.
        """
        self._remove_environment()
        try:
            for command in self.commands(index):
                _run(command)
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
            if self.environment.is_symlink():
                self.environment.unlink()
            elif self.environment.exists():
                shutil.rmtree(self.environment)


def torch_requirement() -> str:
    """What is installed: on Linux only the CPU build will do.

    For macOS the usual package index has a CPU build. Its build for Linux brings the GPU
    libraries and does not load without them; "+cpu" makes an index that has no other fail at once
    instead of delivering gigabytes.
    """
    return f"{TORCH}+cpu" if sys.platform == "linux" else TORCH


def megabytes(size: int) -> str:
    """A size for people to read."""
    return f"{size / 1024**2:,.0f} MB"


def inspect_interpreter(python: Path) -> Installed:
    """Have the interpreter (an absolute path) load torch and report; takes some seconds.

    Raises SandboxError if it does not run, is too old, or has no torch that the worker can use.
    """
    try:
        answer = json.loads(_output(python).splitlines()[-1])
        version = (int(answer["python"][0]), int(answer["python"][1]))
        path, trouble, torch = (str(answer[name]) for name in ("path", "trouble", "torch"))
    except (ValueError, IndexError, KeyError, TypeError, RecursionError):
        raise SandboxError(
            f"{python} does not answer like a Python interpreter; name another with --python PATH."
        ) from None
    found = re.match(r"(\d{1,6})\.(\d{1,6})", torch)
    known = (int(found[1]), int(found[2])) if found else (0, 0)
    if version < OLDEST_PYTHON or trouble or known < OLDEST_TORCH:
        has = f"torch {torch}" if torch else "no torch"
        reason = f" ({trouble.strip().splitlines()[0][:200]})" if trouble.strip() else ""
        raise SandboxError(
            f"{python} is Python {_dotted(version)} and has {has}{reason}; the bench needs Python "
            f"{_dotted(OLDEST_PYTHON)} and torch {_dotted(OLDEST_TORCH)} or later: name another "
            "interpreter, or let 'interviewer sandbox install' build an environment of its own."
        )
    return Installed(Path(path or python), torch)


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _output(python: Path) -> bytes:
    command = (python, "-I", "-B", "-c", _INSPECTION)
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_INSPECTION_SECONDS,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired:
        return b""
    except (OSError, ValueError) as error:  # a name with a NUL byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise SandboxError(
            f"{python} cannot be run ({reason}); name a Python interpreter that has torch."
        ) from error


def _run(command: Command) -> None:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=2, check=False)
    except OSError as error:
        raise SandboxError(f"{command[0]} cannot be run ({error.strerror}).") from error
    if done.returncode:
        raise SandboxError(
            f"The command '{shlex.join(command)}' ended with code {done.returncode}; its output is "
            f"above. Try again, name an index that has {torch_requirement()} with --index URL "
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
