"""Every fault of an endpoint in every phase, and good replies cut off at every byte.

    python -m tests.evals endpoint.faults [--fault NAME] [--only matrix|cuts]

The matrix has a row for each fault and a column for each phase; "judge in it" is an interview in
which judging alone is faulty. A cell is a process of its own, and so is the server. Waits between
tries are real.

The cuts break off each connection after every number of bytes, head included, of a stream, of one
in HTTP's own chunks, and of JSON of a told length: what comes must be the whole reply's result, or
a plain sentence with the answer kept. Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path

from evals.figures import Figure, count
from support.fault_phases import PHASES, READ, WITHIN, At, Cell
from support.faults import (
    ENDLESS,
    FAULTS,
    FRAMINGS,
    GOOD,
    Fault,
    Framing,
    answers,
    struck_by,
    whole_reply,
    without_names,
)

from interviewer.examiner.llm.client import new_client
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.store.store import Store

LIMIT = 200.0
"""Megabytes of resident memory, all told."""
CALLS = {"doctor": 3}
"""That a phase makes one after the other, and tells of each; the others have the time of one."""
GRACE = 1.0
"""Seconds beyond a call's deadline for what surrounds the call."""
FORKING = multiprocessing.get_context("fork")
"""A cell begins with everything loaded, so that what it adds is the fault's doing."""


@dataclass(frozen=True)
class Measured:
    """A cell of the matrix."""

    fault: str
    phase: str
    outcome: str
    plain: bool
    """A plain sentence, and one that tells of this fault."""
    kept: bool | None
    seconds: float
    deadline: float
    peak: float
    """Megabytes."""


# -- processes -------------------------------------------------------------------------


def peak_memory() -> float:
    """Megabytes of resident memory at this process's peak."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextmanager
def endpoint(fault: Fault) -> Iterator[str]:
    """The address of a server with this fault, in a process of its own."""
    ours, theirs = FORKING.Pipe()
    server = FORKING.Process(target=_serve, args=(fault, theirs))
    server.start()
    try:
        yield ours.recv()
    finally:
        server.terminate()
        server.join()


def _serve(fault: Fault, told: Connection) -> None:
    async def serve() -> None:
        async with struck_by(fault) as address:
            told.send(address)
            await asyncio.Event().wait()

    asyncio.run(serve())


def _cell(name: str, phase: str, at: At, folder: Path, told: Connection, idle: float) -> None:
    """Run in a process of its own: send the cell."""
    fault = (FAULTS | ENDLESS)[name]
    begun = peak_memory()  # without the pages that it shares with the one it was forked from

    async def strike() -> Cell:
        if fault.nameless:
            without_names()
        return await (PHASES | WITHIN)[phase](at, folder)

    try:
        cell = asyncio.run(strike())
    except Exception as error:  # noqa: BLE001  (whatever it is, it is a cell that failed)
        cell = Cell(phase, repr(error))
    plain = cell.plain and cell.tells_of(fault)
    deadline = fault.patience * CALLS.get(phase, 1)
    peak = idle + peak_memory() - begun
    told.send(Measured(name, phase, cell.outcome, plain, cell.kept, cell.seconds, deadline, peak))


# -- the matrix ------------------------------------------------------------------------


def row(name: str, folder: Path, idle: float) -> list[Measured]:
    """All phases at the same time, each in its process."""
    fault = (FAULTS | ENDLESS)[name]
    cells = []
    with endpoint(fault) as address:
        at = At(address, fault.patience)
        started = []
        for phase in (*PHASES, *WITHIN):
            ours, theirs = FORKING.Pipe()
            place = own_folder(folder)
            process = FORKING.Process(target=_cell, args=(name, phase, at, place, theirs, idle))
            process.start()
            started.append((phase, process, ours))
        for phase, process, ours in started:
            longest = 2 * fault.patience + 60
            if ours.poll(longest):
                cells.append(ours.recv())
            else:
                gone_on = f"went on for more than {longest:g} seconds"
                cells.append(Measured(name, phase, gone_on, False, None, longest, 0.0, 0.0))
                process.kill()
            process.join()
    return cells


def own_folder(folder: Path) -> Path:
    made = Path(tempfile.mkdtemp(dir=folder))
    shutil.copy(folder / "empty.db", made / "sessions.db")
    return made


def summed_up(cells: list[Measured]) -> Iterator[Figure]:
    for name, wrong in (
        ("cells without a plain sentence", [cell for cell in cells if not cell.plain]),
        ("cells over their deadline", [c for c in cells if c.seconds > c.deadline + GRACE]),
        ("cells over the memory", [cell for cell in cells if cell.peak > LIMIT]),
        ("sessions that cannot be resumed", [cell for cell in cells if cell.kept is False]),
    ):
        told = (f"{cell.phase} at {cell.fault}: {cell.outcome}" for cell in wrong)
        yield count(name, told, len(cells))


# -- the cuts --------------------------------------------------------------------------


AT_ONCE = 8
CUT_PHASES = ("judge", "listen", "ask", "grade", "interview")


async def _stay_open() -> None:
    return


async def cut_at_every(
    phase: str, framing: Framing, every: int, address: str, folder: Path
) -> Figure:
    """A phase whose replies break off after every so many bytes; how many cuts went wrong."""
    stages = (phase,) if phase in GOOD else ("judge", "listen", "ask")
    whole_length = max(len(whole_reply(stage, framing)) for stage in stages)
    few = asyncio.Semaphore(AT_ONCE)
    # One that those who share it do not close: to open one takes longer than a call.
    client = new_client(Endpoint(address, None, "tiny"))
    close, client.aclose = client.aclose, _stay_open  # type: ignore[method-assign]

    async def cell(length: int) -> Cell:
        async with few:
            wishes = {"cut": length, "framing": framing}
            at = At(address, http_client=client, wishes=wishes)
            return await PHASES[phase](at, own_folder(folder))

    whole, lengths = await cell(whole_length), range(0, whole_length + 1, every)
    wrong = list[str]()
    for length, cut in zip(lengths, await asyncio.gather(*map(cell, lengths)), strict=True):
        if not cut.plain:
            wrong.append(f"after {length} bytes: {cut.outcome}")
        if cut.kept is False:
            wrong.append(f"after {length} bytes: the answer is not kept")
        if cut.outcome == READ and cut.result != whole.result:
            wrong.append(f"after {length} bytes: something else is read")
    await close()
    return count(f"cuts that went wrong: {phase}, {framing}", wrong, len(lengths))


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=["matrix", "cuts"])
    parser.add_argument("--fault", action="append", help="rows so named, or with this in the name")
    parser.add_argument("--every", type=int, default=1, help="bytes from one cut to the next")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    names = [
        name
        for name in FAULTS | ENDLESS
        if not asked.fault or any(part in name for part in asked.fault)
    ]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with closing(Store(folder / "empty.db")):
            pass
        asyncio.run(_warmed_up(own_folder(folder)))
        if asked.only != "cuts":
            idle = peak_memory()
            yield from summed_up([cell for name in names for cell in row(name, folder, idle)])
        if asked.only != "matrix":
            with endpoint(Fault("", answers)) as address:
                for framing, phase in product(FRAMINGS, CUT_PHASES):
                    yield asyncio.run(cut_at_every(phase, framing, asked.every, address, folder))


async def _warmed_up(folder: Path) -> None:
    async with struck_by(Fault("", answers)) as address:
        await PHASES["interview"](At(address), folder)
