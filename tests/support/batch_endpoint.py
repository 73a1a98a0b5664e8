"""An endpoint on localhost that takes chat requests as batches, and nothing else."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from support.endpoint import Body, judge_nothing


@dataclass
class BatchEndpoint:
    """Answers every request of a batch by ``judge`` as soon as it is created.

    ``fails`` are the paths, with their methods, that are answered by HTTP 500 after the work is
    done; ``missing`` those that are not there at all.
    """

    judge: Callable[[Body], str] = judge_nothing
    requests: list[Body] = field(default_factory=list)
    batches: list[Body] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    fails: set[str] = field(default_factory=set)
    missing: bool = False

    def __enter__(self) -> BatchEndpoint:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                return

            def do_GET(self) -> None:
                self._answer(b"")

            def do_POST(self) -> None:
                self._answer(self.rfile.read(int(self.headers["Content-Length"])))

            def _answer(self, sent: bytes) -> None:
                status, said = stub.answer(self.command, self.path.partition("?")[0], sent)
                data = said.encode() if isinstance(said, str) else json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def base_url(self) -> str:
        """As OPENAI_BASE_URL wants it."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def answer(self, method: str, path: str, sent: bytes) -> tuple[int, Any]:
        """The status and the body."""
        if self.missing:
            return 404, {"error": {"message": "no such path"}}
        said = self._said(method, path.removeprefix("/v1"), sent)
        if f"{method} {path.removeprefix('/v1').split('-')[0]}" in self.fails:
            return 500, {"error": {"message": "out of order"}}
        return 200, said

    def _said(self, method: str, path: str, sent: bytes) -> Any:
        match method, path.strip("/").split("/"):
            case "POST", ["files"]:
                return self._keep(next(p for p in sent.split(b"\r\n\r\n") if p.startswith(b"{")))
            case "POST", ["batches"]:
                return self._create(json.loads(sent))
            case "GET", ["batches"]:
                return {"object": "list", "data": self.batches, "has_more": False}
            case "GET", ["batches", id_]:
                return next(each for each in self.batches if each["id"] == id_)
            case "GET", ["files", id_, "content"]:
                return self.files[int(id_.removeprefix("file-"))]
            case _:
                raise AssertionError(path)

    def _keep(self, data: bytes) -> Body:
        self.files.append(data.split(b"\r\n--")[0].decode())
        return {"id": f"file-{len(self.files) - 1}", "object": "file"}

    def _create(self, wanted: Body) -> Body:
        lines = self.files[int(wanted["input_file_id"].removeprefix("file-"))].splitlines()
        asked = [json.loads(line) for line in lines]
        self.requests += [each["body"] for each in asked]
        answers = [json.dumps(self._reply(each)) for each in asked]
        output = self._keep("\n".join(answers).encode())["id"]
        counts = {"total": len(asked), "completed": len(asked), "failed": 0}
        batch = {
            "id": f"batch-{len(self.batches)}",
            "object": "batch",
            "status": "completed",
            "output_file_id": output,
            "request_counts": counts,
            "metadata": wanted["metadata"],
        }
        self.batches.append(batch)
        return batch

    def _reply(self, asked: Body) -> Body:
        message = {"role": "assistant", "content": self.judge(asked["body"])}
        body = {
            "model": "stub",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 50},
        }
        return {"custom_id": asked["custom_id"], "response": {"status_code": 200, "body": body}}
