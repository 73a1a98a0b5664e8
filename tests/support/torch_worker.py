"""One confined torch worker for all tests of a process that do not test the worker itself."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from interviewer.sandbox.client import Greeting, Worker, WorkerReply
from interviewer.sandbox.tiers import TierReport, find_tier

T = TypeVar("T")


class TorchWorker:
    """The worker under this interpreter, started when first asked for.

    It lives in an event loop of its own, so that tests with loops of theirs can share it.
    """

    def __init__(self) -> None:
        self._found: tuple[TierReport, Worker | None] | None = None
        self._finding = asyncio.Lock()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    async def find_tier(self, python: Path) -> tuple[TierReport, Any]:
        """In place of the real one, which is still asked about other interpreters."""
        if python != Path(sys.executable):
            return await find_tier(python)
        report, worker = await self.there(self._find())
        return report, worker and _Lent(worker, self)

    async def there(self, doing: Coroutine[Any, Any, T]) -> T:
        """Have it done in the worker's loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(doing, self._loop))

    def close(self) -> None:
        if self._found and self._found[1]:
            asyncio.run_coroutine_threadsafe(self._found[1].aclose(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _find(self) -> tuple[TierReport, Worker | None]:
        async with self._finding:
            if self._found is None:
                self._found = await find_tier(Path(sys.executable))
            return self._found


class _Lent:
    """The worker as a bench knows it; to close it only gives it back."""

    def __init__(self, worker: Worker, owner: TorchWorker) -> None:
        self._worker = worker
        self._owner = owner

    async def start(self) -> Greeting:
        return await self._owner.there(self._worker.start())

    async def run(self, body: bytes, *, seconds: float, **more: Any) -> WorkerReply:
        return await self._owner.there(self._worker.run(body, seconds=seconds, **more))

    async def aclose(self) -> None:
        return
