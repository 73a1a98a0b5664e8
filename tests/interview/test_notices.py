"""Notices in between events: soon, in order, and never at the cost of an event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from interviewer.interview.inbox import with_notices


async def test_a_notice_is_heard_while_the_next_event_is_awaited() -> None:
    heard = asyncio.Event()

    async def events() -> AsyncIterator[str]:
        yield "first"
        await heard.wait()
        yield "second"

    notices: asyncio.Queue[str] = asyncio.Queue()
    told = []
    async for each in with_notices(events(), notices):
        told.append(each)
        if each == "first":
            asyncio.get_running_loop().call_soon(notices.put_nowait, "wait")
        if each == "wait":
            heard.set()
    assert told == ["first", "wait", "second"]


async def test_the_next_event_waits_for_the_last_and_what_is_raised_comes_out() -> None:
    made = []

    async def events() -> AsyncIterator[int]:
        for number in range(3):
            made.append(number)
            yield number
        raise OSError("disk full")

    async def take() -> None:
        async for each in with_notices(events(), asyncio.Queue()):
            await asyncio.sleep(0)
            assert made[-1] == each

    with pytest.raises(OSError, match="disk full"):
        await take()
