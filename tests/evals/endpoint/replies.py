"""What becomes of replies as servers and proxies in public reports send them.

A right end is the judgement, where the reply held it or the request could be adapted, else one
sentence with what the server meant. No wait between tries passes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import yaml
from evals.figures import Figure, count, share
from support.fake_endpoint import ALL, KEY, FakeEndpoint, context_of, said

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import endpoint

_FRAMING = {"content-length", "transfer-encoding", "content-encoding"}


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    rows = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    ends = {row["name"]: asyncio.run(_end(row)) for row in rows}
    right = [row["name"] for row in rows if _is_right(row, ends[row["name"]])]
    wrong = [f"{name}: {ends[name] or 'read'}" for name in ends.keys() - set(right)]
    yield share("right ends", len(right), len(rows), sorted(wrong))
    yield count("keys shown", [name for name, end in ends.items() if KEY in end], len(rows))


def _is_right(row: dict[str, Any], end: str) -> bool:
    if row["wanted"] == "read":
        return not end
    return bool(end) and re.search(row["says"], end, re.IGNORECASE) is not None


async def _end(row: dict[str, Any]) -> str:
    """What is told; "" where there is a verdict on every point."""
    endpoint.forget()
    server = FakeEndpoint()
    server.will(*map(_reply, row["sends"]), *([said(ALL)] if row["then"] == "good" else []))
    try:
        with patch("interviewer.examiner.llm.client.sleep", _no_time):
            judgement = await server.examiner().judge(context_of())
    except ExaminerError as error:
        return str(error)
    return "; ".join(v.reason for v in judgement.findings if v.verdict is None)


def _reply(sent: dict[str, Any]) -> httpx.Response:
    words = json.dumps(ALL)
    text = sent["body"].replace("{WORDS_JSON}", words).replace("{WORDS}", words[1:-1])
    headers = {k: str(v) for k, v in (sent.get("headers") or {}).items()}
    kept = {k: v for k, v in headers.items() if k.lower() not in _FRAMING}
    return httpx.Response(sent["status"], content=text.encode(), headers=kept)


async def _no_time(seconds: float) -> None:
    del seconds
