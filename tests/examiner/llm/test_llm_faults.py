"""Every fault of an endpoint in every phase: a plain sentence or a result, and nothing lost."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from support.hostile_server import Behaviour, Line, serving
from support.rubrics import a_rubric
from support.sessions import begin, hold, outline, reopen

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.check import check
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.moves import Probe
from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.examiner.protocol import NEUTRAL, QuestionContext
from interviewer.grading.transcript import exchange
from interviewer.interview import commands, events
from interviewer.interview.examining import grade_answer
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.interview.regrading import regrade
from interviewer.store.store import Store

ONE = a_rubric()
ANSWER = "The alpha effect decides it since the beta term vanishes early."
CONTEXT = QuestionContext(ONE, exchange(ONE.question, ANSWER), (), NEUTRAL, True)
SILENCE = 1.0
"""Seconds of it that are a failure where silence is the fault; a call may last five times that."""
PATIENCE = 30.0
"""Seconds of it where something else is, and a busy machine must not be taken for one."""
READ = "read"
"""The outcome of a cell where something usable came of it all the same."""


def says(status: str, *fields: str, body: str = '{"error": {"message": "no"}}') -> Behaviour:
    async def answer(line: Line) -> None:
        await line.head("Content-Type: application/json", *fields, status=status)
        await line.send(body.encode())

    return answer


def sends(
    kind: str, *pieces: bytes, then: Callable[[], Awaitable[object]] | None = None
) -> Behaviour:
    async def answer(line: Line) -> None:
        await line.head(f"Content-Type: {kind}")
        for piece in pieces:
            await line.send(piece)
        if then:
            await then()

    return answer


def chunk(content: str | None, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": content} if content else {}, "finish_reason": finish}
    return b"data: " + json.dumps({"id": "1", "choices": [choice]}).encode() + b"\n\n"


async def forever() -> None:
    await asyncio.sleep(60)


async def drips(line: Line) -> None:
    await line.head("Content-Type: text/event-stream")
    while True:
        await line.send(b" ")
        await asyncio.sleep(SILENCE / 5)


async def is_silent(line: Line) -> None:
    await forever()


async def hangs_up(line: Line) -> None:
    return


STREAM = "text/event-stream"
WHOLE = chunk('{"criteria": [') + chunk("]}", "stop") + b"data: [DONE]\n\n"
GONE = '{"error": {"message": "The model does not exist", "code": "model_not_found"}}'
FAULTS: dict[str, tuple[Behaviour, str]] = {
    "401": (says("401 Unauthorized"), "wants a key"),
    "403": (says("403 Forbidden"), "wants a key"),
    "404": (says("404 Not Found"), "no chat endpoint or no model"),
    "408": (says("408 Request Timeout"), "rejects the request"),
    "409": (says("409 Conflict"), "rejects the request"),
    "429": (says("429 Too Many Requests"), "is limiting requests"),
    "429, a moment": (says("429 Too Many Requests", "Retry-After: 1"), "again in 1 seconds"),
    "429, an hour": (says("429 Too Many Requests", "Retry-After: 3600"), "in 3600 seconds"),
    "500": (says("500 Internal Server Error"), r"failed \(HTTP 500\)"),
    "502, a page": (says("502 Bad Gateway", body="<html>Bad</html>"), r"failed \(HTTP 502\)"),
    "503, loading": (says("503 Busy", body='{"error": "loading"}'), "still loading the model"),
    "model gone": (says("404 Not Found", body=GONE), "INTERVIEWER_MODEL"),
    "hangs up": (hangs_up, "failed or broke off"),
    "slow headers": (is_silent, "sent nothing for 1 second|sent nothing for 1.0"),
    "drip": (drips, "did not finish its reply within 5"),
    "stall": (sends(STREAM, WHOLE[:50], then=forever), "sent nothing for|broke off"),
    "cut": (sends(STREAM, WHOLE[:-40]), "broke off half-way|said nothing|empty reply"),
    "web page": (
        sends("text/html", b"<html><body>Log in</body></html>"),
        "other than a chat reply",
    ),
    "picture": (sends("image/png", b"\x89PNG\r\n\x1a\n" * 9), "other than a chat reply"),
    "wrong charset": (sends(STREAM, b"data: \xff\xfe{\n\n"), "chat reply|broke off"),
    "empty choices": (sends(STREAM, b'data: {"id": "1", "choices": []}\n\n'), "broke off|empty"),
    "end before words": (
        sends(STREAM, chunk(None, "stop"), chunk("late"), b"data: [DONE]\n\n"),
        "empty reply|broke off|other than",
    ),
    "content filter": (
        sends(STREAM, chunk(None, "content_filter"), b"data: [DONE]\n\n"),
        "declined to answer",
    ),
    "cut off by length": (
        sends(STREAM, chunk(None, "length"), b"data: [DONE]\n\n"),
        "spent its whole reply|empty reply",
    ),
}
SILENT = ("slow headers", "drip", "stall")
_DOCTOR_SAYS = "sent no valid JSON"
"""Of a reply that is whole and says nothing."""
_NOT_PLAIN = re.compile(r"Traceback|<class|object at 0x|Error\(|\n")


@dataclass
class Cell:
    """What a phase came to: a sentence, or READ."""

    phase: str
    outcome: str


def examiner_at(address: str, phase: str, patience: float) -> LlmExaminer:
    """Each phase names a model of its own: what is learned of one must not help another."""
    endpoint = Endpoint(address, None, f"tiny-{phase}", timeout=patience)
    return LlmExaminer(endpoint, fallback=OfflineExaminer(), canaries=0.0)


async def direct(
    phase: str, address: str, patience: float, work: Callable[[LlmExaminer], Awaitable[object]]
) -> Cell:
    examiner = examiner_at(address, phase, patience)
    try:
        await work(examiner)
    except ExaminerError as error:
        return Cell(phase, str(error))
    finally:
        await examiner.aclose()
    return Cell(phase, READ)


async def in_doctor(address: str, patience: float) -> Cell:
    lines = check(Endpoint(address, None, "tiny-doctor", timeout=patience))
    failed = [line.message async for line in lines if not line.ok]
    return Cell("doctor", failed[0] if failed else READ)


async def in_interview(store: Store, address: str, patience: float) -> Cell:
    """An answer, the fault, and the session taken up again as after a crash."""
    cell = Cell("interview", READ)
    examiner = examiner_at(address, cell.phase, patience)
    interview = begin(store, [outline(ONE)], {ONE.id: ONE}, examiner)
    answered = False
    async for event in interview:
        if isinstance(event, events.TurnFailed):
            cell.outcome = event.message
            break
        if isinstance(event, events.YourTurn):
            if answered:
                break
            answered = True
            interview.send(commands.Answer(ANSWER))
    await interview.aclose()
    kept = load(store, interview.session_id).state.rounds[0].questions[0]
    assert [turn.text for turn in kept.turns if turn.author == "candidate"] == [ANSWER]
    again = reopen(store, interview.session_id, OfflineExaminer())
    again.send(commands.Retry())
    assert await goes_on(again)
    return cell


async def goes_on(interview: Interview) -> bool:
    """Whether it comes to the candidate's turn."""
    async for event in interview:
        if isinstance(event, events.YourTurn):
            return True
    return False


async def in_every_phase(store: Store, address: str, patience: float = PATIENCE) -> list[Cell]:
    await hold(
        begin(store, [outline(ONE)], {ONE.id: ONE}, OfflineExaminer(), session="5e55107701"),
        [commands.Answer(ANSWER), commands.EndInterview()],
    )
    finished = load(store, "5e55107701")
    async with asyncio.timeout(120):
        return await asyncio.gather(
            direct("judge", address, patience, lambda each: each.judge(CONTEXT)),
            direct("listen", address, patience, lambda each: each.listen(CONTEXT)),
            direct("ask", address, patience, lambda each: each.ask(CONTEXT, Probe("beta"))),
            direct("grade", address, patience, lambda each: grade_answer(each, ONE, ANSWER)),
            direct("regrade", address, patience, lambda each: regrade(finished, each)),
            in_doctor(address, patience),
            in_interview(store, address, patience),
        )


def hold_to(cells: list[Cell], said: str) -> None:
    for cell in cells:
        assert not _NOT_PLAIN.search(cell.outcome), cell
        assert cell.outcome == READ or re.search(f"{said}|{_DOCTOR_SAYS}", cell.outcome), cell
    assert any(cell.outcome != READ for cell in cells)


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_is_a_sentence_and_costs_no_answer(store: Store, fault: str) -> None:
    behaviour, said = FAULTS[fault]
    async with serving(behaviour) as (address, _):
        patience = SILENCE if fault in SILENT else PATIENCE
        hold_to(await in_every_phase(store, address, patience), said)


async def test_so_is_a_server_that_is_not_there(store: Store) -> None:
    async with serving(hangs_up) as (address, _):
        pass
    hold_to(await in_every_phase(store, address), "Nothing accepts connections")


async def test_so_is_a_server_that_speaks_no_tls(store: Store) -> None:
    async with serving(says("400 Bad Request"), listens=False) as (address, _):
        secure = address.replace("http", "https", 1)
        hold_to(await in_every_phase(store, secure), "No secure connection")


async def test_so_is_a_host_that_has_no_address(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unknown(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
    cells = await in_every_phase(store, "http://models.example/v1")
    hold_to(cells, "cannot be resolved")


async def test_and_a_stream_cut_at_any_byte() -> None:
    for length in range(0, len(WHOLE), 7):
        async with serving(sends(STREAM, WHOLE[:length])) as (address, _):
            cell = await direct(
                "ask", address, PATIENCE, lambda each: each.ask(CONTEXT, Probe("beta"))
            )
            assert not _NOT_PLAIN.search(cell.outcome), (length, cell)
