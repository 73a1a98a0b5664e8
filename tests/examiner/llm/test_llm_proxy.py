"""Proxies of the environment: none for this machine, and a name for the one in front of another."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from support.tables import table

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.check import check, list_models
from interviewer.examiner.llm.client import ChatClient, ChatRequest
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.messages import Message

CASES = table("cases", __file__)["llm_proxy"]

VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
REQUEST = ChatRequest("ask", "test", (Message("user", "Well?"),), 100, 0.0, 4000)
ANSWER = {"choices": [{"message": {"content": "Fine."}, "finish_reason": "stop"}]}
MODELS = {"data": [{"id": "tiny"}]}
SECRET = "sk-secret"


@asynccontextmanager
async def listening(host: str, replies: bool) -> AsyncIterator[tuple[int, bytearray]]:
    """A socket's port and all bytes that came there; a model server if it ``replies``."""
    came = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            came.extend(data)
            if not replies:
                break
            if came.endswith(b"}") or data.startswith(b"GET"):
                body = json.dumps(MODELS if data.startswith(b"GET") else ANSWER).encode()
                head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        writer.close()

    server = await asyncio.start_server(serve, host, 0)
    async with server:
        yield server.sockets[0].getsockname()[1], came


@asynccontextmanager
async def behind_proxy(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> AsyncIterator[bytearray]:
    """All that reaches the proxy which these variables name."""
    async with listening("127.0.0.1", replies=False) as (port, came):
        for name in names:
            monkeypatch.setenv(name, f"http://user:word@127.0.0.1:{port}")
        yield came


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "NO_PROXY", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize("written", [(str.upper,), (str.lower,), (str.upper, str.lower)])
@pytest.mark.parametrize(("bound", "host"), CASES["this machine"])
async def test_nothing_for_this_machine_reaches_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
    bound: str,
    host: str,
    written: tuple[Callable[[str], str], ...],
) -> None:
    names = tuple(each(name) for each in written for name in VARIABLES)
    async with AsyncExitStack() as stack:
        try:
            port, served = await stack.enter_async_context(listening(bound, replies=True))
        except OSError:
            pytest.skip(f"{bound} is not available here")
        proxied = await stack.enter_async_context(behind_proxy(monkeypatch, names))
        endpoint = Endpoint(f"http://{host}:{port}/v1", SECRET, "tiny", timeout=20)
        client = ChatClient(endpoint)
        assert await client.speak(REQUEST) == "Fine."
        await client.aclose()
        assert await list_models(endpoint) == ("tiny",)
        assert [line.ok async for line in check(endpoint)][:3] == [True] * 3
        assert endpoint.route == endpoint.address
        assert served.count(SECRET.encode()) >= 4
        assert len(proxied) == 0


async def test_another_address_goes_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with behind_proxy(monkeypatch, ("http_proxy",)) as proxied:
        endpoint = Endpoint("http://models.example/v1", SECRET, "tiny", timeout=20)
        with pytest.raises(ExaminerError):
            await list_models(endpoint)
        assert b"models.example" in proxied
        assert endpoint.route.startswith(
            "http://models.example/v1 through the proxy http://127.0.0.1:"
        )
        assert "word" not in endpoint.route


@pytest.mark.parametrize(("address", "excepted", "told"), CASES["routes"])
def test_who_names_the_way_reads_the_variables_as_the_client_does(
    monkeypatch: pytest.MonkeyPatch, address: str, excepted: str, told: str
) -> None:
    monkeypatch.setenv("https_proxy", "http://user:word@proxy.example:3128")
    monkeypatch.setenv("ALL_PROXY", "other.example:8080")
    monkeypatch.setenv("NO_PROXY", excepted)
    assert Endpoint(address, None, "tiny").route == f"{address}{told}"


@pytest.mark.parametrize(("name", "value", "told"), CASES["environments"])
async def test_an_environment_that_cannot_do_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value.format(here=__file__))
    with pytest.raises(ExaminerError, match=told) as caught:
        await list_models(Endpoint("https://models.example/v1", SECRET, "tiny", timeout=20))
    assert str(caught.value).isprintable()
    assert "word@" not in str(caught.value)
    if name.endswith("PROXY"):
        async with listening("127.0.0.1", replies=True) as (port, _):
            here = Endpoint(f"http://127.0.0.1:{port}/v1", None, "tiny")
            assert await list_models(here) == ("tiny",)


@pytest.mark.parametrize(("scheme", "head", "told"), CASES["proxies"])
async def test_what_a_proxy_says_is_not_laid_on_the_server_alone(
    monkeypatch: pytest.MonkeyPatch, scheme: str, head: str, told: str
) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65536)
        writer.write(f"HTTP/1.1 {head}\r\nConnection: close\r\n\r\n<p>Log in".encode())
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setenv(f"{scheme}_proxy", f"http://me:word@127.0.0.1:{port}")
        with pytest.raises(ExaminerError, match=told) as caught:
            await list_models(Endpoint(f"{scheme}://models.example/v1", SECRET, "tiny", timeout=20))
    assert f"http://127.0.0.1:{port}" in str(caught.value)
    assert "word@" not in str(caught.value)
