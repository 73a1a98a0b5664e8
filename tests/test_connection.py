"""The connection test of the settings over real sockets: each cause by its own sentence."""

from __future__ import annotations

import asyncio
import re
import ssl
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.endpoint import Body, StubEndpoint
from support.hostile_server import Line, serving

from interviewer.diagnosis import Check, endpoint_checks
from interviewer.settings import load_settings

READY = '{"criteria": [{"id": "ready", "evidence": "", "verdict": "met", "missing": ""}]}'
CERTIFICATE = Path(__file__).parent / "support" / "self_signed.pem"


@pytest.fixture(autouse=True)
def _no_waits_between_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interviewer.examiner.llm.client.sleep", lambda _: asyncio.sleep(0))


def said_of(address: str, model: str = "stub", key: str | None = None) -> list[Check]:
    settings = replace(load_settings(), base_url=address, model=model, api_key=key)
    return list(endpoint_checks(settings))


async def only_one(address: str, name: str, *words: str) -> None:
    """The test ends there, with this sentence."""
    checks = await asyncio.to_thread(said_of, address, key="sk-given")
    assert (checks[-1].name, checks[-1].status) == (name, "failed")
    assert [word for word in words if word not in checks[-1].message] == []
    assert all(check.status == "ok" for check in checks[:-1])


async def refuses(line: Line) -> None:
    await line.head("Content-Type: application/json", status="401 Unauthorized")
    await line.send(b'{"error": {"message": "no"}}')


@asynccontextmanager
async def with_tls() -> AsyncIterator[str]:
    """A server behind a certificate that nobody signed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", ssl=context)
    async with server:
        yield f"https://localhost:{server.sockets[0].getsockname()[1]}/v1"


async def test_each_cause_has_its_own_sentence() -> None:
    await only_one("http://models.invalid/v1", "address", "models.invalid", "cannot be resolved")
    async with with_tls() as address:
        await only_one(address, "address", "certificate", "SSL_CERT_FILE")
    async with serving(refuses, listens=False) as (address, _):
        await only_one(address.replace("http", "https", 1), "address", "write http://")
    async with serving(refuses) as (address, _):
        await only_one(address, "key", "does not accept the key", "OPENAI_API_KEY")
    await only_one(address, "address", "Nothing accepts connections")


def test_all_is_well_and_how_fast_or_there_is_no_json() -> None:
    with StubEndpoint(words=("ready",), judge=lambda _: READY) as server:
        checks = {check.name: check for check in said_of(server.base_url)}
        server.judge = lambda _: "Sure! I am ready."
        unread = {check.name: check.status for check in said_of(server.base_url, "other")}
    assert {check.status for check in checks.values()} == {"ok"}
    assert re.search(r"the first after \d+ ms\.", checks["streaming"].message)
    assert (unread["structured output"], unread["streaming"]) == ("warning", "ok")


async def test_a_model_that_is_not_there() -> None:
    answers = [
        ("200 OK", b'{"object": "list", "data": [{"id": "tiny", "object": "model"}]}'),
        ("404 Not Found", b'{"error": {"message": "model not found", "type": "api_error"}}'),
    ]

    async def as_ollama(line: Line) -> None:
        status, body = answers.pop(0)
        await line.head("Content-Type: application/json", status=status)
        await line.send(body)

    async with serving(as_ollama) as (address, _):
        await only_one(address, "model", "no model 'stub'", "The server lists tiny.")


def test_each_result_is_told_before_the_next_is_known() -> None:
    """A model that loads may take a minute for its first word."""
    asked, goes_on = threading.Event(), threading.Event()

    def loads(_: Body) -> str:
        asked.set()
        assert goes_on.wait(60)
        return READY

    with StubEndpoint(words=("ready",), judge=loads) as server:
        settings = replace(load_settings(), base_url=server.base_url, model="stub")
        checks = endpoint_checks(settings)
        assert next(checks).name == "address"
        goes_on.set()
        assert [check.name for check in checks][-1] == "streaming"
    assert asked.is_set()
