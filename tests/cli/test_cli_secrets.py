"""A whole life of the program with a key to find: it is in no file and on no screen.

Nor is any file that it made, or folder, open to others, even where the umask would have it so.
"""

from __future__ import annotations

import json
import os
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote

import keyring
import pytest
from support.command_line import FULL_ANSWER, PLAN, RUBRIC, call, called, write_script
from support.endpoint import StubEndpoint
from support.keyrings import InMemory

from interviewer.settings import config_file, load_settings
from tui.engine import Engine

KEY = "sk-bait/4711+never=kept"
PASSWORD = "bait?word/0815"
"""Each reads differently in an address and in base 64."""


def forms(secret: str) -> Iterator[str]:
    """The secret as it is, in an address, and in base 64 wherever it begins in the text."""
    yield from (secret, quote(secret), quote(secret, safe=""), json.dumps(secret)[1:-1])
    for before in range(3):
        encoded = b64encode(b" " * before + secret.encode()).decode()
        yield encoded[(0, 2, 3)[before] : (len(secret) + before) // 3 * 4]


FORMS = {form.encode().lower() for secret in (KEY, PASSWORD) for form in forms(secret)}


def found_in(data: bytes) -> list[bytes]:
    """The forms of a secret that are in the data."""
    folded = data.lower()
    return [form for form in FORMS if form in folded]


@contextmanager
def repeating(status: int) -> Iterator[str]:
    """An endpoint that refuses everything, and repeats all that it was told of who asks."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            told = " ".join(self.headers.values())
            secret = b64encode(f"someone:{PASSWORD}".encode()).decode()
            said = f"{told} {KEY} {quote(KEY, safe='')} {PASSWORD} {unquote(self.path)} {secret}"
            body = json.dumps({"error": {"message": said, "type": said, "code": KEY}}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def open_umask() -> Iterator[None]:
    """As lax as can be: whoever says nothing of permissions makes files for all to write."""
    before = os.umask(0)
    yield
    os.umask(before)


class Life:
    """What someone does with the program, and all that it says meanwhile."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.said = ""
        self._out = folder / "out"
        self._patch = patch
        self._out.mkdir(mode=0o700)
        self.own = {self._out / "script.yaml", self._out / "end.yaml"}
        """Files of the person."""

    def at(self, address: str) -> None:
        """Use this endpoint, by an address with a name and a password in it."""
        told = address.replace("//", f"//someone:{quote(PASSWORD, safe='')}@")
        self._patch.setenv("OPENAI_BASE_URL", told)

    def does(self, *arguments: str | Path, stdin: str = "") -> str:
        result = call("--debug", *arguments, stdin=stdin)
        self.said += result.output + str(result.exception or "")
        return result.stdout

    def interview(self) -> str:
        """One that a model examines and that is graded again; returns its id."""
        script = write_script(self._out / "script.yaml", FULL_ANSWER)
        for status in (400, 401):
            with repeating(status) as address:
                self.at(address)
                self.does("doctor")
                self.does("run", "--plan", PLAN, "--examiner", "llm", "--script", script)
                self.does("grade", RUBRIC, "--answer", script, "--examiner", "llm")
        with StubEndpoint() as stub:
            self.at(stub.base_url)
            assert "The key is accepted." in self.does("doctor")
            end = write_script(self._out / "end.yaml", FULL_ANSWER, "/end")
            self.does("run", "--plan", PLAN, "--examiner", "llm", "--script", end, "--json")
            (finished, *_) = [
                each["id"]
                for each in json.loads(called("sessions", "list", "--json").stdout)
                if each["status"] == "finished"
            ]
            self.does("sessions", "regrade", finished, "--examiner", "llm", "--yes")
        return str(finished)

    def looks_back(self, session: str) -> None:
        """All that is written and shown of it."""
        for words in (
            ["show", session],
            ["show", session, "--json"],
            ["list"],
        ):
            self.does("sessions", *words)
        for form in ("md", "html", "csv", "json"):
            assert self.does("sessions", "export", session, "--format", form)
        self.does("sessions", "backup")
        self.does("sessions", "diff", session)
        self.does("sessions", "search", "variance")

    def uses_the_screen(self, session: str) -> None:
        """What only the screen does: the keyring, an export by key, a tick, drafts."""
        before = keyring.get_keyring()
        backend = InMemory()
        keyring.set_keyring(backend)
        try:
            self._patch.delenv("OPENAI_API_KEY")
            with repeating(400) as address:
                self.at(address)
                engine = Engine(load_settings())
                engine.keep_key(KEY)
                assert "[key]" in self.does("doctor")
            assert list(backend.kept.values()) == [KEY]
        finally:
            keyring.set_keyring(before)
        engine.export(session)
        engine.drafts("bench").save("attn", "weights = softmax(Q)")
        engine.bench_tries().record("attn", passed=True, now=datetime.now(UTC))
        engine.drafts("rubrics").save("mine", "title: Mine")
        engine.store.close()


@pytest.mark.usefixtures("config", "open_umask")
def test_the_key_is_nowhere_and_every_file_is_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    not_ours = set(tmp_path.rglob("*"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("INTERVIEWER_SANDBOX_PYTHON", "/no/such/python")
    config_file.save(tmp_path / "config", {"model": "stub", "theme": "nord"})
    life = Life(tmp_path, monkeypatch)
    session = life.interview()
    life.looks_back(session)
    life.uses_the_screen(session)

    assert found_in(life.said.encode()) == []
    made = set(tmp_path.rglob("*")) - not_ours
    files = {path for path in made if path.is_file()}
    assert len(files) >= 10
    assert {str(path): found for path in files if (found := found_in(path.read_bytes()))} == {}
    assert "set OPENAI_API_KEY" not in life.said
    assert "[key]" in life.said
    modes = {path: path.stat().st_mode & 0o777 for path in made - life.own}
    assert {path: oct(mode) for path, mode in modes.items() if mode & 0o077} == {}
