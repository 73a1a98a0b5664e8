"""Hostile code behind every wall: 34 attempts, each looked at from outside."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from sandbox.hostile.targets import SECONDS, Outcome, Snippet, attempt, began, job, snippets, victim

from interviewer.errors import SandboxError
from interviewer.sandbox import comparison
from interviewer.sandbox.client import ALL_WALLS, Ended, Reply, Worker

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
        begun = time.monotonic()
        seconds = snippet.get("seconds", SECONDS)
        reply = await worker.run(attempt(snippet, targets), seconds=seconds)
        assert began(reply)
        outcome = Outcome(
            shown(reply),
            time.monotonic() - begun,
            answered=reply.ended is Ended.DONE and not reply.records,
            host_died=reply.ended is Ended.WORKER_DIED,
        )
        assert not targets.harmed(snippet, outcome, bystander), (reply.ended, outcome.text)
        assert bystander.poll() is None
    assert (await worker.start()).pid == before


async def test_honest_work_goes_on_afterwards(worker: Worker) -> None:
    reply = await worker.run(job("def f():\n    return torch.ones(2)"), seconds=5)
    assert reply.ended is Ended.DONE


def shown(reply: Reply) -> bytes:
    """What of a reply gets to the screen, and what stands in its records."""
    return comparison.output(reply.output).encode() + reply.records
