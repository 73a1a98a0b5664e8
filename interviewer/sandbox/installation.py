"""An interpreter with torch for the derivation bench: installed, adopted, found again, removed.

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
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from interviewer.content.files import put_whole
from interviewer.errors import SandboxError
from interviewer.sandbox.client import checksum, worker_files

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
_MAX_OUTPUT = 64 * 1024
"""Bytes that are read of what a supposed interpreter prints."""
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
class Interpreter:
    """An interpreter in which torch loads; ``torch`` is its version."""

    python: Path
    torch: str


@dataclass(frozen=True)
class Installed:
    """The interpreter on record.

    ``version`` is that of its torch; ``worker`` is the checksum of the worker's files at the time.
    """

    python: Path
    version: str
    worker: str


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
        self.require_space()
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
        found = inspect_interpreter(python.absolute())
        kept = Installed(found.python, found.torch, worker_checksum())
        record = asdict(kept) | {"python": str(kept.python)}
        try:
            put_whole(self._record, (json.dumps(record) + "\n").encode())
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        return kept

    def require_space(self) -> None:
        """Refuse if the disk is known to be too full."""
        place = next(each for each in (self.folder, *self.folder.parents) if each.exists())
        free = shutil.disk_usage(place).free
        if free < BYTES_ON_DISK * 1.5:
            raise SandboxError(
                f"{place} has {megabytes(free)} free and the installation needs "
                f"{megabytes(int(BYTES_ON_DISK * 1.5))}; free some space, or use an interpreter "
                "that already has torch with --python PATH."
            )

    def remove(self) -> int:
        """Remove what was installed here and return how many bytes that freed.

        An adopted interpreter stays; only its record goes.
        """
        size = self.size()
        self._remove_environment()
        try:
            self._record.unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                self.folder.rmdir()
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        return size

    def exists(self) -> bool:
        """Whether there is anything for :meth:`remove` to remove."""
        return self._record.exists() or os.path.lexists(self.environment)

    def size(self) -> int:
        """The bytes on disk of the environment."""
        return sum(_bytes_on_disk(self.environment))

    def _read_record(self) -> Installed | None:
        try:
            record = json.loads(self._record.read_text("utf-8"))
            return Installed(Path(record["python"]), str(record["version"]), str(record["worker"]))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _remove_environment(self) -> None:
        """Remove the environment, and before it a record that names it."""
        try:
            known = self._read_record()
            if known and known.python.is_relative_to(self.environment):
                self._record.unlink()
            if self.environment.is_symlink():
                self.environment.unlink()
            elif self.environment.exists():
                shutil.rmtree(self.environment)
        except OSError as error:
            raise _unwritable(self.folder, error) from error


def torch_requirement() -> str:
    """What is installed: on Linux only the CPU build will do.

    For macOS the usual package index has a CPU build. Its build for Linux brings the GPU
    libraries and does not load without them; "+cpu" makes an index that has no other fail at once
    instead of delivering gigabytes.
    """
    return f"{TORCH}+cpu" if sys.platform == "linux" else TORCH


def worker_checksum() -> str:
    """Of the files that run under the sandbox's interpreter; it changes with the program."""
    return checksum(worker_files())[:16]


def megabytes(size: int) -> str:
    """A size for people to read."""
    return f"{size / 1024**2:,.0f} MB"


def inspect_interpreter(python: Path) -> Interpreter:
    """Have the interpreter (an absolute path) load torch and report; takes some seconds.

    Raises SandboxError if it does not run, is too old, or has no torch that the worker can use.
    """
    answer = _parsed(_output(python))
    if answer is None:
        raise SandboxError(
            f"{python} does not answer like a Python interpreter; name another with --python PATH."
        )
    if tuple(answer["python"]) < OLDEST_PYTHON:
        version = ".".join(str(part) for part in answer["python"])
        oldest = ".".join(map(str, OLDEST_PYTHON))
        raise SandboxError(f"{python} is Python {version}; name one of {oldest} or later.")
    if answer["trouble"]:
        reason = str(answer["trouble"]).strip().splitlines()[0][:200]
        raise SandboxError(f"torch does not load in {python} ({reason}); reinstall it there.")
    torch = _version(answer["torch"])
    if torch is None or torch < OLDEST_TORCH:
        has = f"only torch {answer['torch']}" if answer["torch"] else "no torch"
        oldest = ".".join(map(str, OLDEST_TORCH))
        raise SandboxError(
            f"{python} has {has}; install torch {oldest} or later there, or let "
            "'interviewer sandbox install' build an environment of its own."
        )
    return Interpreter(Path(answer["path"] or python), str(answer["torch"]))


def _output(python: Path) -> bytes:
    """What the inspection prints, up to a limit in bytes and seconds."""
    try:
        process = subprocess.Popen(
            (python, "-I", "-B", "-c", _INSPECTION),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # a name with a NUL byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise SandboxError(
            f"{python} cannot be run ({reason}); name a Python interpreter that has torch."
        ) from error
    assert process.stdout is not None
    limit = threading.Timer(_INSPECTION_SECONDS, _kill_group, (process,))
    limit.start()
    with process:
        try:
            return process.stdout.read(_MAX_OUTPUT)
        finally:
            limit.cancel()
            _kill_group(process)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _parsed(output: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(output.splitlines()[-1])
        valid = (
            all(isinstance(answer[name], str) for name in ("path", "torch", "trouble"))
            and isinstance(answer["python"], list)
            and all(isinstance(part, int) for part in answer["python"])
        )
    except (ValueError, IndexError, KeyError, TypeError, RecursionError):
        return None
    return answer if valid else None


def _version(text: str) -> tuple[int, int] | None:
    found = re.match(r"(\d{1,6})\.(\d{1,6})", text)
    return (int(found[1]), int(found[2])) if found else None


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


def _bytes_on_disk(folder: Path) -> Iterator[int]:
    """The bytes on disk of each file; a file with several hard links counts once."""
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
    return SandboxError(
        f"{folder} cannot be changed ({reason}); check its permissions and the disk."
    )
