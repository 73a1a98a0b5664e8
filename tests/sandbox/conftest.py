"""Real benches for all tests that share a loop."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from support.shipped import shipped_catalogue
from support.torch_worker import TorchWorker

from interviewer.sandbox import bench as bench_module
from interviewer.sandbox.bench import Bench


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def bench(torch_worker: TorchWorker) -> AsyncIterator[Bench]:
    """The bench under this interpreter, on the same draws in every run of the tests.

    Mark its tests with loop_scope="session".
    """
    async with opened(torch_worker, salt=0) as bench:
        yield bench


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def fresh_bench(torch_worker: TorchWorker) -> AsyncIterator[Bench]:
    """The bench as candidates meet it: no two checks have the same draws."""
    async with opened(torch_worker, salt=None) as bench:
        yield bench


@asynccontextmanager
async def opened(torch_worker: TorchWorker, *, salt: int | None) -> AsyncIterator[Bench]:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed: nothing can be executed")
    bench = Bench(Path(sys.executable), salt=salt)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench_module, "find_tier", torch_worker.find_tier)
        await bench.prepare(shipped_catalogue().get("attn").model)
    yield bench
    await bench.aclose()
