"""One real bench for all tests that share a loop."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from support.shipped import shipped_catalogue
from support.torch_worker import TorchWorker

from interviewer.sandbox import bench as bench_module
from interviewer.sandbox.bench import Bench


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def bench(torch_worker: TorchWorker) -> AsyncIterator[Bench]:
    """The bench under this interpreter; mark its tests with loop_scope="session"."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed: nothing can be executed")
    opened = Bench(Path(sys.executable))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench_module, "find_tier", torch_worker.find_tier)
        await opened.prepare(shipped_catalogue().get("attn").model)
    yield opened
    await opened.aclose()
