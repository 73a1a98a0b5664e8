"""The pace of many calls at once, in simulated time."""

from __future__ import annotations

import asyncio
import heapq
import math
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from support.fake_endpoint import ALL, ANSWER, FakeEndpoint, context_of, refusal, said

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.pace import Pace, Rate

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


def simulated(server: Any, at_once: int, seconds: float) -> tuple[float, float]:
    """Calls answered as a share of those allowed, and refused as a share of those answered."""
    rate, number = Rate(), count()
    free, answered, refused = at_once, 0, 0
    events: list[tuple[float, int, Callable[[float], None]]] = []
    now = 0.0

    def end(at: float, then: Callable[[float], None]) -> None:
        heapq.heappush(events, (at, next(number), then))

    while now < seconds:
        at = max(now, rate.next_start()) if free else math.inf
        if events and events[0][0] <= at:
            now, _, then = heapq.heappop(events)
            then(now)
            free += 1
            continue
        now, free = at, free - 1
        rate.start(now)
        if wait := server.wait(now):
            refused += 1
            end(now + 0.01, lambda at, began=now, wait=wait: rate.refused(began, at, wait))
        else:
            answered += 1
            end(now + 0.3, lambda at: None)
    return answered / (ALLOWED * seconds), refused / answered


@pytest.mark.parametrize(
    ("server", "at_once", "share"),
    [(Bucket(20), 8, 0.95), (Bucket(20), 32, 0.95), (Window(), 32, 0.95), (Bucket(5), 32, 0.9)],
)
def test_it_finds_what_the_endpoint_allows(server: Any, at_once: int, share: float) -> None:
    used, refused = simulated(server, at_once, 300)
    assert share <= used <= 1.01
    assert refused < 0.05


def test_nothing_is_slowed_down_before_a_refusal() -> None:
    rate = Rate()
    rate.start(1.0)
    assert rate.at(1.0) == math.inf
    assert rate.next_start() <= 1.0


def test_a_refusal_holds_all_back_and_those_of_one_moment_count_once() -> None:
    rate = Rate()
    for number in range(100):
        rate.start(number / 10)
    rate.refused(9.9, 10.0, wait=5.0)
    once = rate.at(15.0)
    for _ in range(7):
        rate.refused(9.9, 10.1, wait=5.0)
    assert rate.next_start() == pytest.approx(15.1)
    assert rate.at(15.1) == pytest.approx(once)
    assert once == pytest.approx(0.95 * 10, rel=0.02)
    assert rate.at(15.0) < rate.at(25.0) < rate.at(35.1) < rate.at(60.0)


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
