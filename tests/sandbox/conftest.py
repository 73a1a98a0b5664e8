"""One real bench for all tests that share a loop: its worker takes seconds to start."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from interviewer.sandbox.bench import Bench


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def bench(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """The bench under this interpreter; mark its tests with loop_scope="session"."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed: nothing can be executed")
    opened = Bench(Path(sys.executable), cache=tmp_path_factory.mktemp("tier"))
    yield opened
    await opened.aclose()
