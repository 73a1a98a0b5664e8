"""A small OpenAI-compatible server on localhost: a real socket for what needs one."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
TOKEN = 4
"""Characters."""


def judge_nothing(body: Body) -> str:
    """A judgement in which every criterion that the request names is not met."""
    schema = body["response_format"]["json_schema"]["schema"]
    ids = _find(schema, "enum")
    looks = [
        {"id": name, "evidence": "", "verdict": "not_met", "missing": "all of it"}
        for name in next(found for found in ids if "not_met" not in found)
    ]
    return json.dumps({"criteria": looks})


def listens(body: Body) -> bool:
    """The request asks what a turn does, and what to say next."""
    return "acts" in next(_find(body["response_format"], "properties"))


def reads_figures(body: Body) -> bool:
    """The request asks which numbers an answer states, and for nothing else."""
    return not listens(body) and "figures" in next(_find(body["response_format"], "properties"))


def read_nothing(body: Body) -> str:
    """No number is a figure of theirs."""
    return json.dumps({"figures": [], "circumstances": [], "objection": ""})


def answer_to_read(body: Body) -> str:
    """The answer whose numbers the request is about."""
    data: dict[str, str] = json.loads(_fenced(body["messages"][-1]["content"])[-1])
    return data["answer"]


def hear_an_answer(body: Body, words: str) -> str:
    """An answer was heard; the words would open the next topic, drill, or be the harder variant."""
    question, _, task = (json.loads(_fenced(m["content"])[-1]) for m in body["messages"][-3:])
    new = [topic for topic in question["topics"] if topic["id"] not in task["tried"]]
    new.sort(key=lambda topic: "first" not in topic)
    if new and words in body["messages"][-2]["content"]:  # nobody asks the same twice
        words = new[0]["question"]
    moves = [*(("probe", topic["id"]) for topic in new[:1]), ("drill", ""), ("escalate", "")]
    say = [{"move": move, "topic": topic, "text": words} for move, topic in moves]
    return json.dumps({"acts": ["answer"], "say": say, **json.loads(read_nothing(body))})


def _fenced(content: str) -> list[str]:
    lines = content.split("\n")
    return lines[2 : next(n for n, line in enumerate(lines) if line.startswith("END "))]


def _find(node: Any, key: str) -> Iterator[Any]:
    if isinstance(node, dict):
        if key in node:
            yield node[key]
        for value in node.values():
            yield from _find(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from _find(value, key)


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    """So many may knock at the same moment."""


@dataclass
class StubEndpoint:
    """Judges by ``judge``, reads numbers by ``claims``; whatever it hears it would say ``words``.

    With ``hold_listening`` it says nothing of what it heard until ``release`` is set. ``pause``:
    seconds after each token of a reply that streams; without it, all comes as one.
    """

    judge: Callable[[Body], str] = judge_nothing
    claims: Callable[[Body], str] = read_nothing
    words: tuple[str, ...] = ("Which ", "setting ", "did ", "you ", "use ", "in ", "your ", "run?")
    hold_listening: bool = False
    pause: float = 0.0
    requests: list[Body] = field(default_factory=list)
    release: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> StubEndpoint:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                return

            def do_GET(self) -> None:
                self._send({"object": "list", "data": [{"id": "stub", "object": "model"}]})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.requests.append(body)
                reply = stub._reply(body)
                with suppress(ConnectionError):  # the program ended meanwhile
                    if body.get("stream"):
                        self._stream(reply)
                    else:
                        self._send(_completion(reply))

            def _send(self, value: Body) -> None:
                data = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def _stream(self, reply: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for piece in stub._pieces(reply):
                    self._event({"choices": [{"index": 0, "delta": {"content": piece}}]})
                    time.sleep(stub.pause)
                self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
                self.wfile.write(b"data: [DONE]\n\n")

            def _event(self, value: Body) -> None:
                chunk = {"id": "1", "object": "chat.completion.chunk", "model": "stub", **value}
                self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
                self.wfile.flush()

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

    def _reply(self, body: Body) -> str:
        if "response_format" not in body:
            return "".join(self.words)
        if reads_figures(body):
            return self.claims(body)
        if not listens(body):
            return self.judge(body)
        if self.hold_listening:
            self.release.wait(60)
        return hear_an_answer(body, "".join(self.words))

    def _pieces(self, reply: str) -> Iterator[str]:
        size = TOKEN if self.pause else max(1, len(reply))
        return (reply[at : at + size] for at in range(0, len(reply), size))

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"


def _completion(content: str) -> Body:
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "stub",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050},
    }
