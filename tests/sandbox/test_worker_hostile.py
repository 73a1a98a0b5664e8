"""Hostile code behind every wall: 34 attempts, each looked at from outside."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from sandbox.hostile.targets import Snippet, attempted, job, snippets, victim

from interviewer.errors import SandboxError
from interviewer.sandbox import comparison
from interviewer.sandbox.children import Ended
from interviewer.sandbox.client import ALL_WALLS, Worker

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def worker() -> AsyncIterator[Worker]:
    worker = Worker(Path(sys.executable))
    try:
        greeting = await worker.start()
    except SandboxError as error:
        pytest.skip(f"needs torch: {error}")
    if greeting.walls != ALL_WALLS:
        await worker.aclose()
        pytest.skip(f"this system only has the walls {greeting.walls}")
    yield worker
    await worker.aclose()


@pytest.mark.parametrize("snippet", snippets(), ids=lambda each: f"{each['id']}: {each['title']}")
async def test_nothing_gets_out(worker: Worker, snippet: Snippet, tmp_path: Path) -> None:
    before = (await worker.start()).pid
    with victim(tmp_path) as (targets, bystander):
        outcome = await attempted(worker, snippet, targets, on_screen)
        assert not targets.harmed(snippet, outcome, bystander), outcome.text
        assert bystander.poll() is None
    assert (await worker.start()).pid == before


async def test_honest_work_goes_on_afterwards(worker: Worker) -> None:
    reply = await worker.run(job("def f():\n    return torch.ones(2)"), seconds=5)
    assert reply.ended is Ended.DONE


def on_screen(output: bytes) -> bytes:
    return comparison.output(output).encode()
