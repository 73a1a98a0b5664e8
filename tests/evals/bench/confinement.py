"""Every hostile snippet under every set of walls, as an ordinary user; prints a Markdown table.

    python tests/evals/bench/confinement.py [--designs NAME ...]

X: it did its harm. ``.``: it did not. ``-``: not tried. Started by root, it copies interpreter,
packages and program to a temporary folder and goes on there as a user of its own, so that even
"kill every process of the user" can be let loose; started by anyone else, that one is left out
where nothing would stop it. The last line of the table shows raw output: the program takes control
characters out before anything is shown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from sandbox.hostile.targets import (
    SECONDS,
    Outcome,
    Snippet,
    Targets,
    attempt,
    began,
    snippets,
    victim,
)

from interviewer.sandbox import tiers
from interviewer.sandbox.client import Ended, Worker

USER = 64123
PROJECT = Path(__file__).parents[3]
EVERY_PROCESS = 23
DESIGNS: dict[str, tuple[tuple[str, ...], bool] | None] = {
    "subprocess": None,
    "limits": (("limits",), False),
    "limits, Landlock": (("limits", "landlock"), False),
    "limits, seccomp": (("limits", "seccomp"), False),
    "strict": (("limits", "landlock", "seccomp"), False),
    "bwrap, limits": (("limits",), True),
    "bwrap, limits, seccomp": (("limits", "seccomp"), True),
    "bwrap, strict": (("limits", "landlock", "seccomp"), True),
}
"""Walls, and whether bubblewrap is round the worker."""
_HOST = "import subprocess, sys; subprocess.run([sys.executable, '-I', '-c', sys.argv[1]])"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--designs", nargs="*", default=list(DESIGNS), choices=list(DESIGNS))
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("--only", type=int, nargs="*", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        print(json.dumps(asyncio.run(_column(asked.inside, set(asked.only)))))
        return
    with tempfile.TemporaryDirectory(prefix="mock-bench-") as name:
        place = Path(name)
        command, environment = _as_user(place) if os.getuid() == 0 else _as_oneself(place)
        columns = {design: _measured(design, command, environment) for design in asked.designs}
    _print(columns)


def _print(columns: dict[str, dict[int, str]]) -> None:
    print(f"| # | snippet | {' | '.join(columns)} |")
    print("|---|---|" + "---|" * len(columns))
    for each in snippets():
        cells = [column.get(each["id"], "-") for column in columns.values()]
        print(f"| {each['id']} | {each['title']} | {' | '.join(cells)} |")
    counts = [str(list(column.values()).count("X")) for column in columns.values()]
    print(f"| | **got through, of {len(snippets())}** | {' | '.join(counts)} |")


def _measured(design: str, command: list[str], environment: dict[str, str]) -> dict[int, str]:
    """A column; the snippet that goes for every process runs in a process tree of its own."""
    most = [each["id"] for each in snippets() if each["id"] != EVERY_PROCESS]
    column = _inside(design, most, command, environment) or {}
    walled = (DESIGNS[design] or ((), False))[0]
    if os.getuid() == 0 or "seccomp" in walled:
        alone = _inside(design, [EVERY_PROCESS], command, environment)
        column[EVERY_PROCESS] = "X" if alone is None else alone[EVERY_PROCESS]
    return column


def _inside(
    design: str, numbers: list[int], command: list[str], environment: dict[str, str]
) -> dict[int, str] | None:
    """Run snippets in a process of the user; None where that was killed."""
    user = {"user": USER, "group": USER, "extra_groups": []} if os.getuid() == 0 else {}
    found = subprocess.run(
        [*command, "--inside", design, "--only", *map(str, numbers)],
        env=environment,
        cwd="/",
        stdout=subprocess.PIPE,
        check=False,
        **user,  # type: ignore[call-overload]
    )
    if found.returncode:
        return None
    return {int(number): mark for number, mark in json.loads(found.stdout).items()}


def _as_oneself(place: Path) -> tuple[list[str], dict[str, str]]:
    folders = f"{PROJECT}:{PROJECT / 'tests'}"
    environment = {**os.environ, "PYTHONPATH": folders, "TMPDIR": str(place)}
    return [sys.executable, __file__], environment


def _as_user(place: Path) -> tuple[list[str], dict[str, str]]:
    """Copies that another user can read; hard links where the disk allows it."""
    place.chmod(0o755)
    _copied(Path(sys.base_prefix), place / "base")
    python = place / "base" / "bin" / Path(sys.executable).resolve().name
    if sys.prefix != sys.base_prefix:
        _copied(Path(sys.prefix) / "lib", place / "venv" / "lib")
        (place / "venv" / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
        (place / "venv" / "bin").mkdir()
        (place / "venv" / "bin" / "python").symlink_to(python)
        python = place / "venv" / "bin" / "python"
    for part in ("interviewer", "rubrics", "tests/sandbox", "tests/evals"):
        _copied(PROJECT / part, place / "project" / part)
    own = place / "own"
    own.mkdir()
    os.chown(own, USER, USER)
    project = place / "project"
    script = project / Path(__file__).relative_to(PROJECT)
    environment = {
        "PYTHONPATH": f"{project}:{project / 'tests'}",
        "PATH": "/usr/bin:/bin",
        "TMPDIR": str(own),
    }
    return [str(python), "-B", str(script)], environment


def _copied(source: Path, target: Path) -> None:
    def link(one: str, other: str) -> None:
        try:
            os.link(one, other)
        except OSError:
            shutil.copy(one, other)

    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, target, symlinks=True, copy_function=link, ignore=ignored)


async def _column(design: str, only: set[int]) -> dict[int, str]:
    walls = DESIGNS[design]
    python, worker = Path(sys.executable), None
    if walls is not None:
        prefix = tiers.enclosure(python) if walls[1] else ()
        if prefix is None:
            return {}
        worker = Worker(python, walls=walls[0], prefix=prefix)
        if (await worker.start()).walls != walls[0]:
            return {}
    column = {}
    for snippet in snippets():
        if snippet["id"] in only:
            column[snippet["id"]] = await _cell(snippet, worker)
            if worker is not None and column[snippet["id"]] == "X":
                await worker.aclose()  # what was done to it must not count twice
    if worker is not None:
        await worker.aclose()
    return column


async def _cell(snippet: Snippet, worker: Worker | None) -> str:
    with victim(Path(tempfile.gettempdir())) as (targets, bystander):
        if worker is None:
            outcome = _plain(snippet, targets)
        else:
            outcome = await _confined(snippet, targets, worker)
        return "X" if targets.harmed(snippet, outcome, bystander) else "."


async def _confined(snippet: Snippet, targets: Targets, worker: Worker) -> Outcome:
    begun = time.monotonic()
    seconds = snippet.get("seconds", SECONDS)
    reply = await worker.run(attempt(snippet, targets), seconds=seconds)
    if reply.ended is not Ended.WORKER_DIED and not began(reply):
        raise RuntimeError(f"{snippet['title']} was not run: {reply}")
    return Outcome(
        reply.output + reply.records,
        time.monotonic() - begun,
        answered=reply.ended is Ended.DONE and not reply.records,
        host_died=reply.ended is Ended.WORKER_DIED,
    )


def _plain(snippet: Snippet, targets: Targets) -> Outcome:
    """A child of a host process, with a time limit and nothing else."""
    seconds = snippet.get("seconds", SECONDS)
    command = [sys.executable, "-c", _HOST, targets.fill(snippet["code"])]
    begun = time.monotonic()
    with tempfile.TemporaryFile() as output:
        host = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
        while host.poll() is None and time.monotonic() < begun + seconds:
            time.sleep(0.02)
            if os.fstat(output.fileno()).st_size > 64 << 20:
                break
        died = host.poll() == -signal.SIGKILL
        with suppress(ProcessLookupError):
            os.killpg(host.pid, signal.SIGKILL)
        host.wait()
        output.seek(0)
        text = output.read(8 << 20)
    return Outcome(text, time.monotonic() - begun, b"VERDICT PASS" in text, died)


if __name__ == "__main__":
    main()
