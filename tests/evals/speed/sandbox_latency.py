"""What a check costs beside loading torch anew, measured in one run.

A check is attention with gradients for three inputs. "Armed" is a check whose process stood ready.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from sandbox.hostile.targets import job

from interviewer.sandbox.children import Ended
from interviewer.sandbox.client import Worker

ATTENTION = """
def f(Q, K, V):
    return torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, -1) @ V
"""
SECOND = 1000.0


def cold() -> float:
    """Milliseconds of a fresh interpreter that loads torch and ends."""
    begun = time.perf_counter()
    command = [sys.executable, "-W", "ignore", "-c", "import torch"]
    subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    return (time.perf_counter() - begun) * SECOND


async def checked(worker: Worker, body: bytes) -> float:
    """Milliseconds of one check, as the program sees it."""
    begun = time.perf_counter()
    reply = await worker.run(body, seconds=20)
    assert reply.ended is Ended.DONE, reply
    return (time.perf_counter() - begun) * SECOND


async def against_cold(checks: int, colds: int) -> tuple[float, float]:
    """Median milliseconds of an armed check, and of loading torch anew between them."""
    shapes = {"Q": (5, 7), "K": (11, 7), "V": (11, 3)}
    body = job(ATTENTION, {name: {"shape": shape} for name, shape in shapes.items()})
    worker = Worker(Path(sys.executable))
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
