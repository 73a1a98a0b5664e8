"""What every failure is told as, what is tried again and at which pace, and that no key leaks."""

from __future__ import annotations

import asyncio
import traceback
from email.utils import formatdate
from time import time
from typing import Any

import httpx
import pytest
from support.fake_endpoint import ALL, ANSWER, KEY, FakeEndpoint, context_of, events, refusal, said
from support.tables import table

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.client import Pace
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.protocol import Retrying

CASES = table("cases", __file__)["llm_failures"]

REFUSED = httpx.ConnectError("[Errno 111] Connection refused")


async def failure_of(examiner: LlmExaminer) -> ExaminerError:
    with pytest.raises(ExaminerError) as caught:
        await examiner.judge(context_of())
    return caught.value


def reply_of(row: dict[str, Any]) -> httpx.Response | Exception:
    """What the endpoint does in a row of the table."""
    if "raises" in row:
        error: Exception = getattr(httpx, row["raises"])(row["says"])
        return error
    if "says" in row:
        return refusal(
            row["status"], row["says"], **({"code": row["code"]} if "code" in row else {})
        )
    body, headers = row["body"].encode(), row.get("headers")
    return httpx.Response(row["status"], content=body, headers=headers)


@pytest.mark.parametrize("row", table("cases", __file__)["failures"])
async def test_each_failure_has_one_sentence(server: FakeEndpoint, row: dict[str, Any]) -> None:
    server.will(reply_of(row))
    examiner = server.examiner()
    error = await failure_of(examiner)
    assert [word for word in row["told"] if word not in str(error)] == []
    assert "\n" not in str(error)
    assert error.retryable is row["retryable"]
    outcomes = [call.outcome for call in examiner.drain_calls()]
    assert outcomes == [row["outcome"]] * row.get("sent", len(outcomes))


PASSING = {
    "refused": REFUSED,
    "reset": httpx.ReadError("reset"),
    "429": refusal(429, "slow down"),
    "500": refusal(500, "oops"),
    "loading": refusal(503, "Loading model"),
}


@pytest.mark.parametrize("reply", PASSING.values(), ids=PASSING)
async def test_a_passing_trouble_is_retried_twice_and_told(
    server: FakeEndpoint, waits: list[float], reply: httpx.Response | Exception
) -> None:
    told: list[Retrying] = []
    server.will(reply, reply, said(ALL))
    examiner = server.examiner(on_retry=told.append)
    assert (await examiner.judge(context_of())).flags == frozenset()
    assert [(notice.attempt, notice.of) for notice in told] == [(1, 2), (2, 2)]
    assert [notice.seconds for notice in told] == waits == sorted(waits)
    assert "model.test" in told[0].reason
    first, second, last = (call.outcome for call in examiner.drain_calls())
    assert first == second != last == "ok"


@pytest.mark.parametrize("after", ["7", "7.0", "date", "soon"])
async def test_a_wait_that_the_server_names_is_kept_unless_it_is_nonsense(
    server: FakeEndpoint, waits: list[float], after: str
) -> None:
    header = formatdate(time() + 7, usegmt=True) if after == "date" else after
    server.will(refusal(429, "slow down", headers={"retry-after": header}), said(ALL))
    await server.examiner().judge(context_of())
    assert len(waits) == 1
    assert after == "soon" or waits[0] == pytest.approx(7, abs=2)


@pytest.mark.parametrize(("after", "options"), [("900", {}), ("50", {"timeout": 9.0})])
async def test_a_wait_of_minutes_or_longer_than_the_call_may_take_is_left_to_the_person(
    server: FakeEndpoint, waits: list[float], after: str, options: dict[str, Any]
) -> None:
    server.will(refusal(429, "slow down", headers={"retry-after": after}))
    error = await failure_of(server.examiner(**options))
    assert (waits, error.retryable) == ([], True)
    assert f"in {after} seconds" in str(error)


@pytest.mark.parametrize(("changes", "words"), CASES["settings"])
async def test_settings_that_cannot_work_are_told_before_any_call(
    server: FakeEndpoint, changes: dict[str, Any], words: str
) -> None:
    server.will(said(ALL))
    error = await failure_of(server.examiner(**changes))
    assert words in str(error)
    assert not error.retryable
    assert server.requests == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 429, 500])
async def test_a_key_that_the_server_repeats_reaches_neither_error_nor_log(
    server: FakeEndpoint, status: int
) -> None:
    server.will(refusal(status, f"Bad key {KEY}, Authorization: Bearer {KEY}", param=KEY))
    examiner = server.examiner()
    error = await failure_of(examiner)
    shown = "".join(traceback.format_exception(error)) + repr(error) + repr(error.__context__)
    assert KEY not in shown
    assert KEY not in repr(examiner.drain_calls())


async def test_a_key_in_a_web_page_or_a_broken_stream_does_not_leak(server: FakeEndpoint) -> None:
    server.will(
        httpx.Response(200, json={"you sent": KEY}), events(f'data: {{"error": "{KEY}"}}\n\n')
    )
    examiner = server.examiner()
    errors = [await failure_of(examiner), await failure_of(examiner)]
    shown = "".join("".join(traceback.format_exception(error)) for error in errors)
    assert KEY not in shown + repr(examiner.drain_calls())


def test_neither_endpoint_nor_address_shows_secrets() -> None:
    endpoint = Endpoint(f"http://me:{KEY}@model.test:8000/v1?key={KEY}", KEY, "tiny")
    assert KEY not in repr(endpoint.address)
    assert endpoint.address == "http://model.test:8000/v1"


# -- many calls at once ---------------------------------------------------------------


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
    fake.will(refusal(429, "slow down", headers={"retry-after": "7"}), said(ALL))
    first, second = (fake.examiner(pace=pace) for _ in range(2))
    judged = await asyncio.gather(first.judge(context_of(ANSWER)), second.judge(context_of(ANSWER)))
    assert [each.examiner for each in judged] == ["tiny", "tiny"]
    assert clock.now >= 7.0
    outcomes = [c.outcome for each in (first, second) for c in each.drain_calls()]
    assert outcomes.count("http 429") == 1
    assert outcomes.count("ok") == 2


async def test_no_more_calls_are_under_way_than_asked_for() -> None:
    pace, under_way, most = Pace(3), 0, 0

    async def call() -> None:
        nonlocal under_way, most
        async with pace.places:
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
