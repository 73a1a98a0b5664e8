"""What is heard while the interview waits for its examiner, let in between its own events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, TypeVar

T = TypeVar("T")
N = TypeVar("N")


async def with_notices(events: AsyncIterator[T], notices: asyncio.Queue[N]) -> AsyncIterator[T | N]:
    """The events in order, and each notice as soon as it comes; ends with the events.

    The next event is asked for only when the one before was taken, as without notices.
    """
    while True:
        step = asyncio.ensure_future(anext(events, None))
        try:
            async for notice in _until(step, notices):
                yield notice
            event = await step
        finally:
            step.cancel()
            await asyncio.gather(step, return_exceptions=True)
        if event is None:
            return
        yield event


async def _until(step: asyncio.Future[Any], notices: asyncio.Queue[N]) -> AsyncIterator[N]:
    """The notices that come before the step is done."""
    while not step.done():
        listening = asyncio.ensure_future(notices.get())
        both: set[asyncio.Future[Any]] = {step, listening}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            heard = listening.done() and not listening.cancelled()
            listening.cancel()
        if heard:
            yield listening.result()
