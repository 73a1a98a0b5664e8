"""What a check costs beside loading torch anew, and whether a worker grows; measured in one run.

    PYTHONPATH=tests python tests/benchmarks/sandbox_latency.py [--checks N] [--cold N]

A check is attention with gradients for three inputs. "Armed" is a check whose process stood ready,
"forked" one that had to wait for it. Linux only (/proc).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from sandbox.hostile.targets import job

from interviewer.sandbox.confinement.client import Ended, Worker

ATTENTION = """
def f(Q, K, V):
    return torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, -1) @ V
"""
SECOND = 1000.0


def attention() -> bytes:
    """The check."""
    shapes = {"Q": (5, 7), "K": (11, 7), "V": (11, 3)}
    return job(ATTENTION, {name: {"shape": shape} for name, shape in shapes.items()})


def cold() -> float:
    """Milliseconds of a fresh interpreter that loads torch and ends."""
    begun = time.perf_counter()
    command = [sys.executable, "-W", "ignore", "-c", "import torch"]
    subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    return (time.perf_counter() - begun) * SECOND


async def started(worker: Worker) -> tuple[float, float]:
    """Milliseconds until the greeting, and the longest that the event loop was held up."""
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - begun - 0.001)

    watching = asyncio.create_task(watch())
    await asyncio.sleep(0.1)
    longest, begun = 0.0, time.perf_counter()
    await worker.start()
    taken = time.perf_counter() - begun
    watching.cancel()
    return taken * SECOND, longest * SECOND


async def checked(worker: Worker, body: bytes) -> float:
    """Milliseconds of one check, as the program sees it."""
    begun = time.perf_counter()
    reply = await worker.run(body, seconds=20)
    assert reply.ended is Ended.DONE, reply
    return (time.perf_counter() - begun) * SECOND


def footprint(pid: int) -> str:
    """Descriptors, children, resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]
    descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    children = len(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return f"{descriptors} descriptors, {children} children, {int(resident) / 1024:.1f} MiB"


def told(name: str, figures: list[float]) -> float:
    """Print and return the median."""
    middle = statistics.median(figures)
    tail = sorted(figures)[int(len(figures) * 0.95)]
    print(f"{name:28} median {middle:9.2f} ms   p95 {tail:9.2f}   max {max(figures):9.2f}")
    return middle


async def against_cold(checks: int, colds: int) -> tuple[float, float]:
    """Median milliseconds of an armed check, and of loading torch anew between them."""
    body, worker = attention(), Worker(Path(sys.executable))
    await worker.start()
    await checked(worker, body)
    from_cold, armed = [], []
    for _ in range(colds):
        from_cold.append(cold())
        for _ in range(checks // colds):
            await asyncio.sleep(0.15)
            armed.append(await checked(worker, body))
    await worker.aclose()
    return statistics.median(armed), statistics.median(from_cold)


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--checks", type=int, default=1000)
    parser.add_argument("--cold", type=int, default=5)
    asked = parser.parse_args()
    body, worker = attention(), Worker(Path(sys.executable))
    cold()
    from_cold = told("import torch, cold", [cold() for _ in range(asked.cold)])
    ready, lag = await started(worker)
    print(f"worker ready after {ready:.0f} ms; the event loop was held up for {lag:.1f} ms at most")
    pid = (await worker.start()).pid
    for _ in range(20):
        await checked(worker, body)
    await asyncio.sleep(0.5)
    print(f"before   worker: {footprint(pid)}; program: {footprint(os.getpid())}")
    forked = [await checked(worker, body) for _ in range(asked.checks)]
    await asyncio.sleep(0.5)
    print(f"after {asked.checks} checks: {footprint(pid)}; program: {footprint(os.getpid())}")
    armed = []
    for _ in range(50):
        await asyncio.sleep(0.15)
        armed.append(await checked(worker, body))
    by_fork, by_armed = told("check, forked", forked), told("check, armed", armed)
    print(f"cold / forked = {from_cold / by_fork:.0f}   cold / armed = {from_cold / by_armed:.0f}")
    await worker.aclose()


if __name__ == "__main__":
    asyncio.run(main())
