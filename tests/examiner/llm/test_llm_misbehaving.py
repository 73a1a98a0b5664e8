"""A table of what servers really send: read all the same, or told in their own words."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from support.fake_endpoint import ALL, KEY, FakeEndpoint, chunk, context_of, said

from interviewer.errors import ExaminerError

TABLE = yaml.safe_load(Path(__file__).with_name("misbehaving_servers.yaml").read_text("utf-8"))
NOT_HEADERS = {"name", "body", "status", "reads", "tells", "waits", "formats", "caps", "ends"}
NOT_HEADERS |= {"bytewise", "then", "times", "tries", "type"}
CAP = 1504
"""Of a judgement of three criteria."""


def whole(**message: Any) -> str:
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]})


def tool(arguments: str, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{"function": {"name": "reply", "arguments": arguments}, **more}]}


def event(value: object) -> str:
    return f"data: {json.dumps(value)}\n\n"


FINISHED = chunk(ALL, "stop")
WORDS = {
    "chunk": event(FINISHED),
    "unfinished": event(chunk(ALL)),
    "end": event(chunk(finish="stop")) + "data: [DONE]\n\n",
    "json": json.dumps(FINISHED),
    "json_end": json.dumps(chunk(finish="stop")),
    "lines": "\n".join(f"data: {line}" for line in json.dumps(FINISHED, indent=1).split("\n")),
    "whole": whole(content=ALL),
    "pretty": json.dumps(json.loads(whole(content=ALL)), indent=2),
    "in_parts": whole(
        content=[{"type": "text", "text": ALL[:9]}, {"type": "text", "text": ALL[9:]}]
    ),
    "as_object": whole(content=json.loads(ALL)),
    "in_tool": whole(content=None, **tool(ALL)),
    "in_function": whole(content=None, function_call={"name": "reply", "arguments": ALL}),
    "tool_pieces": event(chunk(None, **tool(ALL[:30], index=0)))
    + event(chunk(None, **tool(ALL[30:], index=0))),
    "key": KEY,
    "cap": str(CAP),
    "prompt": "3500",
    "over": str(3500 + CAP),
}


def reply(row: dict[str, Any]) -> httpx.Response:
    text: str = row["body"]
    for name, value in WORDS.items():
        text = text.replace(f"{{{name}}}", value)
    body = text.replace("\n", row.get("ends", "\n")).encode()

    async def one_by_one() -> AsyncIterator[bytes]:
        for place in range(len(body)):
            yield body[place : place + 1]

    headers = {name: value for name, value in row.items() if name not in NOT_HEADERS}
    headers["content-type"] = row.get("type", "text/event-stream")
    content = one_by_one() if row.get("bytewise") else body
    return httpx.Response(row.get("status", 200), content=content, headers=headers)


@pytest.mark.parametrize("row", TABLE, ids=[row["name"] for row in TABLE])
async def test_each_comes_to_its_right_end(
    server: FakeEndpoint, waits: list[float], row: dict[str, Any]
) -> None:
    good = [said(ALL)] if row.get("then") == "good" else []
    server.will(*(reply(row) for _ in range(row.get("times", 1))), *good)
    examiner = server.examiner()
    if "reads" in row:
        judgement = await examiner.judge(context_of())
        assert [finding.criterion for finding in judgement.findings] == ["alpha", "beta", "gamma"]
        assert judgement.flags == frozenset()
    else:
        with pytest.raises(ExaminerError, match=f"(?s){row['tells']}") as caught:
            await examiner.judge(context_of())
        assert str(caught.value).isprintable()
        assert KEY not in str(caught.value) + repr(examiner.drain_calls())
    assert len(server.requests) == row.get("tries", len(server.requests))
    assert waits[: len(row.get("waits", []))] == [pytest.approx(w) for w in row.get("waits", [])]
    formats = [(body.get("response_format") or {}).get("type") for body in server.bodies]
    assert formats == row.get("formats", formats)
    caps = [body["max_tokens"] for body in server.bodies]
    assert [b for a, b in zip(row.get("caps", []), caps, strict=False) if a] == [
        cap for cap in row.get("caps", []) if cap
    ]
