"""Asking: one call, the whole words or none, and authored moves without a call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from support.fake_endpoint import FakeEndpoint, chunk, context_of, events, said, streamed, usage
from support.tables import table

from interviewer.errors import ExaminerError
from interviewer.examiner import wording
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.protocol import Move, MoveKind

CASES = table("cases", __file__)["llm_ask"]

IMPOSSIBLE = "64 GPUs for 2 days give 1e21 FLOPs, and you need 6e22."
PROBE = Move(MoveKind.PROBE, "beta")
QUESTION = 'You said "beta term vanishes": at which step, and why?'


async def utterance(examiner: LlmExaminer, move: Move = PROBE) -> str:
    return await examiner.ask(context_of(), move)


AUTHORED = (
    *(Move(kind, "beta", 1) for kind in (MoveKind.HINT, MoveKind.OFFER, MoveKind.TELL)),
    Move(MoveKind.NUMBERS_CLASH, sum=IMPOSSIBLE),
    Move(MoveKind.NUMBERS_FIT, sum="That makes 44 % MFU.", ask="What limited it?"),
)


@pytest.mark.parametrize("move", AUTHORED, ids=lambda move: move.kind)
async def test_authored_moves_take_no_call(server: FakeEndpoint, move: Move) -> None:
    context = context_of()
    words = await server.examiner().ask(context, move)
    assert words == wording.utterance(context, move)
    assert server.requests == []


async def test_tokens_and_times_are_counted(server: FakeEndpoint) -> None:
    server.will(streamed(chunk(QUESTION), chunk(finish="stop"), usage(900, 14, cached=600)))
    examiner = server.examiner()
    await utterance(examiner)
    (call,) = examiner.drain_calls()
    assert (call.stage, call.model) == ("ask", "tiny-q4")
    assert (call.prompt_tokens, call.cached_tokens, call.completion_tokens) == (900, 600, 14)
    assert call.first_token_milliseconds is not None
    assert 0 <= call.first_token_milliseconds <= call.milliseconds
    assert call.cost is None
    assert examiner.drain_calls() == ()


@pytest.mark.parametrize("pieces", CASES["reasoning"])
async def test_leading_reasoning_is_never_said(server: FakeEndpoint, pieces: Iterable[str]) -> None:
    server.will(said(*pieces))
    assert await utterance(server.examiner()) == QUESTION


async def test_reasoning_that_a_template_opened_is_not_said(server: FakeEndpoint) -> None:
    server.will(
        said('alpha {is} there </think>\n{"criteria": []}'),
        said("Let me see.", finish="length"),
        said("Let me see.", "</think>", "Why?"),
    )
    examiner = server.examiner()
    with pytest.raises(ExaminerError):
        await examiner.judge(context_of())
    server.replies = server.replies[-2:]
    assert await utterance(examiner) == "Why?"
    assert any("reasoning" in lesson for lesson in server.learned())


async def test_words_are_short_and_on_one_plain_line(server: FakeEndpoint) -> None:
    server.will(said(*["seventeen letters " * 2] * 100))
    assert len(await utterance(server.examiner())) <= 600
    server.will(said(" You said\n\n“beta”:\x1b why\u0000\t? \n"))
    assert await utterance(server.examiner()) == "You said “beta”: why ?"


NO_WORDS = (
    (said("<think>hm, ", finish="length"), "reasoning"),
    (streamed(chunk(reasoning_content="hm"), chunk(finish="stop")), "reasoning"),
    (said("  \n"), "empty reply"),
    (streamed(chunk(refusal="No."), chunk(finish="stop")), "declined"),
    (streamed(chunk("Well"), chunk(finish="content_filter")), "content_filter"),
)


@pytest.mark.parametrize(("reply", "told"), NO_WORDS)
async def test_no_words_are_explained(server: FakeEndpoint, reply: object, told: str) -> None:
    server.will(reply)  # type: ignore[arg-type]
    examiner = server.examiner()
    with pytest.raises(ExaminerError, match=told) as caught:
        await utterance(examiner)
    assert caught.value.retryable
    assert examiner.drain_calls()[-1].outcome in ("empty", "refused")


BROKEN = (
    streamed(chunk("You said"), done=False),
    events('data: {"choices": [{"delta": {"content": "You said"}}]}\n\ndata: {"cho\n\n'),
    events(""),
)


@pytest.mark.parametrize("reply", BROKEN, ids=["ends", "damaged chunk", "nothing at all"])
async def test_a_stream_that_breaks_off_is_tried_again(server: FakeEndpoint, reply: object) -> None:
    server.will(reply)  # type: ignore[arg-type]
    examiner = server.examiner()
    with pytest.raises(ExaminerError, match="half-way") as caught:
        await utterance(examiner)
    assert caught.value.retryable
    assert [call.outcome for call in examiner.drain_calls()] == ["broken stream"] * 3


@asynccontextmanager
async def slow_server() -> AsyncIterator[tuple[str, asyncio.Event, asyncio.Event]]:
    """Streams one word, then holds the line; the events: it has spoken, the client hung up."""
    spoke, hung_up = asyncio.Event(), asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        word = f"data: {json.dumps(chunk('Well '))}\n\n"
        head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
        writer.write((head + word).encode())
        await writer.drain()
        spoke.set()
        while await reader.read(4096):
            pass
        hung_up.set()
        writer.close()

    listener = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with listener:
        yield f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1", spoke, hung_up


async def test_a_cancel_closes_the_connection() -> None:
    async with slow_server() as (url, spoke, hung_up):
        examiner = LlmExaminer(Endpoint(url, None, "tiny"))
        task = asyncio.create_task(utterance(examiner))
        await asyncio.wait_for(spoke.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(hung_up.wait(), 10)
        assert [call.outcome for call in examiner.drain_calls()] == ["cancelled"]
        await examiner.aclose()
