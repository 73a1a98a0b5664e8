"""What can be wrong with an endpoint: a table of faults, each played by a server on this machine.

``FAULTS`` are quick to play, ``ENDLESS`` those that send far too much, too slowly or somewhere
else. A request may have wishes, in fields of its own: with ``only``, the fault strikes at that one
stage; with ``cut``, the connection breaks off after so many bytes of a good reply in that
``framing``.
"""

from __future__ import annotations

import asyncio
import json
import socket
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, get_args

from interviewer.examiner.llm.client import LONGEST_ERROR
from interviewer.examiner.llm.conversation import topics_of
from interviewer.examiner.llm.replies import LONGEST_VALUE
from support.fake_endpoint import findings, heard, judged
from support.hostile_server import Behaviour, Line, serving
from support.rubrics import a_rubric
from support.tables import table

ONE = a_rubric()
STREAM, JSON = "text/event-stream", "application/json"
AS_STREAM, AS_JSON = f"Content-Type: {STREAM}", f"Content-Type: {JSON}"
SILENCE = 3.0
"""Seconds that a call may take where silence is the fault."""
PATIENCE = 30.0
"""Seconds of it where something else is, and a busy machine must not be taken for one."""


@dataclass(frozen=True)
class Fault:
    """A fault, and the sentences that may tell of it, as a pattern."""

    says: str
    behaviour: Behaviour
    patience: float = PATIENCE
    """Seconds that a call may take."""
    listens: bool = True
    """False: it behaves so before anything is asked."""
    gone: bool = False
    """Nothing is there at all."""
    at: Callable[[str], str] = str
    """The address that is used, given the server's own."""
    nameless: bool = False
    """The host has no address: see :func:`without_names`."""


@asynccontextmanager
async def struck_by(fault: Fault) -> AsyncIterator[str]:
    async with serving(_chosen(fault.behaviour), listens=fault.listens) as (address, _):
        if not fault.gone:
            yield fault.at(address)
    if fault.gone:
        yield address


def without_names() -> None:
    """From now on no host has an address in the running event loop."""

    async def unknown(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    asyncio.get_running_loop().getaddrinfo = unknown  # type: ignore[method-assign, assignment]


def _chosen(behaviour: Behaviour) -> Behaviour:
    """The behaviour, unless the request wishes for something else."""

    async def answer(line: Line) -> None:
        request = line.request
        if "cut" in request:
            reply = whole_reply(stage_of(request), request["framing"])
            await line.send(reply[: request["cut"]])
        elif request.get("only", stage_of(request)) != stage_of(request):
            await answers(line)
        else:
            await behaviour(line)

    return answer


# -- replies as they should be ---------------------------------------------------------

LEAKING = "Is it that gamma is third, since alpha is first?"
"""Words that may not be said: they give the reference away."""
GOOD = {
    "judge": judged(
        {"id": id_, "evidence": quote, "verdict": verdict, "missing": "how it fares over √d"}
        for id_, quote, verdict in (
            ("alpha", "alpha effect decides it", "met"),
            ("beta", "beta term vanishes early", "partial"),
            ("gamma", "", "not_met"),
        )
    ),
    "check": findings(ready="met"),
    "listen": heard("answer", say=[("probe", topics_of(ONE)["beta"], LEAKING)]),
    "figures": json.dumps({"figures": [], "circumstances": [], "objection": ""}),
    "giveaways": json.dumps({"utterances": []}),
    "ask": "Which of these terms would you look at first in a run of your own – and why so?",
}
"""By stage. After this listener, the words of a follow-up have to be asked for."""


def stage_of(request: dict[str, Any]) -> str:
    form = request.get("response_format")
    if form is None:
        return "ask"
    fields = form["json_schema"]["schema"]["properties"]
    if "ready" in json.dumps(fields):
        return "check"
    stages = {"criteria": "judge", "acts": "listen", "figures": "figures"}
    return next((stage for field, stage in stages.items() if field in fields), "giveaways")


Framing = Literal["stream", "chunked", "whole"]
FRAMINGS: tuple[Framing, ...] = get_args(Framing)
"""A stream that ends with its connection, one in HTTP's own chunks, and JSON of a told length."""


@cache
def whole_reply(stage: str, framing: Framing = "stream") -> bytes:
    """Status, head and body of a good reply, with a few words in each part of a stream."""
    words = GOOD[stage]
    if framing == "whole":
        choice = {"index": 0, "message": {"content": words}, "finish_reason": "stop"}
        body = json.dumps({"id": "1", "choices": [choice]}, ensure_ascii=False).encode()
        return _head(JSON, f"Content-Length: {len(body)}") + body
    parts = [chunk(words[start : start + 24]) for start in range(0, len(words), 24)]
    parts += [chunk(None, "stop"), b"data: [DONE]\n\n"]
    if framing == "stream":
        return _head(STREAM) + b"".join(parts)
    framed = (b"%x\r\n%b\r\n" % (len(part), part) for part in (*parts, b""))
    return _head(STREAM, "Transfer-Encoding: chunked") + b"".join(framed)


def _head(kind: str, *fields: str) -> bytes:
    lines = ("HTTP/1.1 200 OK", f"Content-Type: {kind}", "Connection: close", *fields, "", "")
    return "\r\n".join(lines).encode()


def chunk(content: str | None, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": content} if content else {}, "finish_reason": finish}
    told = json.dumps({"id": "1", "choices": [choice]}, ensure_ascii=False)
    return b"data: " + told.encode() + b"\n\n"


# -- behaviours ------------------------------------------------------------------------


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


def raw(*pieces: bytes) -> Behaviour:
    async def answer(line: Line) -> None:
        for piece in pieces:
            await line.send(piece)

    return answer


def over_and_over(
    piece: bytes, *fields: str, status: str = "200 OK", every: float = 0.0
) -> Behaviour:
    """The piece for ever, with ``every`` seconds between."""

    async def answer(line: Line) -> None:
        await line.head(*fields, status=status)
        while True:
            await line.send(piece)
            if every:
                await asyncio.sleep(every)

    return answer


async def forever() -> None:
    await asyncio.sleep(60)


async def answers(line: Line) -> None:
    await line.send(whole_reply(stage_of(line.request)))


async def is_silent(line: Line) -> None:
    await forever()


async def hangs_up(line: Line) -> None:
    return


async def never_begins(line: Line) -> None:
    await line.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        await line.send(b"X-More: and more\r\n" * 512)


async def interim(line: Line) -> None:
    while True:
        await line.send(b"HTTP/1.1 102 Processing\r\n\r\n")
        await asyncio.sleep(0.01)


def late(*pieces: bytes) -> Behaviour:
    """A stream that is kept alive for most of the time that it has, and then says this."""

    async def answer(line: Line) -> None:
        await line.head(AS_STREAM)
        for _ in range(6):
            await line.send(b": ping\n\n")
            await asyncio.sleep(SILENCE / 10)
        for piece in pieces:
            await line.send(piece)

    return answer


async def lures(line: Line) -> None:
    await line.head("Location: http://elsewhere.example/v1/chat", status="307 Moved")


@cache
def inflating_to(size: int) -> bytes:
    """So many spaces, packed."""
    packer = zlib.compressobj(wbits=31)
    block = b" " * (1 << 20)
    return b"".join(packer.compress(block) for _ in range(size >> 20)) + packer.flush()


def packed(size: int, status: str = "200 OK") -> Behaviour:
    async def answer(line: Line) -> None:
        fields = ("Content-Type: application/json", "Content-Encoding: gzip")
        await line.head(*fields, status=status)
        await line.send(inflating_to(size))

    return answer


def bulky(
    value: bytes, size: int, around: tuple[bytes, bytes], status: str = "200 OK"
) -> Behaviour:
    """JSON that ends, of about so many bytes, nearly all of it this value."""

    async def answer(line: Line) -> None:
        await line.head("Content-Type: application/json", status=status)
        await line.send(around[0] + value)
        piece = (b"," + value) * (65536 // (len(value) + 1))
        for _ in range(size // len(piece)):
            await line.send(piece)
        await line.send(around[1])

    return answer


SHORT = chunk('{"criteria": [') + chunk("]}", "stop") + b"data: [DONE]\n\n"
"""A reply that is whole, and says nothing."""
GONE = '{"error": {"message": "The model does not exist", "code": "model_not_found"}}'
_LATE = f"did not finish its reply within {SILENCE:g} seconds"
_STOPPED = "a reply without end, and it was stopped"

endless_line = over_and_over(b"x" * 65536, AS_STREAM)
endless_lines = over_and_over(b"data: {}\n\n" * 4096, AS_STREAM)
endless_json = over_and_over(b'[["' * 20000, AS_JSON)
silent = partial(Fault, patience=SILENCE)

FAULTS: dict[str, Fault] = {
    "refused": Fault("Nothing accepts connections", hangs_up, gone=True),
    "no such host": Fault(
        "cannot be resolved", hangs_up, nameless=True, at=lambda _: "http://models.example/v1"
    ),
    "no TLS": Fault(
        "speaks no https",
        says("400 Bad Request"),
        listens=False,
        at=lambda address: address.replace("http", "https", 1),
    ),
    **{
        name: Fault(told, says(status, *fields, **body))
        for name, told, status, fields, body in table("faults", __file__)
    },
    "model gone": Fault("INTERVIEWER_MODEL", says("404 Not Found", body=GONE)),
    "hangs up": Fault("failed or broke off", hangs_up),
    "slow headers": silent(f"sent nothing for {SILENCE:g} seconds", is_silent),
    "drip": silent(_LATE, over_and_over(b" ", AS_STREAM, every=SILENCE / 5)),
    "stall": silent(_LATE, sends(STREAM, SHORT[:50], then=forever)),
    "cut": Fault("broke off half-way|said nothing|empty reply", sends(STREAM, SHORT[:-40])),
    "web page": Fault(
        "other than a chat reply", sends("text/html", b"<html><body>Log in</body></html>")
    ),
    "picture": Fault("other than a chat reply", sends("image/png", b"\x89PNG\r\n\x1a\n" * 9)),
    "wrong charset": Fault("chat reply|broke off", sends(STREAM, b"data: \xff\xfe{\n\n")),
    "empty choices": Fault(
        "broke off|empty", sends(STREAM, b'data: {"id": "1", "choices": []}\n\n')
    ),
    "end before words": Fault(
        "empty reply|broke off|other than",
        sends(STREAM, chunk(None, "stop"), chunk("late"), b"data: [DONE]\n\n"),
    ),
    "content filter": Fault(
        "the server stopped the reply: content_filter",
        sends(STREAM, chunk(None, "content_filter"), b"data: [DONE]\n\n"),
    ),
    "cut off by length": Fault(
        "spent its whole reply|empty reply",
        sends(STREAM, chunk(None, "length"), b"data: [DONE]\n\n"),
    ),
}
"""Quick to play; a silence of minutes is one of seconds here."""

ENDLESS: dict[str, Fault] = {
    "endless line": Fault(_STOPPED, endless_line),
    "endless parts": Fault("said nothing|empty reply", endless_lines),
    "endless JSON": Fault(_STOPPED, endless_json),
    "endless web page": Fault(_STOPPED, over_and_over(b"<p>" * 20000, "Content-Type: text/html")),
    "endless headers": Fault("failed or broke off", never_begins),
    "endless error": Fault(
        "rejects the request", over_and_over(b"no tools here " * 4096, status="400 Bad Request")
    ),
    "50 MB error": Fault(
        "rejects the request",
        bulky(b"no", 50 << 20, (b'{"error": {"message": "', b'"}}'), "400 Bad Request"),
    ),
    "gzip bomb": Fault(_STOPPED, packed(128 << 20)),
    "gzip bomb, error": Fault("rejects the request", packed(128 << 20, "400 Bad Request")),
    "30 MB of lists": Fault(_STOPPED, bulky(b"[]", 30 << 20, (b'{"choices": [', b"]}"))),
    "lists, just allowed": Fault(
        "empty reply|broke off", bulky(b"[]", LONGEST_VALUE - 65536, (b'{"choices": [', b"]}"))
    ),
    "30 MB of words": Fault(
        _STOPPED,
        bulky(b"word", 30 << 20, (b'{"choices": [{"message": {"content": "', b'"}}]}')),
    ),
    "lists by the line": Fault(
        "said nothing|empty reply|broke off|" + _STOPPED,
        over_and_over(b"data: [" + b"[]," * (LONGEST_VALUE // 12) + b"0]\n\n", AS_STREAM),
    ),
    "deep JSON": Fault("other than a chat reply", sends(JSON, b"[" * (1 << 20))),
    "deep parts": Fault(
        "other than a chat reply", sends(STREAM, b"data: " + b"[" * (LONGEST_VALUE // 8) + b"\n\n")
    ),
    "deep error": Fault(
        "rejects the request", says("400 Bad Request", body="[" * (LONGEST_ERROR // 2))
    ),
    "pings for ever": silent(_LATE, over_and_over(b": ping\n\n", AS_STREAM, every=0.01)),
    "late and useless": silent(f"{_LATE}|said nothing|chat reply", late(SHORT)),
    "late and cut off": silent(
        f"{_LATE}|spent its whole reply|empty reply|chat reply",
        late(chunk("Let me think"), chunk(None, "length"), b"data: [DONE]\n\n"),
    ),
    "interim for ever": silent(f"sent nothing for {SILENCE:g} seconds", interim),
    "redirect elsewhere": Fault("answers are sent only where you said", lures),
    "redirect in circles": Fault("redirects in circles", says("307 Moved", "Location: /v1/again")),
    "no HTTP": Fault("failed or broke off", raw(b"SSH-2.0-OpenSSH_9.6\r\n")),
    "JSON that stalls": silent(_LATE, sends(JSON, b'{"choices', then=forever)),
    "fewer bytes than told": Fault(
        "broke off|chat reply",
        raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"),
    ),
    "disordered parts": Fault(
        "empty reply|broke off|said nothing",
        sends(
            STREAM, chunk("]}"), chunk('{"criteria": ['), b"data: [DONE]\n\n", chunk(None, "stop")
        ),
    ),
    "parts of no kind": Fault(
        "chat reply|broke off|empty reply|failed while answering",
        sends(STREAM, b"data: null\n\n", b"data: 5\n\n", b'data: ["x"]\n\n', b"data: [DONE]\n\n"),
    ),
    "words of no kind": Fault(
        "chat reply|broke off|empty reply",
        sends(STREAM, b'data: {"choices": [{"delta": 5, "finish_reason": ["stop"]}]}\n\n'),
    ),
}
"""Without end, too large, or elsewhere: played by the benchmark, in part by tests."""
