"""The pace of many calls at once, in simulated time."""

from __future__ import annotations

import asyncio
import heapq
import math
from typing import Any

import pytest
from support.fake_endpoint import ALL, ANSWER, FakeEndpoint, context_of, refusal, said

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.client import Pace

ALLOWED = 20.0
"""Calls a second."""


class Bucket:
    """Refuses what comes faster than its tokens grow; asks to wait for whole seconds."""

    def __init__(self, room: float) -> None:
        self.room = self.tokens = room
        self.at = 0.0

    def wait(self, now: float) -> float:
        """0 if the call is let through."""
        self.tokens = min(self.room, self.tokens + (now - self.at) * ALLOWED)
        self.at = now
        if self.tokens >= 1:
            self.tokens -= 1
            return 0.0
        return float(math.ceil((1 - self.tokens) / ALLOWED))


class Window:
    """Lets so many through in each ten seconds."""

    def __init__(self) -> None:
        self.number, self.left = 0, 0.0

    def wait(self, now: float) -> float:
        if now // 10 >= self.number:
            self.number, self.left = int(now // 10) + 1, 10 * ALLOWED
        self.left -= 1
        return 0.0 if self.left >= 0 else float(math.ceil(self.number * 10 - now))


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


async def simulated(server: Any, at_once: int, seconds: float) -> tuple[float, float]:
    """Calls answered as a share of those allowed, and refused as a share of those answered."""
    clock = Clock()
    pace = Pace(at_once, clock=clock, sleep=clock.sleep)
    answered = refused = 0
    replies: list[tuple[float, float, float]] = []
    while clock.now < seconds:
        began = await pace.start()
        wait = server.wait(began)
        heapq.heappush(replies, (began + (0.01 if wait else 0.3), began, wait))
        while replies and (len(replies) == at_once or replies[0][0] <= clock.now):
            at, began, wait = heapq.heappop(replies)
            clock.now = max(clock.now, at)
            if wait:
                refused += 1
                pace.refused(began, wait)
            else:
                answered += 1
                pace.answered()
    return answered / (ALLOWED * seconds), refused / answered


@pytest.mark.parametrize(
    ("server", "at_once"), [(Bucket(20), 8), (Bucket(20), 32), (Window(), 32), (Bucket(5), 32)]
)
async def test_it_finds_about_what_the_endpoint_allows(server: Any, at_once: int) -> None:
    used, refused = await simulated(server, at_once, 300)
    assert 0.8 <= used <= 1.01
    assert refused < 0.05


async def test_one_refused_call_makes_the_others_wait_and_is_sent_again() -> None:
    fake, clock = FakeEndpoint(), Clock()
    pace = Pace(2, clock=clock, sleep=clock.sleep)
    paused: list[float] = []
    pace.on_pause = paused.append
    fake.will(refusal(429, "slow down", headers={"retry-after": "7"}), said(ALL))
    first, second = (fake.examiner(pace=pace) for _ in range(2))
    judged = await asyncio.gather(first.judge(context_of(ANSWER)), second.judge(context_of(ANSWER)))
    assert [each.examiner for each in judged] == ["tiny", "tiny"]
    assert paused == [7.0]
    assert clock.now >= 7.0
    outcomes = [c.outcome for each in (first, second) for c in each.drain_calls()]
    assert outcomes.count("http 429") == 1
    assert outcomes.count("ok") == 2


async def test_no_more_calls_are_under_way_than_asked_for() -> None:
    pace, under_way, most = Pace(3), 0, 0

    async def call() -> None:
        nonlocal under_way, most
        async with pace.place():
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            under_way -= 1

    await asyncio.gather(*(call() for _ in range(20)))
    assert most == 3


async def test_refusals_without_end_are_given_up() -> None:
    clock = Clock()
    pace = Pace(1, clock=clock, sleep=clock.sleep)
    fake = FakeEndpoint()
    fake.will(refusal(429, "slow down", headers={"retry-after": "60"}))
    with pytest.raises(ExaminerError, match="limiting requests"):
        await fake.examiner(pace=pace).judge(context_of(ANSWER))
    assert 600 <= clock.now < 900


async def test_once_closed_no_call_starts_and_those_under_way_end() -> None:
    clock = Clock()
    pace = Pace(2, clock=clock, sleep=clock.sleep)
    fake = FakeEndpoint()

    def close_and_reply(body: Any) -> Any:
        pace.close()
        return said(ALL)

    fake.by_request = close_and_reply
    examiner = fake.examiner(pace=pace)
    assert (await examiner.judge(context_of(ANSWER))).findings
    with pytest.raises(ExaminerError, match="Stopped before"):
        await examiner.judge(context_of(ANSWER))
    assert len(fake.requests) == 1
