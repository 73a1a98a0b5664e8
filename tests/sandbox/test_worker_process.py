"""The worker as a process: started, asked, killed, cancelled, left alone."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import shutil
import signal
import sys
import time
import venv
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from sandbox.hostile.targets import job
from support.tables import table

import rubrics
from interviewer.errors import SandboxError
from interviewer.sandbox import client
from interviewer.sandbox.children import Ended
from interviewer.sandbox.client import Worker
from interviewer.sandbox.jobs import read_records
from interviewer.sandbox.worker import protocol

ENDLESS = job("while True:\n    pass")
ONES = job("def f():\n    return torch.ones(2)")
HERE = Path(sys.executable)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def worker() -> AsyncIterator[Worker]:
    worker = Worker(HERE)
    try:
        await worker.start()
    except SandboxError as error:
        pytest.skip(f"needs torch: {error}")
    yield worker
    await worker.aclose()


in_module_loop = pytest.mark.asyncio(loop_scope="module")


@in_module_loop
async def test_what_is_printed_comes_back_and_has_a_cap(worker: Worker) -> None:
    short = await worker.run(job("print('naïve')\ndef f():\n    return 1.0"), seconds=10)
    assert short.output.decode() == "naïve\n"
    flood = await worker.run(job("while True:\n    print('x' * 999)"), seconds=10)
    assert flood.ended is Ended.OUTPUT
    assert 0 < len(flood.output) <= protocol.OUTPUT_LIMIT


@in_module_loop
@pytest.mark.parametrize(
    ("code", "ended", "says"),
    [
        ("while True:\n    pass", Ended.TIME, "0.5 seconds"),
        ("import os\nos._exit(0)", Ended.EXIT, "before there was a result"),
        ("import ctypes\nctypes.string_at(0)", Ended.SIGNAL, "SIGSEGV"),
        ("import os\nos.closerange(0, 9)\nwhile True:\n    pass", Ended.SIGNAL, "SIGKILL"),
    ],
)
async def test_an_end_without_numbers_is_told_apart(
    worker: Worker, code: str, ended: Ended, says: str
) -> None:
    reply = await worker.run(job(code), seconds=0.5)
    assert reply.ended is ended
    assert says in reply.message


@in_module_loop
async def test_saying_that_one_is_finished_brings_no_more_than_was_answered(
    worker: Worker,
) -> None:
    forged = "import os\nos.write(4, b'F')\nwhile True:\n    pass"
    reply = await worker.run(job(forged), seconds=5)
    assert reply.ended is Ended.DONE
    assert reply.records == b""


@in_module_loop
async def test_nothing_is_left_of_a_check_for_the_next(worker: Worker) -> None:
    await worker.run(job("import math\nmath.pi = 3\ntorch.ones = None"), seconds=5)
    reply = await worker.run(
        job("import math\ndef f():\n    return torch.ones(2) * math.pi"), seconds=5
    )
    value = read_records(reply.records).values[0, 0, 0]
    assert list(value.itself.entries) == pytest.approx([3.14159265] * 2)


@in_module_loop
async def test_a_large_job_is_handed_over(worker: Worker) -> None:
    assert (await worker.run(ONES + b" " * (3 << 20), seconds=10)).ended is Ended.DONE


@in_module_loop
async def test_cancelling_ends_the_check_and_keeps_the_worker(worker: Worker) -> None:
    before = (await worker.start()).pid
    checking = asyncio.create_task(worker.run(ENDLESS, seconds=60))
    child = await busy_child(before)
    checking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await checking
    assert (await worker.run(ONES, seconds=10)).ended is Ended.DONE
    assert (await worker.start()).pid == before
    assert not alive(child)


@in_module_loop
async def test_a_killed_worker_is_told_and_replaced(worker: Worker) -> None:
    before = (await worker.start()).pid
    checking = asyncio.create_task(worker.run(ENDLESS, seconds=60))
    child = await busy_child(before)
    os.kill(before, signal.SIGKILL)
    reply = await checking
    assert reply.ended is Ended.WORKER_DIED
    assert reply.message.startswith("The check worker died")
    await gone(child)
    assert (await worker.run(ONES, seconds=10)).ended is Ended.DONE
    assert (await worker.start()).pid != before


@in_module_loop
@pytest.mark.parametrize("whom", ["worker", "child"])
async def test_who_is_killed_while_idle_is_replaced_without_a_word(
    worker: Worker, whom: str
) -> None:
    pid = (await worker.start()).pid
    await worker.run(ONES, seconds=10)
    killed = pid if whom == "worker" else await child_of(pid)
    os.kill(killed, signal.SIGKILL)
    await gone(killed)
    await asyncio.sleep(0.2)
    assert (await worker.run(ONES, seconds=10)).ended is Ended.DONE
    assert ((await worker.start()).pid == pid) is (whom == "child")


@in_module_loop
async def test_a_worker_that_can_fork_no_more_says_so_and_recovers(worker: Worker) -> None:
    pid = (await worker.start()).pid
    await child_of(pid)
    before = footprint(pid)[0]
    usual = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (before + 2, usual[1]))
    for _ in range(4):  # a pair may have been ready, and half of another
        reply = await worker.run(ONES, seconds=10)
        if reply.ended is Ended.REFUSED:
            break
    resource.prlimit(pid, resource.RLIMIT_NOFILE, usual)
    assert reply.ended is Ended.REFUSED
    assert "no process could be forked" in reply.message
    assert (await worker.run(ONES, seconds=10)).ended is Ended.DONE
    await child_of(pid)
    assert footprint(pid)[0] == before


@in_module_loop
@pytest.mark.parametrize(
    "path",
    [client.__file__, rubrics.__file__, "/etc/passwd", "/proc/self/environ", "/proc/self/maps"],
)
async def test_neither_answers_nor_the_system_can_be_read(worker: Worker, path: str) -> None:
    reply = await worker.run(job(f"text = open({path!r}).read()"), seconds=5)
    assert "PermissionError" in read_records(reply.records).faults[0, 0, 0].text


@in_module_loop
@pytest.mark.parametrize("expression", table("worker", __file__)["ordinary"])
async def test_ordinary_work_goes_through_all_walls(worker: Worker, expression: str) -> None:
    code = (
        "def f():\n    x = torch.randn(4, 4, dtype=torch.float64, requires_grad=True)\n"
        f"    return {expression}"
    )
    reply = await worker.run(job(code), seconds=20)
    found = read_records(reply.records)
    assert (reply.ended, list(found.values), found.faults) == (Ended.DONE, [(0, 0, 0)], {})


@in_module_loop
async def test_a_hundred_checks_leave_nothing_behind(worker: Worker) -> None:
    pid = (await worker.start()).pid
    for _ in range(10):
        await worker.run(ONES, seconds=10)
    await worker.start()  # which waits until the last one is cleared away
    await child_of(pid)
    before = footprint(pid), footprint(os.getpid())[0]
    for _ in range(100):
        assert (await worker.run(ONES, seconds=10)).ended is Ended.DONE
    await worker.start()
    await child_of(pid)
    await until(lambda: footprint(pid)[0] == before[0][0])
    (descriptors, memory), own = footprint(pid), footprint(os.getpid())[0]
    assert (descriptors, own) == (before[0][0], before[1])
    assert memory < before[0][1] + 4 * 1024
    assert len(children(pid)) <= 3, "a pair and half of another"


async def test_a_program_that_is_killed_takes_the_worker_along() -> None:
    program = (
        "import asyncio, sys\nfrom pathlib import Path\n"
        "from interviewer.sandbox.client import Worker\n"
        "async def main():\n"
        "    worker = Worker(Path(sys.executable))\n"
        "    print((await worker.start()).pid, flush=True)\n"
        "    await asyncio.sleep(100)\n"
        "asyncio.run(main())"
    )
    process = await asyncio.create_subprocess_exec(
        HERE, "-c", program, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    pid = int(await process.stdout.readline())
    child = await child_of(pid)
    process.kill()
    await process.wait()
    await gone(pid)
    await gone(child)


async def test_it_starts_clean_beside_the_event_loop_and_closes_in_the_middle_of_a_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("API_KEY", "secret-of-the-program")
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere")
    worker, longest = Worker(HERE), 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0.005)
            longest = max(longest, time.perf_counter() - begun)

    watching = asyncio.create_task(watch())
    begun = time.perf_counter()
    pid = (await worker.start()).pid
    assert longest < (time.perf_counter() - begun) / 4
    watching.cancel()
    assert not {b"secret-of-the-program", b"PYTHONSTARTUP"} & environment(pid)
    checking = asyncio.create_task(worker.run(ENDLESS, seconds=60))
    child = await busy_child(pid)
    checking.cancel()
    await worker.aclose()
    await worker.aclose()
    assert not alive(pid)
    assert not alive(child)


# -- workers that cannot be


async def test_an_interpreter_that_is_not_there_is_named() -> None:
    with pytest.raises(SandboxError, match=r"/nowhere/python cannot be started .*install"):
        await Worker(Path("/nowhere/python")).start()


async def test_an_interpreter_without_torch_is_told(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    with pytest.raises(SandboxError, match=r"cannot load torch .*sandbox install"):
        await Worker(tmp_path / "bare" / "bin" / "python").start()


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("import time; time.sleep(60)", "was not ready within 1 s"),
        ("import os; os.write(0, b'hello\\n')", "exited before"),
        ("import os; os.write(0, b'{\"python\": 3}\\n')", "exited before"),
        ("import sys; sys.exit(3)", "exit status 3"),
    ],
)
async def test_a_half_started_worker_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, says: str
) -> None:
    path = tmp_path / "start.py"
    path.write_text(script)
    monkeypatch.setattr(client, "START", path)
    monkeypatch.setattr(client, "START_SECONDS", 1)
    with pytest.raises(SandboxError, match=says):
        await Worker(HERE).start()


@pytest.mark.parametrize("wall", ["landlock", "seccomp", "limits"])
async def test_a_wall_that_cannot_be_put_up_is_said_and_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wall: str
) -> None:
    folder = tmp_path / "worker"
    shutil.copytree(client.START.parent, folder)
    entry = {"landlock": "enter_ruleset", "seccomp": "enter_filter", "limits": "apply_limits"}[wall]
    with (folder / "walls.py").open("a") as file:
        file.write(f"\ndef {entry}(*_):\n    raise OSError(1, '{wall} said no')\n")
    monkeypatch.setattr(client, "START", folder / "start.py")
    with pytest.raises(SandboxError, match=f"could not confine .*{wall} said no"):
        await Worker(HERE).start()


# -- looking from outside


def alive(pid: int) -> bool:
    """It runs; a process that has ended and waits to be fetched does not."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def environment(pid: int) -> set[bytes]:
    """The names and values in it."""
    return set(re.split(rb"[=\0]", Path(f"/proc/{pid}/environ").read_bytes()))


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def footprint(pid: int) -> tuple[int, int]:
    """Open descriptors and resident KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return len(list(Path(f"/proc/{pid}/fd").iterdir())), int(resident.split()[1])


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - processes raise no event here
            await asyncio.sleep(0.01)


async def gone(pid: int) -> None:
    await until(lambda: not alive(pid))


async def child_of(pid: int) -> int:
    """The first of the children that stand ready: a pair, asleep like the one that forked it."""

    def settled() -> bool:
        found = children(pid)
        return len(found) > 1 and all(state(each) == "S" for each in (pid, *found))

    await until(settled)
    return children(pid)[0]


async def busy_child(pid: int) -> int:
    await asyncio.sleep(0.3)
    await until(lambda: any(state(child) == "R" for child in children(pid)))
    return next(child for child in children(pid) if state(child) == "R")


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
