"""Servers that never stop, fail, or send their callers elsewhere: over a real socket."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from support.fault_phases import PHASES, READ, WITHIN, At
from support.faults import (
    AS_STREAM,
    FAULTS,
    bulky,
    endless_json,
    endless_line,
    endless_lines,
    over_and_over,
    packed,
    struck_by,
)
from support.hostile_server import Behaviour, Line, serving

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.client import LONGEST_ERROR, ChatClient, ChatRequest
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.messages import Message
from interviewer.examiner.llm.replies import LONGEST_BODY, LONGEST_VALUE

REQUEST = ChatRequest("ask", "test", (Message("user", "Well?"),), 100, 0.0, 4000)
ANSWER = {"choices": [{"message": {"content": "Fine."}, "finish_reason": "stop"}]}
IN_TRANSIT = 8 << 20
"""Bytes that the system may keep between two programs."""


async def asked(address: str, *, patience: float = 30.0) -> str:
    client = ChatClient(Endpoint(address, None, "tiny", timeout=patience))
    try:
        return await client.speak(REQUEST)
    finally:
        await client.aclose()


@pytest.mark.parametrize(
    ("behaviour", "limit"),
    [
        (endless_line, LONGEST_VALUE),
        (endless_json, LONGEST_VALUE),
        (packed(4 * LONGEST_BODY), LONGEST_VALUE),
        (bulky(b"[]", LONGEST_BODY // 2, (b'{"choices": [', b"]}")), LONGEST_VALUE),
    ],
)
async def test_a_reply_without_end_is_stopped(behaviour: Behaviour, limit: int) -> None:
    async with serving(behaviour) as (address, lines):
        with pytest.raises(ExaminerError, match="a reply without end, and it was stopped"):
            await asked(address)
    assert lines
    assert sum(line.sent for line in lines) < limit + IN_TRANSIT


async def test_a_stream_of_empty_parts_is_stopped() -> None:
    async with serving(endless_lines) as (address, lines):
        with pytest.raises(ExaminerError, match="said nothing"):
            await asked(address)
    assert sum(line.sent for line in lines) < len(lines) * IN_TRANSIT


async def test_of_an_endless_error_only_the_beginning_is_read() -> None:
    grumbles = over_and_over(b"no tools here " * 4096, status="400 Bad Request")
    async with serving(grumbles) as (address, lines):
        with pytest.raises(ExaminerError, match=r"rejects the request .*no tools here"):
            await asked(address)
    assert all(line.sent < LONGEST_ERROR + IN_TRANSIT for line in lines)


async def test_a_call_that_is_only_kept_alive_fails_in_the_end() -> None:
    pings = over_and_over(b": ping\n\n", AS_STREAM, every=0.01)
    async with serving(pings) as (address, _):
        with pytest.raises(ExaminerError, match=r"did not finish its reply within 1 seconds"):
            await asked(address, patience=1.0)


@pytest.mark.parametrize("behaviour", [endless_lines, endless_line])
async def test_an_endless_reply_is_cancelled_at_once(behaviour: Behaviour) -> None:
    under_way = asyncio.Event()

    async def tells(line: Line) -> None:
        under_way.set()
        await behaviour(line)

    async with serving(tells) as (address, lines):
        asking = asyncio.create_task(asked(address))
        await under_way.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
    assert sum(line.sent for line in lines) < LONGEST_BODY


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Moved", "308 Moved"])
async def test_no_answer_follows_a_redirect_to_another_origin(status: str) -> None:
    async def takes(line: Line) -> None:
        await line.head("Content-Type: application/json")
        await line.send(json.dumps(ANSWER).encode())

    async with serving(takes) as (thief, stolen):

        async def lures(line: Line) -> None:
            await line.head(f"Location: {thief}/chat/completions", status=status)

        async with serving(lures) as (address, _):
            place = thief.removesuffix("/v1")
            with pytest.raises(ExaminerError, match=f"redirects to {place}, and answers are sent"):
                await asked(address)
    assert not stolen


async def test_a_redirect_within_the_origin_is_followed() -> None:
    async def moves(line: Line) -> None:
        if len(lines) == 1:
            await line.head("Location: /v1/elsewhere", status="307 Moved")
        else:
            await line.head("Content-Type: application/json")
            await line.send(json.dumps(ANSWER).encode())

    async with serving(moves) as (address, lines):
        assert await asked(address) == "Fine."


@pytest.mark.parametrize(("encoding", "body"), [("br", b"\x0b\x02"), ("gzip", b"no gzip at all")])
async def test_a_reply_that_cannot_be_inflated_is_told(encoding: str, body: bytes) -> None:
    async def packs(line: Line) -> None:
        await line.head("Content-Type: application/json", f"Content-Encoding: {encoding}")
        await line.send(body)

    async with serving(packs) as (address, _):
        with pytest.raises(ExaminerError, match="compressed in a way that was not asked for"):
            await asked(address)


# -- faults in every phase ------------------------------------------------------------


QUICK = ("cut", "hangs up", "429", "500", "picture", "wrong charset", "empty choices")


@pytest.mark.parametrize("name", QUICK)
async def test_a_fault_is_a_sentence_and_costs_no_answer(tmp_path: Path, name: str) -> None:
    fault = FAULTS[name]
    async with struck_by(fault) as address, asyncio.timeout(120):
        for phase in PHASES:
            (tmp_path / phase).mkdir()
        at = At(address, fault.patience)
        cells = await asyncio.gather(
            *(play(at, tmp_path / phase) for phase, play in PHASES.items())
        )
    for cell in cells:
        assert cell.plain, cell
        assert cell.tells_of(fault), cell
        assert cell.kept is not False, cell
    assert any(cell.outcome != READ for cell in cells)


@pytest.mark.parametrize("stage", WITHIN)
async def test_an_interview_goes_on_where_one_stage_fails(tmp_path: Path, stage: str) -> None:
    async with struck_by(FAULTS["cut"]) as address:
        cell = await WITHIN[stage](At(address), tmp_path)
    assert cell.plain
    assert cell.outcome != READ
    assert cell.kept
