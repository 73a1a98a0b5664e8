"""What hostile code is let loose on: a home with secrets, listeners, a process beside it.

Everything lies in a temporary folder and is looked at from outside. Run by root, the one attempt on
every process of the user only asks whether it could.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.children import Ended
from interviewer.sandbox.client import Worker
from interviewer.sandbox.jobs import Draw, FunctionSource, function_job

SECONDS = 2.0
BEGUN = "begun"
Snippet = dict[str, Any]


def snippets() -> list[Snippet]:
    return list(yaml.safe_load(Path(__file__).with_name("snippets.yaml").read_text()))


def job(code: str, inputs: Mapping[str, dict[str, Any]] | None = None) -> bytes:
    """A check whose function ``f`` is this source, on one draw."""
    challenge = Challenge.model_validate(
        {
            "id": "hostile",
            "version": 1,
            "title": "Hostile",
            "kind": "implementation",
            "task": "None.",
            "inputs": inputs or {},
            "answer": [{"name": "y"}],
            "reference": "def f():\n    return 0",
            "solution": "None.",
        }
    )
    return function_job(challenge, [Draw(1, 1.0, {})], FunctionSource(code, "f", 1))


async def attempted(
    worker: Worker, snippet: Snippet, targets: Targets, shown: Callable[[bytes], bytes] = bytes
) -> Outcome:
    """What came of a snippet behind this worker's walls; it must have been run at all."""
    code = f"print({BEGUN!r}, flush=True)\n{targets.fill(snippet['code'])}"
    begun = time.monotonic()
    reply = await worker.run(job(code), seconds=snippet.get("seconds", SECONDS))
    assert reply.output.startswith(BEGUN.encode()), "its failure would prove nothing"
    return Outcome(
        shown(reply.output) + reply.records,
        time.monotonic() - begun,
        answered=reply.ended is Ended.DONE and not reply.records,
        host_died=reply.ended is Ended.WORKER_DIED,
    )


@dataclass
class Outcome:
    """What a run came to."""

    text: bytes
    seconds: float
    answered: bool = False
    host_died: bool = False


@dataclass
class Targets:
    """The victim. ``key`` stands in the environments of this process and of the one beside it."""

    root: Path
    ssh: str = field(default_factory=lambda: "ssh" + secrets.token_hex(12))
    key: str = field(default_factory=lambda: "key" + secrets.token_hex(12))
    tag: str = field(default_factory=lambda: "bench-" + secrets.token_hex(8))
    heard: dict[str, bytes] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.home, self.shared = self.root / "home", self.root / "shared"

    def fill(self, text: str) -> str:
        known = {
            "HOME": str(self.home),
            "HOMENAME": self.home.name,
            "SHARED": str(self.shared),
            "SSH": self.ssh,
            "KEY": self.key,
            "TAG": self.tag,
            "TCP": str(self.ports["tcp"]),
            "UDP": str(self.ports["udp"]),
            "KILL": "0" if os.getuid() == 0 else "9",
        }
        return re.sub("@([A-Z]+)@", lambda match: known[match[1]], text)

    def harmed(
        self, snippet: Snippet, outcome: Outcome, bystander: subprocess.Popen[bytes]
    ) -> bool:
        time.sleep(snippet.get("late", 0.05))
        seen = {
            "printed": lambda want: re.search(self.fill(want).encode(), outcome.text) is not None,
            "exists": lambda want: Path(self.fill(want)).exists(),
            "missing": lambda want: not Path(self.fill(want)).exists(),
            "heard": lambda want: bool(self.heard.get(want)),
            "killed": lambda want: (
                outcome.host_died if want == "host" else bystander.poll() is not None
            ),
            "runs_on": lambda _: outcome.seconds > snippet.get("seconds", SECONDS) + 5,
            "flood": lambda _: len(outcome.text) > 1 << 20,
            "answered": lambda _: outcome.answered,
        }
        return any(seen[kind](want) for kind, want in snippet.items() if kind in seen)


@contextmanager
def victim(folder: Path) -> Iterator[tuple[Targets, subprocess.Popen[bytes]]]:
    """A fresh one; nothing of it stays."""
    targets = Targets(folder / secrets.token_hex(4))
    for place in (targets.home / ".ssh", targets.home / "notes", targets.shared):
        place.mkdir(parents=True)
    (targets.home / ".ssh" / "id_rsa").write_text(targets.ssh)
    (targets.home / "notes" / "one.txt").write_text("a note")
    held = os.open(targets.home / ".ssh" / "id_rsa", os.O_RDONLY)
    os.set_inheritable(held, True)
    environment = {**os.environ, "API_KEY": targets.key}
    os.environ["API_KEY"] = targets.key
    bystander = subprocess.Popen(["sleep", "120"], env=environment)
    try:
        with _listeners(targets):
            yield targets, bystander
    finally:
        os.environ.pop("API_KEY")
        os.close(held)
        bystander.kill()
        bystander.wait()
        shutil.rmtree(targets.root, ignore_errors=True)
        for left in (f"/tmp/{targets.tag}", *(f"/dev/shm/{targets.tag}{n}" for n in ("", "big"))):
            Path(left).unlink(missing_ok=True)


@contextmanager
def _listeners(targets: Targets) -> Iterator[None]:
    tcp = socket.create_server(("127.0.0.1", 0))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    unix, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    unix.bind(str(targets.home / "agent"))
    abstract.bind("\0" + targets.tag)
    named = {"tcp": tcp, "udp": udp, "unix": unix, "abstract": abstract}
    targets.ports = {name: named[name].getsockname()[1] for name in ("tcp", "udp")}
    for name, listener in named.items():
        if listener.type == socket.SOCK_STREAM:
            listener.listen()
        threading.Thread(target=_listen, args=(targets, name, listener), daemon=True).start()
    try:
        yield
    finally:
        for listener in named.values():
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()


def _listen(targets: Targets, name: str, listener: socket.socket) -> None:
    with suppress(OSError):
        if listener.type == socket.SOCK_DGRAM:
            targets.heard[name] = listener.recv(64)
            return
        connection, _ = listener.accept()
        with connection:
            targets.heard[name] = connection.recv(64)
