"""Regrading very many sessions under a rate limit, killed half-way.

    python -m tests.evals endpoint.regrading [--sessions 600] [--rate 5] [--room 5]

Runs ``interviewer sessions regrade --all`` as a process against an endpoint on this machine that
allows so many calls a second: a bucket with ``room`` for so many tokens, of which a refusal (HTTP
429) names the wait in whole seconds. The first run is killed half-way (SIGTERM, or SIGKILL with
--hard), the second does the rest. Calls are paid for twice that were answered before the kill and
again after it, for the same answer of the same session.

The sessions are copies of one that was held, each with an answer of its own.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from evals.figures import Figure, share
from evals.speed.many_sessions import TABLES, fill
from support.endpoint import judge_nothing
from support.lived_in import PAST

LATENCY = 0.3
"""Seconds until an answer."""
_MARK = re.compile(r"answer number (\w+)\.")


def sessions_with_own_answers(path: Path, count: int) -> None:
    """So many finished sessions of one question, each with an answer of its own."""
    fill(path, count + len(PAST) + 1)
    own = "json_extract(payload, '$.text') || ' That was answer number ' || session_id || '.'"
    with closing(sqlite3.connect(path)) as connection:
        for table in TABLES:
            key = "id" if table == "sessions" else "session_id"
            connection.execute(f"DELETE FROM {table} WHERE {key} LIKE '5e551000%'")
        connection.execute(
            f"UPDATE entries SET payload = json_set(payload, '$.text', {own}) WHERE kind = 'answer'"
        )
        connection.commit()


@dataclass
class Limited:
    """An endpoint that allows ``rate`` calls a second and judges every point as not made."""

    rate: float
    room: float
    answered: Counter[str] = field(default_factory=Counter)
    era: int = 0
    """It is another one after a kill: nobody reads what is answered to calls from before."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._tokens, self._at = self.room, time.monotonic()

    def wait(self) -> int:
        """Seconds to wait, 0 if the call is let through."""
        with self._lock:
            now = time.monotonic()
            self._tokens = min(self.room, self._tokens + (now - self._at) * self.rate)
            self._at = now
            if self._tokens < 1:
                return math.ceil((1 - self._tokens) / self.rate)
            self._tokens -= 1
            return 0


def served(limited: Limited) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            return

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if wait := limited.wait():
                error = b'{"error": {"message": "slow down"}}'
                self._send(429, error, {"Content-Type": "application/json", "Retry-After": wait})
                return
            era = limited.era
            time.sleep(LATENCY)
            if limited.era == era:
                limited.answered[_MARK.findall(json.dumps(body["messages"]))[-1]] += 1
                self._send(200, _events(judge_nothing(body)), {"Content-Type": "text/event-stream"})

        def _send(self, status: int, data: bytes, fields: dict[str, object]) -> None:
            self.send_response(status)
            for name, value in (fields | {"Content-Length": len(data)}).items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(data)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: object) -> None:
            return

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def _events(reply: str) -> bytes:
    said = {"index": 0, "delta": {"content": reply}, "finish_reason": None}
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    lines = (json.dumps({"model": "stub", "choices": [each]}) for each in (said, end))
    return "".join(f"data: {line}\n\n" for line in (*lines, "[DONE]")).encode()


def regrading(folder: Path, url: str) -> subprocess.Popen[bytes]:
    own = {
        "INTERVIEWER_DATABASE": str(folder / "sessions.db"),
        "INTERVIEWER_CONFIG_DIR": str(folder),
        "INTERVIEWER_DATA_DIR": str(folder),
        "OPENAI_BASE_URL": url,
    }
    command = ("--model", "stub", "--examiner", "llm", "sessions", "regrade", "--all", "--yes")
    return subprocess.Popen(
        [sys.executable, "-m", "interviewer", *command],
        env=os.environ | own,
        cwd=Path(__file__).parents[3],
    )


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sessions", type=int, default=600)
    parser.add_argument("--rate", type=float, default=5.0)
    parser.add_argument("--room", type=float, default=5.0)
    parser.add_argument("--hard", action="store_true")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sessions_with_own_answers(folder / "sessions.db", asked.sessions)
        limited = Limited(asked.rate, asked.room)
        server = served(limited)
        url = f"http://127.0.0.1:{server.server_port}/v1"
        killed = regrading(folder, url)
        while limited.answered.total() < asked.sessions // 2 and killed.poll() is None:
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL if asked.hard else signal.SIGTERM)
        killed.wait()
        limited.era += 1
        time.sleep(2 * LATENCY)  # what was under way comes to its end, unread
        regrading(folder, url).wait()
        with closing(sqlite3.connect(folder / "sessions.db")) as connection:
            query = "SELECT count(DISTINCT session_id) FROM regrades"
            (sessions,) = connection.execute(query).fetchone()
        yield share("sessions regraded", sessions, asked.sessions)
        twice = sum(times - 1 for times in limited.answered.values())
        yield Figure("calls paid for twice", twice)
