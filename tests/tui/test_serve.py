"""The front end in a browser: who may use it, and that it is the same front end."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientConnectorError, ClientSession, WSCloseCode
from aiohttp.test_utils import TestClient, TestServer, unused_port
from support.tables import table

from tui.actions import ACTIONS, problems
from tui.keyboard import GRACE
from tui.serve import IN_A_BROWSER, GuardedServer, is_local, server

CASES = table("serve", __file__)

pytestmark = pytest.mark.slow
ANSWER = "It keeps the variance at one."


async def client_of(guarded: GuardedServer) -> TestClient[Any, Any]:
    app = await guarded._make_app()
    return TestClient(TestServer(app, host="127.0.0.1"))


@pytest.fixture
async def local(tmp_path: Path) -> AsyncIterator[TestClient[Any, Any]]:
    flags = {"database": str(tmp_path / "sessions.db"), "examiner": "offline"}
    async with await client_of(server("127.0.0.1", 8765, flags)) as client:
        yield client


@pytest.fixture
async def guarded() -> AsyncIterator[TestClient[Any, Any]]:
    async with await client_of(GuardedServer("true", "0.0.0.0", 8765, "s3cret")) as client:
        yield client


@pytest.mark.parametrize(("host", "local"), CASES["only_this_machine_needs_no_token"])
def test_only_this_machine_needs_no_token(host: str, local: bool) -> None:
    assert is_local(host) is local
    assert (server(host, 8765, {}).token is None) is local


async def test_the_page_loads_nothing_from_elsewhere(local: TestClient[Any, Any]) -> None:
    page = await local.get("/")
    assert page.status == 200
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    assert f"ws://{local.host}:{local.port}/ws" in await page.text()


@pytest.mark.parametrize(
    "headers",
    [{"Host": "attacker.example"}, {"Origin": "https://attacker.example"}],
)
@pytest.mark.parametrize("path", ["/", "/ws"])
async def test_another_site_cannot_use_it(
    local: TestClient[Any, Any], path: str, headers: dict[str, str]
) -> None:
    answer = await local.get(path, headers=headers)
    assert answer.status == 403


async def test_a_malformed_address_is_a_bad_request(local: TestClient[Any, Any]) -> None:
    values = ("[::1", "a b", "http://[", "localhost:99999999", "é", "x/y", "@")
    for header, value, path in product(("Host", "Origin"), values, ("/", "/ws")):
        assert (await local.get(path, headers={header: value})).status == 400


JUNK = (
    *("", "{", "3", "[]", "[" * 100_000, '["quit"]', '["stdin", 3]', '["resize", 80, 24]'),
    *('["resize", {"width": "x", "height": 3}]', '["resize", {"width": 1e9, "height": 3}]'),
    *('["resize", {"width": 1000000000, "height": 3}]', '["resize", {"width": 80}]'),
)


async def test_junk_closes_the_tab_and_says_nothing(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async with await client_of(GuardedServer("true", "127.0.0.1", 8765, None)) as client:
        assert (await client.get("/ws")).status == 400
        for junk in JUNK:
            async with client.ws_connect("/ws") as tab:
                await tab.send_str('["ping", "1"]')
                assert await tab.receive_json() == ["pong", "1"]
                await tab.send_str(junk)
                assert (await tab.receive()).data == WSCloseCode.UNSUPPORTED_DATA
    assert "Traceback" not in caplog.text + "".join(capfd.readouterr())


def test_no_key_of_ours_is_one_that_browsers_keep() -> None:
    keys = {action.id: action.keys for action in ACTIONS} | IN_A_BROWSER
    first = {action: given.split(",")[0] for action, given in keys.items()}
    kept = {"ctrl+t", "ctrl+w", "ctrl+n"}
    assert {action for action, key in first.items() if key in kept} <= {"answer.cursor_down"}
    assert not [*problems(IN_A_BROWSER)]


async def test_beyond_this_machine_nothing_goes_without_the_token(
    guarded: TestClient[Any, Any],
) -> None:
    for path in ("/", "/ws", "/static/js/textual.js", "/?token=wrong"):
        assert (await guarded.get(path)).status == 403
    assert (await guarded.get("/?token=s3cret")).status == 200
    assert (await guarded.get("/static/js/textual.js")).status == 200  # by the cookie


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """Where a server of its own process listens."""
    command = (sys.executable, "-m", "interviewer", "--database", str(tmp_path / "sessions.db"))
    serving = await asyncio.create_subprocess_exec(
        *command, "serve", "--port", str(unused_port()), stdout=PIPE
    )
    assert serving.stdout
    try:
        line = (await serving.stdout.readline()).decode()
        yield line.removeprefix("Open ").strip()
    finally:
        serving.terminate()
        await serving.communicate()


async def test_the_first_key_starts_a_sprint_and_an_answer_is_sent(
    address: str, tmp_path: Path
) -> None:
    async with asyncio.timeout(120), ClientSession() as session:
        for _ in range(600):
            if await listens(session, address):
                break
            await asyncio.sleep(0.1)
        async with session.ws_connect(f"{address}ws?width=100&height=30") as tab:
            await saw(tab, b"enter")
            await tab.send_json(["focus"])
            await saw(tab, b"New mock")  # in the footer, which waits for the focus
            await asyncio.sleep(GRACE + 0.3)
            await tab.send_json(["stdin", "\r"])
            await saw(tab, b"Interviewer: Mira", b"Don't know")
            await asyncio.sleep(GRACE + 0.3)
            await tab.send_json(["stdin", f"{ANSWER}\x13"])
            for _ in range(600):
                if ANSWER in said_in(tmp_path / "sessions.db"):
                    return
                await asyncio.sleep(0.1)
    raise AssertionError("the answer was not stored")


def said_in(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM turns")]


async def saw(tab: Any, *words: bytes) -> None:
    """Wait until the tab has been sent all of these words, be it at once."""
    seen = b""
    async for message in tab:
        seen += message.data if isinstance(message.data, bytes) else b""
        if all(each in seen for each in words):
            return
    raise AssertionError(f"the tab was closed before it showed {words!r}")


async def listens(session: ClientSession, address: str) -> bool:
    try:
        async with session.get(address.partition("ws?")[0]):
            return True
    except ClientConnectorError:
        return False


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = subprocess.run(
            (sys.executable, "-m", "interviewer", "serve", "--port", str(port)),
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert ran.returncode == 1
    assert f"Cannot listen on 127.0.0.1:{port}" in ran.stderr
    assert "Traceback" not in ran.stderr
