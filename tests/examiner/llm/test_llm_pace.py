"""The pace of many calls at once, in simulated time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from support.fake_endpoint import ALL, ANSWER, FakeEndpoint, context_of, refusal, said

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.client import Pace


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
